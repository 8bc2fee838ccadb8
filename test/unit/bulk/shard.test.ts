import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseShard, shardOf, shardText } from '../../../src/bulk/shard.ts'
import { PromoError } from '../../../src/errors.ts'

function refused(given: string, env: Record<string, string> = {}): string {
  try {
    parseShard(given, env)
  } catch (error) {
    if (error instanceof PromoError && error.exitCode === 2) return error.message
    throw error
  }
  return 'nothing was thrown'
}

describe('a shard on the command line', () => {
  test.each([
    ['0/1', { index: 0, of: 1 }],
    ['0/4', { index: 0, of: 4 }],
    ['3/4', { index: 3, of: 4 }],
    ['07/010', { index: 7, of: 10 }],
    ['9999/10000', { index: 9999, of: 10_000 }],
  ])('%s is read', (given, shard) => {
    expect(parseShard(given, {})).toEqual(shard)
  })

  test.each([
    '',
    '4',
    '1-4',
    '1/',
    '/4',
    '-1/4',
    '1/4/2',
    '1.0/4',
    ' 1/4',
    'auto',
    'auto/',
    'AUTO/4',
    '0/0',
    '0/10001',
    '0/100000',
  ])('"%s" is refused with an example of one that is right', (given) => {
    expect(refused(given)).toBe(`the shard "${given}" is not like 0/4 or auto/4`)
  })

  test('the number after the last one is refused, since shards are numbered from 0', () => {
    expect(refused('4/4')).toBe('--shard says shard "4", which is not one of 0 to 3')
  })

  test('a shard is written as it was read', () => {
    expect(shardText({ index: 3, of: 4 })).toBe('3/4')
  })
})

describe('the number that a scheduler gave its task', () => {
  test.each(['JOB_COMPLETION_INDEX', 'AWS_BATCH_JOB_ARRAY_INDEX', 'CLOUD_RUN_TASK_INDEX', 'SLURM_ARRAY_TASK_ID'])(
    'is read from %s',
    (variable) => {
      expect(parseShard('auto/4', { [variable]: '3' })).toEqual({ index: 3, of: 4 })
    },
  )

  test('does not count where the shard is named', () => {
    expect(parseShard('1/4', { JOB_COMPLETION_INDEX: '3', AWS_BATCH_JOB_ARRAY_SIZE: '8' })).toEqual({ index: 1, of: 4 })
  })

  test.each(['', '4', '-1', '1.0', 'two', ' 1', '1e0'])('"%s" is refused with the name of the variable', (text) => {
    expect(refused('auto/4', { SLURM_ARRAY_TASK_ID: text })).toBe(
      `SLURM_ARRAY_TASK_ID says shard "${text}", which is not one of 0 to 3`,
    )
  })

  test('is missed with the names of all variables that would tell', () => {
    expect(refused('auto/4')).toBe(
      '--shard auto needs the number of this task in JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX, CLOUD_RUN_TASK_INDEX or SLURM_ARRAY_TASK_ID',
    )
  })

  test.each([
    ['AWS_BATCH_JOB_ARRAY_INDEX', 'AWS_BATCH_JOB_ARRAY_SIZE'],
    ['CLOUD_RUN_TASK_INDEX', 'CLOUD_RUN_TASK_COUNT'],
  ])('is refused when %s comes with another number of tasks in %s', (index, size) => {
    expect(parseShard('auto/4', { [index]: '1', [size]: '4' })).toEqual({ index: 1, of: 4 })
    expect(refused('auto/4', { [index]: '1', [size]: '2' })).toBe(
      `${size} says that there are 2 tasks, --shard that there are 4 shards`,
    )
  })
})

describe('the shard of a key', () => {
  // From Python: int.from_bytes(hashlib.sha256(key.encode()).digest()[:6], "big") % shards
  test.each([
    ['WELCOME-001', [1, 1, 3, 7, 911]],
    ['LATTE ART/2026', [1, 0, 1, 5, 813]],
    ['CAFÉ☕', [1, 2, 1, 5, 765]],
    ['', [0, 1, 0, 4, 124]],
    ['2', [0, 2, 2, 6, 766]],
    ['a'.repeat(1000), [1, 1, 3, 3, 395]],
  ])('%j is in the shard of its SHA-256', (key, expected) => {
    expect([2, 3, 4, 8, 1000].map((shards) => shardOf(key, shards))).toEqual(expected)
  })

  test('is one of the shards, and the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 10_000 }), (key, shards) => {
        const shard = shardOf(key, shards)

        return shard >= 0 && shard < shards && shardOf(key, shards) === shard
      }),
    )
  })

  test('spreads 8,000 codes over 8 shards so that none has a tenth more or less than its part', () => {
    const rows = Array.from({ length: 8 }, () => 0)

    for (let at = 0; at < 8000; at += 1) rows[shardOf(`SPRING-${at}`, 8)] = (rows[shardOf(`SPRING-${at}`, 8)] ?? 0) + 1

    expect(Math.min(...rows)).toBeGreaterThan(900)
    expect(Math.max(...rows)).toBeLessThan(1100)
  })
})
