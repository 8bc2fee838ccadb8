import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type FaultName, faultKinds, faultNames } from './fault-kinds.ts'
import { dealerOf, type FaultPlan, noFaults } from './fault-plan.ts'
import { type Entry, entriesOf } from './ledger.ts'
import { type FaultServer, startFaultServer } from './start-fault-server.ts'

const oneOfEach = Object.fromEntries(faultNames.map((name) => [name, 1]))
const plan: FaultPlan = { seed: 7, chance: 1, faults: oneOfEach, perKey: 2 }

/** What a plain client sees for each fault. */
const seen: Record<FaultName, string> = {
  throttle: '429 JSON of code 429',
  'throttle-with-time': '429 JSON of code 429, retry after 1',
  'throttle-in-body': '200 JSON of code 429',
  'status-500': '500 JSON of code 500',
  'status-502': '502 web page',
  'status-503': '503 web page',
  'status-504': '504 web page',
  'status-408': '408 JSON',
  reset: 'ECONNRESET',
  close: 'UND_ERR_SOCKET',
  html: '200 web page',
  empty: '200 empty',
  'bad-json': '200 broken JSON',
  other: '200 voucher OTHER',
  'status-400': '400 JSON of code 400',
  stall: 'nothing',
  redirect: '302 empty',
  'apply-reset': 'ECONNRESET',
  'apply-close': 'UND_ERR_SOCKET',
  'apply-short': '200 UND_ERR_SOCKET',
  'apply-chunk': '200 UND_ERR_SOCKET',
  'apply-cut': '200 broken JSON',
  'apply-500': '500 JSON of code 500',
  'apply-504': '504 web page',
  'apply-html': '200 web page',
  'apply-empty': '200 empty',
  'apply-bad-json': '200 broken JSON',
  'apply-other': '200 voucher OTHER',
  'apply-stall': 'nothing',
  'apply-slow': '200 voucher',
}

describe('the fault server', () => {
  const ledger = join(mkdtempSync(join(tmpdir(), 'promo-faults-')), 'ledger.jsonl')
  const agent = new Agent()
  const met = new Map<FaultName | undefined, { answer: string; entries: Entry[] }>()
  let server: FaultServer

  beforeAll(async () => {
    server = await startFaultServer({ plan, ledger })
    const { deal } = dealerOf(plan)
    const keys = faultNames.map((_, index) => `NEW-${index}`)
    for (const key of keys) {
      const fault = deal(key)
      const answer = fault !== undefined && seen[fault] === 'nothing' ? await unanswered(key, fault) : await create(key)
      met.set(fault, { answer, entries: entriesOf(ledger).filter((entry) => entry.key === key) })
      // One more for the fault that only follows another.
      if (fault === 'reset') keys.push(key)
    }
  })

  afterAll(async () => {
    await agent.destroy()
    await server[Symbol.asyncDispose]()
  })

  test.each(faultNames)('shows "%s" to a plain client', (name) => {
    expect(met.get(name)?.answer).toBe(seen[name])
  })

  test.each(faultNames)('has recorded what "%s" applied before the client sees its end', (name) => {
    const effects = met.get(name)?.entries.map(({ effect, fault }) => ({ effect, fault }))

    expect(effects).toEqual(faultKinds[name].applies ? [{ effect: 'created', fault: name }] : [])
  })

  test('answers a request without a fault as the service does', () => {
    expect(met.get(undefined)?.answer).toBe('200 voucher')
  })

  test('deals every scripted fault, and its state matches the ledger', async () => {
    const { requests, met, left, holdings } = await server.state()

    expect({ requests, met, left }).toEqual({ requests: 31, met: oneOfEach, left: {} })
    expect(holdings).toEqual({ vouchers: entriesOf(ledger).length, switchedOff: 0, events: 0 })
  })

  /** The client gives up once the service has met the fault, and recorded what it applied. */
  async function unanswered(key: string, fault: FaultName): Promise<string> {
    const stop = new AbortController()
    const answer = create(key, stop.signal)
    await eventually(async () => (await server.state()).met[fault] === 1)
    if (faultKinds[fault].applies) await eventually(() => entriesOf(ledger).some((entry) => entry.key === key))
    stop.abort()
    return await answer
  }

  async function create(code: string, signal?: AbortSignal): Promise<string> {
    let status = ''
    try {
      const { statusCode, headers, body } = await request(`${server.url}/v1/vouchers/${code}`, {
        method: 'POST',
        dispatcher: agent,
        signal: signal ?? null,
        headers: {
          'x-app-id': server.credentials.app_id,
          'x-app-token': server.credentials.app_token,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } }),
      })
      status = `${statusCode} `
      const after = headers['retry-after'] === undefined ? '' : `, retry after ${String(headers['retry-after'])}`
      return status + kindOf(await body.text()) + after
    } catch (error) {
      const { code = 'no code' } = error as { code?: string }
      return signal?.aborted && status === '' ? 'nothing' : status + code
    }
  }
})

describe('the effects', () => {
  test('are those the service recorded: disabled now, already disabled, an event, and none for a refusal', async () => {
    const ledger = join(mkdtempSync(join(tmpdir(), 'promo-faults-')), 'ledger.jsonl')
    await using server = await startFaultServer({
      plan: noFaults,
      ledger,
      vouchers: 10,
    })
    const post = async (path: string, body?: object) => {
      const { app_id, app_token } = server.credentials
      const headers = { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' }
      const answer = await request(`${server.url}${path}`, {
        method: 'POST',
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      return await answer.body.text()
    }
    const event = { event: 'cupping_attended', customer: { source_id: 'ann' }, metadata: { row: 5 } }

    await post('/v1/vouchers/OLD-1/disable')
    await post('/v1/vouchers/OLD-1/disable')
    await post('/v1/vouchers/OLD-10/disable')
    await post('/v1/vouchers/NOT-THERE/disable')
    await post('/v1/vouchers/OLD-2')
    await post('/v1/events', event)
    await post('/v1/events', event)

    expect(entriesOf(ledger)).toEqual([
      { key: 'OLD-1', request: 1, effect: 'disabled' },
      { key: 'OLD-1', request: 2, effect: 'off already' },
      { key: 'OLD-10', request: 3, effect: 'off already' },
      { key: '5', request: 6, effect: 'recorded' },
      { key: '5', request: 7, effect: 'recorded' },
    ])
    expect((await server.state()).holdings).toEqual({ vouchers: 0, switchedOff: 1, events: 2 })
  })

  test('knows every request of a killed client once its connections are closed', async () => {
    const ledger = join(mkdtempSync(join(tmpdir(), 'promo-faults-')), 'ledger.jsonl')
    const clients = 300
    await using server = await startFaultServer({ plan: noFaults, ledger, vouchers: clients })
    const { app_id, app_token } = server.credentials
    const rest = [`host: a`, `x-app-id: ${app_id}`, `x-app-token: ${app_token}`, 'content-length: 0', '', ''].join(
      '\r\n',
    )
    const client = `
      const { connect } = require('node:net')
      let connected = 0
      const sockets = Array.from({ length: ${clients} }, () => connect(${new URL(server.url).port}, '127.0.0.1', () => {
        connected += 1
        if (connected < ${clients}) return
        sockets.forEach((socket, at) => socket.write('POST /v1/vouchers/OLD-' + (at + 1) + '/disable HTTP/1.1\\r\\n' + ${JSON.stringify(rest)}))
        process.kill(process.pid, 'SIGKILL')
      }))`

    const [, signal] = await once(spawn(process.execPath, ['-e', client]), 'close')
    const { arrived } = await server.stateAfterClients()

    expect(signal).toBe('SIGKILL')
    expect(arrived.toSorted()).toEqual(Array.from({ length: clients }, (_, at) => `OLD-${at + 1}`).toSorted())
    expect(entriesOf(ledger)).toHaveLength(clients)
  })
})

function kindOf(text: string): string {
  if (text === '') return 'empty'
  if (text.startsWith('<!doctype html>')) return 'web page'
  try {
    const { object, code } = JSON.parse(text)
    if (code === 'OTHER') return `${object} ${code}`
    return object ?? (typeof code === 'number' ? `JSON of code ${code}` : 'JSON')
  } catch {
    return 'broken JSON'
  }
}
