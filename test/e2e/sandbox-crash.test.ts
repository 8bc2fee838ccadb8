// The sandbox is killed repeatedly in the middle of its work; its data file is checked afterwards.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/embedded.ts'
import type { Keys } from '../../src/sandbox/in-code-types.ts'
import { bundled } from '../support/bundled.ts'
import { compileCache } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

let folder: string
let receiver: Receiver
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'promo-crash-'))
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

type Served = Keys & { url: string }

async function serving(file: string): Promise<{ child: ChildProcess; served: Served }> {
  const child = spawn(process.execPath, [await bundled('test/support/serve-sandbox.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  children.push(child)
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, served: JSON.parse(line) as Served }
}

function post(served: Served, path: string, body: unknown, as: 'application' | 'management' = 'application') {
  const keys: Record<string, string> =
    as === 'application'
      ? { 'x-app-id': served.app_id, 'x-app-token': served.app_token }
      : { 'x-management-id': served.management_id, 'x-management-token': served.management_token }
  return fetch(served.url + path, {
    method: 'POST',
    headers: { ...keys, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Creates vouchers in sequence until the service ends, and returns those whose creation was acknowledged. */
async function writeUntilGone(served: Served, client: string, acknowledged: (code: string) => void): Promise<void> {
  for (let n = 0; ; n += 1) {
    const code = `${client}-${n}`
    try {
      const answer = await post(served, `/v1/vouchers/${code}`, {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'AMOUNT', amount_off: 100 },
      })
      if (answer.status !== 200) throw new Error(`${code}: ${answer.status}`)
      // Only an answer that was read to its end counts as acknowledged.
      await answer.text()
      acknowledged(code)
    } catch (error) {
      if (error instanceof TypeError) return
      throw error
    }
  }
}

test('a sandbox that is killed while clients write keeps every acknowledged write and delivers every event', async () => {
  const file = join(folder, 'sandbox.db')
  const acknowledged: string[] = []

  for (const round of [1, 2, 3, 4]) {
    const { child, served } = await serving(file)
    if (round === 1) {
      const body = { target_url: receiver.url, events: ['voucher.created'] }
      await post(served, `/management/v1/projects/${served.project_id}/webhooks`, body, 'management')
    }
    // After an unpredictable number of writes, in the middle of others and of deliveries.
    let left = 20 + Math.floor(Math.random() * 40)
    const noted = (code: string) => {
      acknowledged.push(code)
      left -= 1
      if (left === 0) child.kill('SIGKILL')
    }
    await Promise.all(Array.from({ length: 8 }, (_, n) => writeUntilGone(served, `r${round}c${n}`, noted)))
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  const last = await startSandbox({ file, port: 0, demo: false })
  const db = new DatabaseSync(file, { readOnly: true })
  const waiting = () => db.prepare('SELECT count(*) AS jobs FROM jobs').get()?.jobs
  await eventually(waiting, (jobs) => jobs === 0)
  await last.close()

  const codes = db.prepare('SELECT code FROM vouchers').all() as Array<{ code: string }>
  const events = db.prepare('SELECT id, entity_id FROM outbox').all() as Array<{ id: string; entity_id: string }>
  const sound = db.prepare('PRAGMA integrity_check').all()
  db.close()
  const stored = new Set(codes.map(({ code }) => code))
  const sendOuts = new Map<string, Set<string>>()
  for (const { body } of receiver.received)
    sendOuts.set(body.event.id, (sendOuts.get(body.event.id) ?? new Set()).add(body.id))

  expect(acknowledged.length).toBeGreaterThanOrEqual(80)
  expect(acknowledged.filter((code) => !stored.has(code))).toEqual([])
  expect(sound).toEqual([{ integrity_check: 'ok' }])
  expect(events.length).toBe(stored.size)
  expect(events.filter(({ id }) => !sendOuts.has(id))).toEqual([])
  expect(sendOuts.size).toBe(events.length)
  expect([...sendOuts.values()].every((ids) => ids.size === 1)).toBe(true)
})

test('an import that is killed again and again ends with every voucher once and counted once', async () => {
  const file = join(folder, 'import.db')
  const rows = 4000
  const discount = { type: 'AMOUNT', amount_off: 100 }
  const body = Array.from({ length: rows }, (_, n) => ({ code: `C-${n}`, type: 'DISCOUNT_VOUCHER', discount }))
  let { child, served } = await serving(file)
  const { async_action_id } = (await (await post(served, '/v1/vouchers/import', body)).json()) as {
    async_action_id: string
  }
  const read = async (path: string) => {
    const headers = { 'x-app-id': served.app_id, 'x-app-token': served.app_token }
    return (await (await fetch(served.url + path, { headers })).json()) as Record<string, unknown>
  }

  const seen: unknown[] = []
  let action: Record<string, unknown> = {}
  while (action.status !== 'DONE') {
    action = await read(`/v1/async-actions/${async_action_id}`)
    if (action.status === 'DONE' || seen.length === 2 || action.progress === seen.at(-1)) continue
    seen.push(action.progress)
    child.kill('SIGKILL')
    await once(child, 'exit')
    ;({ child, served } = await serving(file))
  }

  expect(seen).toHaveLength(2)
  expect(action).toMatchObject({ result: { done_count: rows, failed_count: 0, failed: [] } })
  expect(await read('/v1/vouchers?limit=1')).toMatchObject({ total: rows })
})
