// A pull that is killed, and a service whose answers are lost, cut, repeated, late and wrong: the copy ends equal to what the service
// has, or the pull says that it does not. Source: docs/adr/0044-a-copy-of-what-happened.md.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openCopy } from '../../src/ledger/copy.ts'
import { rowOf } from '../../src/ledger/rows.ts'
import type { TableName } from '../../src/ledger/schema.ts'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/embedded.ts'
import { bin as builtBin, ended, environmentIn } from '../support/child.ts'
import { calledOn } from '../support/passing-proxy.ts'
import { type Action, type Asked, scriptedServer } from '../support/scripted-server.ts'
import type { Bug } from './seeded-bug.ts'

export interface LedgerLoopOptions {
  /** How many copies are made; each meets other faults. */
  runs: number
  /** How many pulls of a copy meet a fault, before one that meets none. */
  pulls: number
  seed: number
  bin?: string
  bug?: Bug
}

type Wire = Record<string, unknown>
type Envelope = Wire & { data_ref: string; total?: number }

const spoil =
  (change: (answer: Envelope, earlier: Envelope) => Envelope) =>
  (answered: Action & { do: 'text' }, earlier: Envelope): Action => {
    const answer = JSON.parse(answered.text) as Envelope
    return { ...answered, text: JSON.stringify(change(answer, earlier)) }
  }
/** A list without a total that leaves rows out contradicts itself only where it announces more. */
const withRows = (answer: Envelope, change: (rows: unknown[]) => unknown[]): Envelope => ({
  ...answer,
  ...(answer.total === undefined && { has_more: true }),
  [answer.data_ref]: change(answer[answer.data_ref] as unknown[]),
})

/** What happens to an answer. */
const faults: Record<string, (answered: Action & { do: 'text' }, earlier: Envelope) => Action> = {
  'is lost': () => ({ do: 'reset' }),
  'is cut': ({ text }) => ({ do: 'truncate', status: 200, text }),
  'is refused for now': () => ({ do: 'answer', status: 503, body: { code: 503, message: 'Unavailable' } }),
  'has no rows': spoil((answer) => withRows(answer, () => [])),
  'lacks a row': spoil((answer) => withRows(answer, (rows) => rows.slice(0, -1))),
  'has the rows of another page': spoil((answer, earlier) =>
    earlier.data_ref === answer.data_ref ? withRows(answer, () => earlier[answer.data_ref] as unknown[]) : answer,
  ),
  'counts too few': spoil((answer) => (answer.total === undefined ? answer : { ...answer, total: answer.total >> 1 })),
}

/** Pulls copies, and returns what was wrong with them. */
export async function ledgerLoop({ runs, pulls, seed, bin = builtBin, bug }: LedgerLoopOptions): Promise<string[]> {
  const random = randomOf(seed)
  const violations: string[] = []
  for (let run = 0; run < runs; run += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'promo-ledger-'))
    const service = await startSandbox({ file: ':memory:', port: 0, demo: true })
    try {
      violations.push(...(await oneCopy(service, { run, pulls, random, folder, bin, bug })))
    } finally {
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return violations
}

interface Run {
  run: number
  pulls: number
  random: () => number
  folder: string
  bin: string
  bug: Bug | undefined
}

async function oneCopy(service: RunningSandbox, { run, pulls, random, folder, bin, bug }: Run): Promise<string[]> {
  const violations: string[] = []
  const file = join(folder, 'copy.db')
  for (let pull = 0; pull <= pulls; pull += 1) {
    for (let write = 0; write < 4; write += 1) await happens(service, random)
    const isLast = pull === pulls
    const [name, fault] = pick(Object.entries(faults), random)
    const isLasting = random() < 0.5
    const isKilled = !isLast && random() < 0.5
    const isBusy = !isLast && random() < 0.3
    const at = Math.floor(random() * 60)
    let child: ReturnType<typeof spawn> | undefined
    let earlier: Envelope | undefined
    let struck: string | undefined

    await using server = await scriptedServer(async (asked, index) => {
      if (isBusy && random() < 0.2) await happens(service, random)
      const answered = await passed(service, asked)
      if (isKilled && index === at) child?.kill('SIGKILL')
      const body = JSON.parse(answered.text) as Envelope
      earlier ??= body
      if (isLast || index < at || !(struck === undefined || (isLasting && struck === asked.url))) return answered
      struck = asked.url
      return fault(answered, earlier)
    })
    const env = {
      ...environmentIn(folder),
      PROMO_BASE_URL: server.origin,
      ...keys,
      ...(bug !== undefined && { SEEDED_BUG: bug }),
    }
    const words = ['ledger', 'pull', '--data', file, '--json', '--retries', '1']
    child = spawn(process.execPath, [bin, ...words], { env })
    const { exitCode, signal, stderr } = await ended(child as never)

    const what = `run ${run}, pull ${pull}, ${isLast ? 'no fault' : `request ${at} ${isKilled ? 'is the last before a kill, and its answer ' : ''}${name}${isLasting ? ' again and again' : ''}`}${isBusy ? ', with writes' : ''}`
    if (exitCode === 0 && !isBusy) {
      const differences = await differencesOf(service, file)
      if (differences.length > 0) violations.push(`${what}: ${differences.join(', ')} differ without a word`)
    }
    if (isLast && exitCode !== 0) violations.push(`${what}: exit code ${exitCode}: ${stderr}`)
    if (!isLast && signal === null && ![0, 3, 5, 12].includes(exitCode ?? -1))
      violations.push(`${what}: exit code ${exitCode}: ${stderr}`)
  }
  return violations
}

const keys = { PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 't', PROMO_PROJECT_ID: 'proj_1' }

const lists = ['campaigns', 'customers', 'vouchers', 'orders', 'redemptions', 'publications'] as const

/** Returns the tables in which the copy has other rows than the service. */
async function differencesOf(service: RunningSandbox, file: string): Promise<string[]> {
  const copy = openCopy(file)
  try {
    const different: string[] = []
    const compare = (table: TableName, items: readonly Wire[], condition = '') => {
      const there = items.map((item) => rowOf[table](item, false) as Record<string, unknown>)
      const columns = Object.keys(there[0] ?? { id: '' })
      const here = copy.all<Record<string, unknown>>(`SELECT ${columns.join(', ')} FROM ${table} ${condition}`)
      const sorted = (rows: readonly Record<string, unknown>[]) =>
        rows.map((row) => ({ ...row })).toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1))
      if (!isDeepStrictEqual(sorted(here), sorted(there))) different.push(table)
    }
    for (const table of lists) compare(table, await allOf(service, table), 'WHERE deleted_at IS NULL')
    const transactions: Wire[] = []
    for (const { id } of await allOf(service, 'campaigns'))
      transactions.push(
        ...((await calledOn(service, 'GET', `/v1/campaigns/${String(id)}/transactions?limit=100`)).data as Wire[]),
      )
    compare('transactions', transactions)
    return different
  } finally {
    copy.close()
  }
}

async function allOf(service: RunningSandbox, table: (typeof lists)[number]): Promise<Wire[]> {
  const rows: Wire[] = []
  for (let page = 1; ; page += 1) {
    const answer = await calledOn(service, 'GET', `/v1/${table}?limit=100&page=${page}&order=created_at`)
    const found = answer[table] as Wire[]
    rows.push(...found)
    if (found.length < 100) return rows
  }
}

let made = 0

/** Something happens in the shop. */
async function happens(service: RunningSandbox, random: () => number): Promise<void> {
  made += 1
  const one = `LOOP-${made}`
  const call = (method: string, path: string, body?: object) => calledOn(service, method, path, body)
  const code = async () => {
    const { vouchers } = await call('GET', `/v1/vouchers?limit=1&page=${1 + Math.floor(random() * 99)}`)
    return String((vouchers as Wire[])[0]?.code)
  }
  const order = { amount: 5000, source_id: one, status: 'PAID' }
  const acts = [
    () => call('POST', `/v1/vouchers/${one}`, { type: 'GIFT_VOUCHER', gift: { amount: 1000, balance: 1000 } }),
    () => call('POST', '/v1/redemptions', { redeemables: [{ object: 'voucher', id: 'BEANS10' }], order }),
    () =>
      call('POST', '/v1/redemptions', {
        redeemables: [{ object: 'voucher', id: 'GIFT-008', gift: { credits: 10 } }],
        order,
      }),
    () => call('POST', '/v1/vouchers/GIFT-008/balance', { amount: 500, source_id: one }),
    () => call('POST', '/v1/orders', { source_id: one, amount: 100, customer: { source_id: one } }),
    async () => call('POST', `/v1/vouchers/${encodeURIComponent(await code())}/disable`),
    async () => fetch(`${service.url}/v1/vouchers/${encodeURIComponent(await code())}?force=true`, deletion(service)),
    async () => {
      const { redemptions } = await call('GET', '/v1/redemptions?limit=5&filters[status][conditions][$is][0]=SUCCEEDED')
      const [latest] = redemptions as Wire[]
      if (latest !== undefined) await call('POST', `/v1/redemptions/${String(latest.id)}/rollback`, {})
    },
  ]
  await pick(acts, random)()
}

function deletion({ credentials: { app_id, app_token } }: RunningSandbox): RequestInit {
  return { method: 'DELETE', headers: { 'x-app-id': app_id, 'x-app-token': app_token } }
}

async function passed(service: RunningSandbox, { url }: Asked): Promise<Action & { do: 'text' }> {
  const { app_id, app_token } = service.credentials
  const answered = await fetch(`${service.url}${url}`, { headers: { 'x-app-id': app_id, 'x-app-token': app_token } })
  const headers = { 'content-type': answered.headers.get('content-type') ?? '' }
  return { do: 'text', status: answered.status, text: await answered.text(), headers }
}

function pick<One>(all: readonly One[], random: () => number): One {
  return all[Math.floor(random() * all.length)] as One
}

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
