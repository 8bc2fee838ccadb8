// A proxy on loopback before a sandbox: it records the writes, and decides which of them arrive.
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { RunningSandbox } from '../../src/sandbox/embedded.ts'

export interface PassingProxy extends AsyncDisposable {
  /** The environment in which promo calls the sandbox through it. */
  env: Record<string, string>
  /** The writes that were passed on, as `METHOD path body`. */
  passed: string[]
}

/**
 * What happens to a write: it is passed on, or never arrives while its connection breaks (`lost`) or stays open (`held`).
 * `answered` resolves when the answer to this many writes was passed back.
 */
export type Fate = (write: string, answered: (writes: number) => Promise<void>) => Promise<'pass' | 'lost' | 'held'>

/** Starts a proxy before a sandbox. Reads always pass. The caller disposes of it. */
export async function passingProxy(sandbox: RunningSandbox, fate: Fate): Promise<PassingProxy> {
  const passed: string[] = []
  let answers = 0
  let waiting: { writes: number; done: () => void }[] = []
  const answered = (writes: number) =>
    answers >= writes ? Promise.resolve() : new Promise<void>((done) => waiting.push({ writes, done }))
  const server = createServer(async (asked, answering) => {
    const body = await bytesOf(asked)
    const { method = '', url = '', headers } = asked
    const isWrite = method !== 'GET'
    const write = `${method} ${url} ${body.toString()}`
    const end = isWrite ? await fate(write, answered) : 'pass'
    if (end === 'held') return
    if (end === 'lost') return void (answering.socket as Socket).resetAndDestroy()
    if (isWrite) passed.push(write)
    const { host } = new URL(sandbox.url)
    const onward = request(`${sandbox.url}${url}`, { method, headers: { ...headers, host } }, (answer) => {
      answering.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(answering).on('finish', () => {
        if (!isWrite) return
        answers += 1
        for (const { writes, done } of waiting) if (answers >= writes) done()
        waiting = waiting.filter(({ writes }) => answers < writes)
      })
    })
    onward.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { app_id, app_token } = sandbox.credentials
  return {
    env: {
      PROMO_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PROMO_APP_ID: app_id,
      PROMO_APP_TOKEN: app_token,
    },
    passed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Calls a sandbox with its own credentials, and returns the answer. */
export async function calledOn(sandbox: RunningSandbox, method: string, path: string, body?: object) {
  const { app_id, app_token } = sandbox.credentials
  const answer = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-app-id': app_id, 'x-app-token': app_token },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Record<string, unknown>
}

async function bytesOf(asked: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of asked) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
