// Runs the example script for GNU parallel: four processes and one service; one of the four is killed.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openJournalFile } from '../../src/bulk/journal/journal-file.ts'
import { holderOf } from '../../src/bulk/journal/lock.ts'
import { outcomesIn, type RecordedRow } from '../../src/bulk/journal/outcome-store.ts'
import { bin, runProgram, startPromo } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const codes = Array.from({ length: 600 }, (_, at) => `LEAK-${at}`)
const shards = [0, 1, 2, 3]

let folder: string
let service: ChildProcess
let env: Record<string, string>

beforeEach(async () => {
  folder = temporaryFolder()
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/promo'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
  chmodSync(join(folder, 'bin/promo'), 0o755)
  writeFileSync(join(folder, 'codes.csv'), `code\n${codes.join('\n')}\n`)
  const vouchers = codes.map((code) => ({
    code,
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: 500 },
  }))
  writeFileSync(join(folder, 'fixture.json'), JSON.stringify({ vouchers }))
  const seed = ['--data', join(folder, 'sandbox.db'), '--seed', join(folder, 'fixture.json')]
  const started = startPromo(['sandbox', 'start', '--json', '--latency', '60ms', ...seed], folder)
  service = started
  const [line] = await once(createInterface(started.stdout), 'line')
  const { url, app_id, app_token } = JSON.parse(line)
  env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    PROMO_CONFIG_DIR: join(folder, 'config'),
    PROMO_STATE_DIR: join(folder, 'state'),
    PROMO_BASE_URL: url,
    PROMO_APP_ID: app_id,
    PROMO_APP_TOKEN: app_token,
  }
})

afterEach(async () => {
  service.kill('SIGTERM')
  await once(service, 'close')
})

const journal = () => join(folder, 'journal')
const inParallel = (more: Record<string, string> = {}) =>
  runProgram('bash', [join(root, 'examples/parallel-shards.sh'), join(folder, 'codes.csv'), journal(), '4'], {
    cwd: folder,
    env: { ...env, ...more },
  })

/** The rows in the journal of a shard. */
function rowsOf(shard: number): RecordedRow[] {
  const database = openJournalFile(join(journal(), `shard-${shard}-of-4.sqlite`), { readOnly: true })
  try {
    return outcomesIn(database).report(0, 1000)
  } finally {
    database.close()
  }
}

/** Waits until a shard is in the middle of its rows, and returns its process. */
async function inTheMiddle(shard: number): Promise<number> {
  const done = () => rowsOf(shard).filter(({ outcome }) => outcome?.state === 'ok').length
  await eventually(() => {
    try {
      return done() >= 10
    } catch {
      // It has not made its journal yet.
      return false
    }
  })
  const holder = await eventually(() => holderOf(join(journal(), `shard-${shard}-of-4.lock`)))
  return holder?.pid ?? 0
}

/** Every voucher of the service, by its code. */
async function vouchers(): Promise<Map<string, { active: boolean; updated_at: string }>> {
  const { stdout } = await runProgram('promo', ['vouchers', 'list', '--jsonl'], { cwd: folder, env })
  const found = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return new Map(found.map((voucher) => [voucher.code, voucher]))
}

const joblog = () =>
  readFileSync(join(journal(), 'joblog.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split('\t')[6]))

describe('four shards in GNU parallel, one of which is killed in the middle', needing('bash', 'parallel'), () => {
  test('are completed by running the script again, and no row is applied twice', async () => {
    const first = inParallel({ ATTEMPTS: '1' })
    process.kill(await inTheMiddle(2), 'SIGKILL')
    const { exitCode, stderr } = await first
    const exitsOfFirst = joblog()
    const afterFirst = await vouchers()
    const doneByFirst = shards.flatMap(rowsOf).filter(({ outcome }) => outcome?.state === 'ok')

    const second = await inParallel()

    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 137,
      stderr: expect.stringContaining('shard 2/4: attempt 1'),
    })
    expect(exitsOfFirst.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 137])
    expect(doneByFirst.length).toBeGreaterThan(100)
    expect(doneByFirst.length).toBeLessThan(600)
    expect(second.exitCode).toBe(0)
    expect(joblog()).toEqual([0, 0, 0, 0])
    const rows = shards.flatMap(rowsOf)
    expect(rows.map(({ row }) => row.key).toSorted()).toEqual(codes.toSorted())
    expect(new Set(rows.map(({ outcome }) => outcome?.state))).toEqual(new Set(['ok']))
    const atLast = await vouchers()
    expect(codes.filter((code) => atLast.get(code)?.active !== false)).toEqual([])
    const touchedAgain = doneByFirst.filter(
      ({ row }) => atLast.get(row.key)?.updated_at !== afterFirst.get(row.key)?.updated_at,
    )
    expect(touchedAgain).toEqual([])
  })

  test('are completed by the script itself, which retries the killed shard and merges the reports', async () => {
    const running = inParallel()
    process.kill(await inTheMiddle(1), 'SIGKILL')

    const { exitCode, stderr } = await running

    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stderr).toContain('shard 1/4: attempt 1 ended with exit code 137')
    expect(stderr).toMatch(/shard 1\/4: disabled \d+ vouchers.* \(\d+ rows, \d+ of them before, in/)
    const report = readFileSync(join(journal(), 'report.csv'), 'utf8').trimEnd().split('\n')
    expect(report[0]).toMatch(/^code,promo_line,promo_state,/)
    expect(report.slice(1).map((line) => line.split(',').slice(0, 3))).toEqual(
      codes.map((code, at) => [code, `${at + 2}`, 'ok']),
    )
  })
})

describe('the script', needing('bash', 'parallel'), () => {
  test('ends with the worst exit code of its shards, and reports every row', async () => {
    writeFileSync(join(folder, 'codes.csv'), 'code\nLEAK-1\nNO-SUCH-CODE\nLEAK-2\n')

    const { exitCode, stderr } = await inParallel()

    expect(exitCode).toBe(3)
    expect(joblog().toSorted((a, b) => a - b)).toEqual([0, 0, 0, 3])
    expect(stderr).not.toContain('attempt')
    expect(readFileSync(join(journal(), 'report.csv'), 'utf8')).toMatch(/^NO-SUCH-CODE,3,failed,not_found,/m)
  })

  test('reports that a file has a bad row, and writes no report file', async () => {
    writeFileSync(join(folder, 'codes.csv'), 'code\nLEAK-1\n LEAK-2\n')

    expect((await inParallel()).exitCode).toBe(2)
    expect(joblog()).toEqual([2, 2, 2, 2])
    expect(existsSync(join(journal(), 'report.csv'))).toBe(false)
  })
})
