// A data file that is not all of what was written is refused, and a service whose file is gone does not answer that it wrote.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resetSandbox, sandboxStatus, startSandbox } from '../../src/sandbox/embedded.ts'
import type { Keys } from '../../src/sandbox/in-code-types.ts'
import { bundled } from '../support/bundled.ts'
import { compileCache } from '../support/child.ts'
import { temporaryFolder } from '../support/promo.ts'

type Served = Keys & { url: string }
const incomplete = { name: 'SandboxError', reason: 'incomplete' }

let file: string
let child: ChildProcess
let served: Served

async function start(): Promise<void> {
  child = spawn(process.execPath, [await bundled('test/support/serve-sandbox.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [string]
  served = JSON.parse(line) as Served
}

async function write(code: string): Promise<number> {
  const { status } = await fetch(`${served.url}/v1/vouchers/${code}`, {
    method: 'POST',
    headers: { 'x-app-id': served.app_id, 'x-app-token': served.app_token, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } }),
  })
  return status
}

async function killed(): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

beforeEach(async () => {
  file = join(temporaryFolder(), 'shop.db')
  await start()
})
afterEach(() => void child.kill('SIGKILL'))

test('the file alone, copied while it is served, is refused and left as it is', async () => {
  expect(await write('A')).toBe(200)
  const copy = join(temporaryFolder(), 'copy.db')
  copyFileSync(file, copy)

  await expect(startSandbox({ file: copy, port: 0, demo: true })).rejects.toMatchObject(incomplete)
  await expect(sandboxStatus(copy)).rejects.toMatchObject(incomplete)
  expect(existsSync(`${copy}-wal`)).toBe(false)
  expect(await resetSandbox(copy)).toBe(true)
})

test.each(['lost', 'empty'])('a log that is %s after a kill is missed', async (how) => {
  for (let n = 0; n < 20; n += 1) expect(await write(`A-${n}`)).toBe(200)
  await killed()
  if (how === 'lost') rmSync(`${file}-wal`)
  else truncateSync(`${file}-wal`)

  await expect(startSandbox({ file, port: 0, demo: true })).rejects.toMatchObject(incomplete)
})

test('a file is whole after a kill, after a look at it and after a stop, with and without other processes', async () => {
  const before = (await sandboxStatus(file)).counts.vouchers ?? 0
  expect(await write('A')).toBe(200)
  await killed()
  for (let look = 0; look < 3; look += 1) expect((await sandboxStatus(file)).counts.vouchers).toBe(before + 1)
  const copy = join(temporaryFolder(), 'copy.db')
  copyFileSync(file, copy)
  expect((await sandboxStatus(copy)).counts.vouchers).toBe(before + 1)

  const [one, other] = await Promise.all([0, 1].map(() => startSandbox({ file, port: 0, demo: true })))
  await Promise.all([one?.close(), other?.close()])
  expect((await sandboxStatus(file)).counts.vouchers).toBe(before + 1)
})

test.each(['', '-wal'])('a service whose file%s was deleted answers no write and no read with 200', async (ending) => {
  expect(await write('A')).toBe(200)
  rmSync(`${file}${ending}`)

  expect(await write('B')).toBe(500)
  const headers = { 'x-app-id': served.app_id, 'x-app-token': served.app_token }
  expect((await fetch(`${served.url}/v1/vouchers`, { headers })).status).toBe(500)
})
