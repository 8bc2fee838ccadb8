// Every command that takes many rows is killed and resumed, with its optional columns left out: both runs must send the same
// requests, and the report must name what was made, also by rows that had ended before the kill.
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describedCommands } from '../../src/cli/help/manifest.ts'
import type { RunningSandbox } from '../../src/sandbox/embedded.ts'
import { ended, startPromo } from '../support/child.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { startTestSandbox } from '../support/sandbox.ts'
import { sampled } from '../support/size.ts'
import { root } from '../support/source-files.ts'

const rows = 6

/** How a command is run over six rows, and which ids of its answers its report has. */
interface Line {
  flags?: string[]
  /** The lines of the input; by default the header `code` and codes of gift cards. */
  input?: string | (() => Promise<string>)
  format?: 'csv' | 'jsonl'
  results?: string[]
  /** Columns that every row gets a value of its own for. */
  drawn?: string[]
  /** Requests that are answered before the kill. */
  answered?: number
}

const numbered = (head: string, line: (number: number) => string) =>
  `${[head, ...Array.from({ length: rows }, (_, at) => line(at + 1))].filter((text) => text !== '').join('\n')}\n`
const gifts = numbered('code', (number) => `GIFT-00${number}`)
const cards = numbered('code', () => 'CLUB-001')
const discount = ['--set', 'discount.type=PERCENT', '--set', 'discount.percent_off=10']
const people = numbered('source_id', (number) => `shop-100${number}`)
const nothingMade: string[] = []

let sandbox: RunningSandbox
let proxy: Server
let origin: string
let seen: string[] = []
/** Answers that are still let through; the next request after them is not passed on. */
let allowed = Number.POSITIVE_INFINITY
let kill: () => void = () => {}

const lines: Record<string, Line> = {
  'vouchers:create': {
    flags: ['--type', 'DISCOUNT_VOUCHER', ...discount],
    input: numbered('code', (number) => `NEW-${number}`),
    results: ['id'],
  },
  'vouchers:update': { flags: ['--set', 'metadata.source=family'], results: nothingMade },
  'vouchers:disable': { results: nothingMade },
  'vouchers:enable': { results: nothingMade },
  'vouchers:delete': { input: numbered('code', (number) => `NEW-${number}`), results: nothingMade },
  'vouchers:balance:add': { flags: ['--amount', '500'], results: nothingMade },
  'vouchers:balance:remove': { flags: ['--amount', '100'], results: nothingMade },
  'customers:create': { input: numbered('source_id', (number) => `family-${number}`), results: ['id'] },
  'customers:update': { flags: ['--set', 'metadata.tier=gold'], input: people, results: nothingMade },
  'customers:delete': { input: numbered('source_id', (number) => `family-${number}`), results: nothingMade },
  'referrals:holders:add': {
    flags: ['FRIEND-001', '--batch-size', '2'],
    input: numbered('source_id', (number) => `friend-${number}`),
    results: ['id', 'customer_id'],
    answered: 1,
  },
  'referrals:holders:remove': { flags: ['FRIEND-001'], input: holderIds, results: nothingMade },
  'campaigns:vouchers:add': {
    flags: ['Spring mailing'],
    input: numbered('code', (number) => `SPRING-F${number}`),
    results: ['id'],
  },
  'redemptions:create': { input: numbered('code', () => 'BEANS10'), flags: ['--amount', '5000'], results: ['id'] },
  'redemptions:rollback': { input: redemptionIds, results: ['id'] },
  'loyalty:rewards:redeem': {
    flags: ['--reward', 'rew_19b8d627a800000001', '--points', '1', '--amount', '5000'],
    input: cards,
    results: ['id'],
  },
  'loyalty:points:add': { flags: ['--points', '5'], input: cards, results: nothingMade },
  'loyalty:points:remove': { flags: ['--points', '1'], input: cards, results: nothingMade },
  'loyalty:points:transfer': {
    flags: ['--to', 'CLUB-002', '--points', '1', '--campaign', 'Bean Club'],
    input: cards,
    results: nothingMade,
    drawn: ['source_id'],
  },
  'publications:create': {
    flags: ['--campaign', 'Welcome'],
    input: numbered('customer', (number) => `guest-${number}`),
    results: ['id', 'code', 'customer_id'],
  },
  'events:send': {
    input: numbered('', (number) =>
      JSON.stringify({ event: 'cupping_attended', customer: { source_id: `shop-100${number}` } }),
    ),
    format: 'jsonl',
    results: ['customer_id'],
  },
  'validate:redeemables': { input: numbered('', carts), format: 'jsonl', results: nothingMade },
}

function carts(number: number): string {
  return JSON.stringify({ redeemables: [{ object: 'voucher', id: 'BEANS10' }], order: { amount: 5000 * number } })
}

async function called(method: string, path: string, body?: object) {
  const answer = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-app-id': sandbox.credentials.app_id,
      'x-app-token': sandbox.credentials.app_token,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Record<string, unknown>
}

async function redemptionIds(): Promise<string> {
  const ids: string[] = []
  for (let made = 0; made < rows; made += 1) {
    const redeemables = [{ object: 'voucher', id: 'BEANS10' }]
    const { redemptions } = await called('POST', '/v1/redemptions', { redeemables, order: { amount: 5000 } })
    ids.push((redemptions as { id: string }[])[0]?.id ?? '')
  }
  return numbered('id', (number) => ids[number - 1] ?? '')
}

async function holderIds(): Promise<string> {
  const added = Array.from({ length: rows }, (_, at) => ({ source_id: `leaving-${at}` }))
  const { holders } = await called('POST', '/v1/referrals/members/FRIEND-001/holders', { holders: added })
  return numbered('id', (number) => (holders as { id: string }[])[number - 1]?.id ?? '')
}

beforeAll(async () => {
  sandbox = await startTestSandbox()
  proxy = createServer(async (asked, answering) => {
    const body = await bytesOf(asked)
    const { method = '', url = '', headers } = asked
    if (method !== 'GET') {
      if (allowed === 0) return kill()
      allowed -= 1
      seen.push(`${method} ${url} ${body.toString()}`)
    }
    const { host } = new URL(sandbox.url)
    const passed = request(`${sandbox.url}${url}`, { method, headers: { ...headers, host } }, (answer) => {
      answering.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(answering)
    })
    passed.end(body)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})

afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await sandbox.close()
})

async function bytesOf(asked: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of asked) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

// The steps of a plan are killed and resumed in test/faults/config-loop.test.ts.
const bulk = describedCommands(root).filter(({ flags }) => flags.restart !== undefined && flags.from !== undefined)

test('every command that takes many rows is killed and resumed here', () => {
  expect(bulk.map(({ id }) => id).toSorted()).toEqual(Object.keys(lines).toSorted())
})

describe.each(sampled(Object.entries(lines), 4))(
  '%s',
  (id, { flags = [], input = gifts, format = 'csv', results = [], drawn = [], answered = 3 }) => {
    test('sends the same requests after a kill, and reports what it made', async () => {
      const folder = temporaryFolder()
      const file = join(folder, `rows.${format}`)
      writeFileSync(file, typeof input === 'string' ? input : await input())
      const env = {
        PROMO_BASE_URL: origin,
        PROMO_APP_ID: sandbox.credentials.app_id,
        PROMO_APP_TOKEN: sandbox.credentials.app_token,
      }
      seen = []
      allowed = answered
      const argv = [...id.split(':'), ...flags, '--from', file, '--concurrency', '1', '--yes', '--no-input']
      const child = startPromo(argv, folder, env)
      kill = () => child.kill('SIGKILL')
      const first = await ended(child)
      kill = () => {}
      allowed = Number.POSITIVE_INFINITY

      const before = seen.length
      const promo = promoIn(folder)
      const resumed = await promo(['jobs', 'resume', 'latest', '--yes'], { env, stdin: '' })
      const report = await promo(['jobs', 'report', 'latest', '--json'], { env, stdin: '' })

      expect(first.signal, first.stderr).toBe('SIGKILL')
      expect([0, 6], resumed.stderr).toContain(resumed.exitCode)
      const reported = JSON.parse(report.stdout) as Record<string, unknown>[]
      const states = reported.map(({ promo_state }) => promo_state)
      expect(states.filter((state) => state !== 'ok' && state !== 'unknown')).toEqual([])
      expect(states.filter((state) => state === 'unknown').length).toBeLessThanOrEqual(1)
      expect(before).toBe(answered)
      // What a row sends does not depend on the run: no row is sent as two different requests.
      expect(new Set(seen).size).toBeLessThanOrEqual(rows)
      for (const name of drawn) expect(new Set(reported.map((row) => row[name])).size).toBe(rows)
      const columns = results.map((name) => `promo_result_${name}`)
      for (const row of reported.filter(({ promo_state }) => promo_state === 'ok')) {
        expect(columns.filter((name) => typeof row[name] !== 'string' || row[name] === '')).toEqual([])
      }
    })
  },
)
