import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Host } from '../../../../../src/cli/run/host.ts'
import { mismatchesOf } from '../../../../../src/cli/topics/validation/comparison.ts'
import { expectationsFrom } from '../../../../../src/cli/topics/validation/expectations.ts'
import { temporaryFolder } from '../../../../support/promo.ts'

const folder = temporaryFolder()
const host = { stdin: new PassThrough(), stop: new AbortController().signal } as unknown as Host

async function read(name: string, content: string, lines: number[]) {
  writeFileSync(join(folder, name), content)
  return [...(await expectationsFrom(join(folder, name), lines, host))]
}

describe('expectations', () => {
  test('of CSV without lines belong to the carts in their order', async () => {
    const read1 = await read(
      'e.csv',
      'valid,total_discount_amount,statuses\ntrue,500,APPLICABLE SKIPPED\nfalse,,\n',
      [1, 3],
    )

    expect(read1).toEqual([
      [1, { valid: true, total_discount_amount: 500, statuses: ['APPLICABLE', 'SKIPPED'] }],
      [3, { valid: false }],
    ])
  })

  test('of JSON Lines with lines may be for some of the carts', async () => {
    const read1 = await read('e.jsonl', '{"line":2,"total_amount":0,"statuses":["SKIPPED"]}\n', [1, 2, 3])

    expect(read1).toEqual([[2, { total_amount: 0, statuses: ['SKIPPED'] }]])
  })

  test('may be what a run wrote as JSON Lines, summary and all', async () => {
    const written = '{"t":"item","line":1,"state":"ok","valid":true,"validation":{}}\n{"t":"summary","total":1}\n'

    expect(await read('run.jsonl', written, [1])).toEqual([[1, { valid: true }]])
  })

  test.each([
    ['fewer than carts', 'e.csv', 'valid\ntrue\n', 'has 1 expectations for 2 carts'],
    ['a line without a cart', 'e.csv', 'line,valid\n9,true\n', 'there is no cart on line 9'],
    ['a line twice', 'e.csv', 'line,valid\n1,true\n1,true\n', 'line 1 is expected twice'],
    ['nothing expected', 'e.csv', 'line,vaild\n1,true\n', 'expects nothing'],
    ['no truth value', 'e.csv', 'line,valid\n1,yes\n', 'valid is true or false, not "yes"'],
    ['a fraction of a cent', 'e.csv', 'line,total_amount\n1,1.5\n', 'total_amount is a whole number, not "1.5"'],
    ['an unknown status', 'e.csv', 'line,statuses\n1,OK\n', 'statuses are some of APPLICABLE'],
    ['a torn row of CSV', 'e.csv', 'line,valid\n1\n', 'expectation 1: has 1 of 2 values'],
    ['no JSON', 'e.jsonl', '{"line":1,\n', 'line 1'],
    ['no object', 'e.jsonl', '[1]\n', 'is not an object'],
  ])('are refused for %s', async (_, name, content, message) => {
    await expect(read(name, content, [1, 2])).rejects.toThrow(message)
  })
})

test('only what is expected is compared, and an absent discount is zero', () => {
  const got = { valid: true, total_discount_amount: 0, statuses: ['APPLICABLE'] }

  expect(mismatchesOf({ total_discount_amount: 0 }, got)).toEqual([])
  expect(mismatchesOf({ valid: false, statuses: ['SKIPPED'], total_amount: 5 }, got)).toEqual([
    { field: 'valid', expected: false, got: true },
    { field: 'total_amount', expected: 5, got: null },
    { field: 'statuses', expected: ['SKIPPED'], got: ['APPLICABLE'] },
  ])
})
