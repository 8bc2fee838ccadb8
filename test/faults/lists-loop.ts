// Lists that end early, and downloads that are none: what promo prints and ends with, compared with what the service has.
// Source: docs/reliability.md#lists.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/embedded.ts'
import { bin as builtBin, ended, environmentIn } from '../support/child.ts'
import { type Action, type Asked, scriptedServer } from '../support/scripted-server.ts'
import type { Bug } from './seeded-bug.ts'

export interface ListsLoopOptions {
  /** How many listings are read; each meets other faults. */
  runs: number
  seed: number
  bin?: string
  bug?: Bug
}

const pageSize = 10
const rowsAtFirst = 45

interface Envelope {
  vouchers: { code: string }[]
  total: number
}

/** Spoils an answer; `first` is the one to the first request. */
const spoilers: Record<string, (answer: Envelope, first: Envelope) => Envelope> = {
  'an empty page': (answer) => ({ ...answer, vouchers: [] }),
  'a short page': (answer) => ({ ...answer, vouchers: answer.vouchers.slice(0, -1) }),
  'a repeated page': (answer, first) => ({ ...answer, vouchers: first.vouchers }),
  'a low total': (answer) => ({ ...answer, total: Math.max(0, answer.vouchers.length - 1) }),
}

/** Lists vouchers while others come and go, and returns what was wrong with what promo printed. */
export async function listsLoop({ runs, seed, bin = builtBin, bug }: ListsLoopOptions): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'promo-lists-'))
  const random = randomOf(seed)
  const violations: string[] = []
  try {
    for (let run = 0; run < runs; run += 1) {
      const service = await startSandbox({ file: ':memory:', port: 0, demo: false })
      violations.push(...(await oneListing(service, { run, random, folder, bin, bug }).finally(() => service.close())))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return violations
}

interface Run {
  run: number
  random: () => number
  folder: string
  bin: string
  bug: Bug | undefined
}

async function oneListing(service: RunningSandbox, { run, random, folder, bin, bug }: Run): Promise<string[]> {
  const prefix = `R${run}-`
  const staying = Array.from({ length: rowsAtFirst }, (_, index) => `${prefix}S${index}`)
  const leaving = Array.from({ length: 10 }, (_, index) => `${prefix}L${index}`)
  for (const code of [...staying, ...leaving].toSorted(() => random() - 0.5)) await create(service, code)
  const [name, spoil] = random() < 0.3 ? ['nothing', undefined] : pick(Object.entries(spoilers), random)
  const isLasting = random() < 0.5
  const from = 2 + Math.floor(random() * 4)
  const hasWrites = random() < 0.5
  let created = 0
  let spoilt = 0
  let first: Envelope | undefined

  await using server = await scriptedServer(async (asked, index) => {
    if (hasWrites && random() < 0.4) await create(service, `${prefix}N${created++}`)
    if (hasWrites && random() < 0.4) await remove(service, leaving.pop())
    const answered = await passed(service, asked)
    const body = JSON.parse(answered.text) as Envelope
    first ??= body
    const isHit = spoil !== undefined && index + 1 >= from && (isLasting || spoilt === 0)
    if (!isHit || body.vouchers.length === 0) return answered
    spoilt += 1
    return { ...answered, text: JSON.stringify(spoil(body, first)) }
  })
  const argv = ['vouchers', 'list', '--json', '--page-size', `${pageSize}`]
  const { exitCode, stdout, stderr } = await started(
    bin,
    [...argv, '--order', pick(orders, random)],
    folder,
    server.origin,
    bug,
  )

  const codes = (JSON.parse(stdout === '' ? '[]' : stdout) as { code: string }[]).map(({ code }) => code)
  const missing = staying.filter((code) => !codes.includes(code))
  const what = `run ${run}, ${name}${isLasting ? ' again and again' : ''}${hasWrites ? ', with writes' : ''}`
  return [
    ...(new Set(codes).size < codes.length ? [`${what}: rows twice`] : []),
    ...(exitCode === 0 && missing.length > 0 ? [`${what}: ${missing.length} rows missing without a word`] : []),
    ...(exitCode !== 0 && (spoilt === 0 || !isLasting) ? [`${what}: a false alarm: ${stderr}`] : []),
    ...(exitCode !== 0 && exitCode !== 5 ? [`${what}: exit code ${exitCode}: ${stderr}`] : []),
    ...(exitCode === 5 && !stderr.includes('may not be complete') ? [`${what}: no word: ${stderr}`] : []),
  ]
}

const orders = ['created_at', '-created_at', 'code'] as const

async function create({ url, credentials }: RunningSandbox, code: string): Promise<void> {
  const body = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } }
  await called(url, credentials, 'POST', `/v1/vouchers/${code}`, JSON.stringify(body))
}

async function remove({ url, credentials }: RunningSandbox, code: string | undefined): Promise<void> {
  if (code !== undefined) await called(url, credentials, 'DELETE', `/v1/vouchers/${code}?force=true`)
}

async function called(
  url: string,
  { app_id, app_token }: RunningSandbox['credentials'],
  method: string,
  path: string,
  body?: string,
): Promise<void> {
  const headers = { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' }
  const answered = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  if (!answered.ok) throw new Error(`${method} ${path}: ${answered.status} ${await answered.text()}`)
}

async function passed(service: RunningSandbox, { url }: Asked): Promise<Extract<Action, { do: 'text' }>> {
  const { app_id, app_token } = service.credentials
  const answered = await fetch(`${service.url}${url}`, { headers: { 'x-app-id': app_id, 'x-app-token': app_token } })
  const headers = { 'content-type': answered.headers.get('content-type') ?? '' }
  return { do: 'text', status: answered.status, text: await answered.text(), headers }
}

async function started(bin: string, argv: string[], folder: string, origin: string, bug: Bug | undefined) {
  const env = {
    ...environmentIn(folder),
    PROMO_BASE_URL: origin,
    PROMO_APP_ID: 'a',
    PROMO_APP_TOKEN: 't',
    ...(bug !== undefined && { SEEDED_BUG: bug }),
  }
  return await ended(spawn(process.execPath, [bin, ...argv], { env }))
}

/** Downloads a file that is cut or replaced in many ways, and returns where the old file did not stay as it was. */
export async function downloadsLoop({ runs, seed, bin = builtBin, bug }: ListsLoopOptions): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'promo-downloads-'))
  const random = randomOf(seed)
  const violations: string[] = []
  const lines = Array.from({ length: 40 }, (_, index) => `v_${index},"A, ${index}",${index * 100}`)
  const whole = `${['ID,Code,Amount', ...lines].join('\n')}\n`
  let file: Action = { do: 'text', status: 200, text: whole }
  try {
    await using server = await scriptedServer(({ url }) =>
      url.includes('token=') ? file : { do: 'answer', status: 200, body: exportAt(server.origin) },
    )
    for (let run = 0; run < runs; run += 1) {
      const out = join(folder, 'old.csv')
      writeFileSync(out, 'old')
      const [name, action] = pick(Object.entries(filesOf(whole, random)), random)
      file = action
      const argv = ['exports', 'download', 'exp_1', '--out', out, '--retries', '0']
      const { exitCode, stderr } = await started(bin, argv, folder, server.origin, bug)
      const kept = readFileSync(out, 'utf8')
      const isSound = name === 'the file' ? exitCode === 0 && kept === whole : exitCode === 5 && kept === 'old'
      if (!isSound) violations.push(`run ${run}, ${name}: exit code ${exitCode}, ${kept.length} characters: ${stderr}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return violations
}

function exportAt(origin: string) {
  const url = `${origin}/v1/exports/exp_1?token=secret-token`
  return {
    id: 'exp_1',
    object: 'export',
    status: 'DONE',
    result: { url },
    parameters: { fields: ['id', 'code', 'amount'] },
  }
}

function filesOf(whole: string, random: () => number): Record<string, Action> {
  // Not after a line break: such a file is a shorter one.
  let at = 1 + Math.floor(random() * (whole.length - 2))
  while (whole[at - 1] === '\n') at += 1
  const page = '<!doctype html><html><body>Welcome</body></html>'
  const text = (one: string, type = 'text/plain'): Action => ({
    do: 'text',
    status: 200,
    text: one,
    headers: { 'content-type': type },
  })
  return {
    'the file': text(whole),
    'a web page': text(page, 'text/html'),
    'a web page called text': text(page),
    nothing: text(''),
    'other columns': text(whole.replaceAll(/,\d+$/gm, '').replace(',Amount', '')),
    'a body that breaks off': { do: 'truncate', status: 200, text: whole.slice(0, at) },
    'a body that ends with the connection': { do: 'garbage', text: `HTTP/1.1 200 OK\r\n\r\n${whole.slice(0, at)}` },
    'a compressed file': { do: 'gzip-bomb', sizeBytes: 100 },
  }
}

function pick<Value>(values: readonly Value[], random: () => number): Value {
  return values[Math.floor(random() * values.length)] as Value
}

function randomOf(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
