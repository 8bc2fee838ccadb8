// docs/bulk.md matches the code: its tables are compared with the data, and its scripts are run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { shardOf, shardVariables } from '../src/bulk/shard.ts'
import { rowStates } from '../src/bulk/summary.ts'
import { exitCodes } from '../src/cli/help/exit-codes.ts'
import { describedCommands } from '../src/cli/help/manifest.ts'
import { inverseOfJobs } from '../src/cli/undo.ts'
import { EXIT } from '../src/errors.ts'
import { runProgram } from './support/child.ts'
import { problemOf } from './support/manifest.ts'
import { needing } from './support/programs.ts'
import { classOf, temporaryFolder } from './support/promo.ts'
import { root } from './support/source-files.ts'

const text = readFileSync(join(root, 'docs/bulk.md'), 'utf8')

/** The cells of a marked table, without its head. */
function table(mark: string): string[][] {
  const [, body = ''] = new RegExp(`<!-- ${mark} -->\n([\\s\\S]*?)<!-- /${mark} -->`).exec(text) ?? []
  return body
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
    )
}

const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block)

describe('the tables', () => {
  test('of classes lists every command that takes many rows, with its class', () => {
    const bulk = describedCommands(root).filter(({ flags }) => flags.shard !== undefined)
    const declared = bulk.map(({ id, repeat }) => `promo ${id.replaceAll(':', ' ')}: ${repeat}`)

    const told = table('bulk-classes').map(([command, repeat]) => `${command}: ${repeat}`)

    expect(told.toSorted()).toEqual([...declared, 'promo events send --on-ambiguous retry: duplicate'].toSorted())
  })

  test('of classes states for each class whether it is sent again', () => {
    for (const [, repeat, lost, promise] of table('bulk-classes')) {
      expect([repeat, /sent again/.test(lost ?? '') && !lost?.startsWith('not')]).toEqual([repeat, repeat !== 'once'])
      if (repeat === 'idempotent' || repeat === 'duplicate') expect(promise).toMatch(/^at least once/)
      if (repeat === 'once') expect(promise).toBe('at most once')
    }
  })

  test('of undoing says for every command what undoes its jobs, or why promo does not', async () => {
    const bulk = describedCommands(root).filter(
      ({ id, flags }) => flags.journal !== undefined && !id.startsWith('jobs:'),
    )
    const words = (id: string) => id.replaceAll(':', ' ')
    const declared = await Promise.all(
      bulk.map(async ({ id }) => {
        const made = await classOf(id)
        const inverse = inverseOfJobs(made)
        const because = inverse !== undefined && 'byHand' in inverse ? inverse.byHand : ''
        return [words(id), made.undo === undefined ? '-' : words(made.undo), because].join(': ')
      }),
    )

    const told = table('bulk-undo').map(([of = '', by = '', what]) => [of, by, by === '-' ? what : ''].join(': '))

    expect(told.toSorted()).toEqual(declared.toSorted())
  })

  test('of outcomes lists every outcome', () => {
    expect(table('bulk-outcomes').map(([state]) => state)).toEqual([...rowStates])
  })

  test('of exit codes lists every code that a job can end with', () => {
    const told = table('bulk-exit-codes').map(([code]) => Number(code))

    expect(told).toEqual(exitCodes.map(({ code }) => code).filter((code) => code !== EXIT.no))
  })

  test('of exit codes names commands that exist', () => {
    const lines = table('bulk-exit-codes').flatMap(([, what = '']) =>
      [...what.matchAll(/`promo ([^`]+)`/g)].map(([, line = '']) => line),
    )

    expect(lines.map(problemOf).filter((problem) => problem !== undefined)).toEqual([])
    expect(lines.length).toBeGreaterThan(2)
  })

  test('of shards agrees with the hash', () => {
    for (const [key = '', ...expected] of table('shard-vectors')) {
      expect([2, 3, 4, 8, 1000].map((shards) => `${shardOf(key, shards)}`)).toEqual(expected)
    }
    expect(table('shard-vectors')).toHaveLength(4)
  })
})

test('every scheduler variable is named', () => {
  expect(shardVariables.filter((variable) => !text.includes(`\`${variable}\``))).toEqual([])
})

/** Runs a script, without delays, with a promo that ends with these codes in turn. */
async function withCodes(script: string, codes: number[], args: string[] = []) {
  const folder = temporaryFolder()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const program = (name: string, lines: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  for (const [at, code] of codes.entries()) writeFileSync(join(folder, `code-${at + 1}`), `${code}`)
  program('sleep', '')
  program('promo', `echo "$*" >> ${folder}/calls; exit "$(cat ${folder}/code-$(wc -l < ${folder}/calls))"`)
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder }
  const { exitCode } = await runProgram('bash', ['-c', script, 'script', ...args], { cwd: folder, env })
  // Of a night: its folder is named after it.
  const calls = readFileSync(join(folder, 'calls'), 'utf8').replaceAll(/--journal \S+/g, '--journal NIGHT')
  return { exitCode, calls: calls.trimEnd().split('\n') }
}

describe.each([
  ['the loop of the page', blocks('bash')[0] ?? '', 'vouchers disable --from leaked-codes.csv --yes'],
  [
    'nightly.sh',
    readFileSync(join(root, 'examples/nightly.sh'), 'utf8'),
    'vouchers disable --from leaked-codes.csv --journal NIGHT --yes --no-input --quiet',
  ],
])('%s', needing('bash'), (_name, script, line) => {
  test('continues until it is done, after failures that pass by themselves', async () => {
    const { exitCode, calls } = await withCodes(script, [5, 10, 8, 0], ['leaked-codes.csv'])

    expect(exitCode).toBe(0)
    expect(calls).toEqual([line, line, line, line])
    expect(problemOf(line)).toBeUndefined()
  })

  test.each([1, 2, 3, 4, 6, 7, 9, 11, 130, 143])('ends with exit code %i and is not retried', async (code) => {
    const { exitCode, calls } = await withCodes(script, [5, code, 0], ['leaked-codes.csv'])

    expect(exitCode).toBe(code)
    expect(calls).toHaveLength(2)
  })
})

test('nightly.sh gives up after five attempts, with the code of the last', needing('bash'), async () => {
  const script = readFileSync(join(root, 'examples/nightly.sh'), 'utf8')

  const { exitCode, calls } = await withCodes(script, [5, 5, 5, 5, 10, 0], ['leaked-codes.csv'])

  expect(exitCode).toBe(10)
  expect(calls).toHaveLength(5)
})

test('the manifest for CI runs commands that exist', () => {
  const [manifestText = ''] = blocks('yaml')
  const steps: { run?: string }[] = parse(manifestText).jobs.disable.steps

  const lines = steps.flatMap(({ run }) => (run === undefined ? [] : [run.replace(/^promo /, '')]))

  expect(lines.map(problemOf)).toEqual([undefined, undefined])
})
