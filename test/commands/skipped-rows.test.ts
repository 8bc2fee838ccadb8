// Bad rows that are left out on request, in every command that takes many rows: counted apart, told before, and never a
// reason to stop.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describedCommands } from '../../src/cli/help/manifest.ts'
import { jobDesk, summaryOf } from '../support/jobs.ts'
import { answer, type ScriptedServer, scriptedServer } from '../support/scripted-server.ts'
import { root } from '../support/source-files.ts'

const bad = 12

interface Line {
  argv?: string[]
  /** The columns, and a good row of them. */
  head?: string
  row?: string
  /** Or a good row as one object. */
  json?: string
}

const discount = ['--type', 'DISCOUNT_VOUCHER', '--set', 'discount.type=PERCENT', '--set', 'discount.percent_off=10']

const lines: Record<string, Line> = {
  'campaigns:vouchers:add': { argv: ['Spring'] },
  'customers:create': { head: 'source_id', row: 'ann' },
  'customers:update': { argv: ['--set', 'name=Ann'], head: 'source_id', row: 'ann' },
  'customers:delete': { head: 'source_id', row: 'ann' },
  'events:send': { json: '{"event":"e","customer":{"source_id":"ann"}}' },
  'loyalty:points:add': { argv: ['--points', '5'] },
  'loyalty:points:remove': { argv: ['--points', '5'] },
  'loyalty:points:transfer': { argv: ['--to', 'B', '--points', '5', '--campaign', 'Club'] },
  'loyalty:rewards:redeem': { argv: ['--reward', 'rew_1', '--points', '1', '--amount', '100'] },
  'publications:create': { argv: ['--campaign', 'Welcome'], head: 'customer', row: 'ann' },
  'redemptions:create': {},
  'redemptions:rollback': { head: 'id', row: 'r_1' },
  'referrals:holders:add': { argv: ['member_1'], head: 'source_id', row: 'ann' },
  'referrals:holders:remove': { argv: ['member_1'], head: 'id', row: 'mbrh_1' },
  'vouchers:balance:add': { argv: ['--amount', '5'] },
  'vouchers:balance:remove': { argv: ['--amount', '5'] },
  'vouchers:create': { argv: discount },
  'vouchers:delete': {},
  'vouchers:disable': {},
  'vouchers:enable': {},
  'vouchers:update': { argv: ['--set', 'category=x'] },
}

const desk = jobDesk()
let server: ScriptedServer

beforeAll(async () => {
  server = await scriptedServer(() => answer(404, { code: 404, key: 'not_found', message: 'none' }))
})
afterAll(() => server[Symbol.asyncDispose]())

/** A command line over bad rows, a good one, and rows of empty cells. */
function lineOf(id: string, { argv = [], head = 'code', row = 'A', json }: Line): string[] {
  const many = (text: string) => Array.from({ length: bad }, () => text)
  const input =
    json === undefined
      ? desk.input('rows.csv', [`${head};promo_line`, ...many('x;y;z'), ';', `${row};1`, ';', ''].join('\n'))
      : desk.input('rows.jsonl', [...many('{"a'), '', json, ''].join('\n'))
  return [...id.split(':'), ...argv, '--from', input, '--skip-bad-rows', '--yes']
}

const env = () => server.env

test('every command that takes many rows is walked', () => {
  // `ledger reconcile` reads rows, and acts on none.
  const bulk = describedCommands(root).filter(({ flags }) => flags['skip-bad-rows'] && flags.restart)

  expect(Object.keys(lines).toSorted()).toEqual(bulk.map(({ id }) => id).toSorted())
})

test.each(Object.entries(lines))('%s counts them apart, and does not stop', async (id, line) => {
  const argv = lineOf(id, line)
  const planned = await desk.promo([...argv, '--dry-run'], { env: env() })
  const { exitCode, stdout, stderr } = await desk.promo([...argv, '--max-errors', '1', '--jsonl'], { env: env() })
  const refused = await desk.promo(
    argv.filter((word) => word !== '--skip-bad-rows'),
    { env: env() },
  )

  expect(planned.stderr).toContain(`, ${bad} bad rows skipped`)
  expect(exitCode, stderr).toBe(3)
  expect(summaryOf(stdout), stderr).toMatchObject({
    total: bad + 1,
    skipped: bad,
    failed: 1,
    wrong: 1,
    stopped_by: null,
  })
  expect(stderr).toContain('12 skipped')
  expect(refused).toEnd(2, `${bad} of ${bad + 1} rows`, '--skip-bad-rows')
})
