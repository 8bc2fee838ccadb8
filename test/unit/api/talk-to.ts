// A client and a scripted server that belong together; both are closed after the test.
import { afterEach } from 'vitest'
import { z } from 'zod'
import { type Client, createClient } from '../../../src/api/client.ts'
import type { Connection } from '../../../src/api/connection.ts'
import { endpoint, type Repeat } from '../../../src/contract/endpoint.ts'
import { type ScriptedServer, scriptedServer } from '../../support/scripted-server.ts'
import { type FakeClock, fakeClock } from './pacing/fake-clock.ts'

let opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of opened.reverse()) await one[Symbol.asyncDispose]()
  opened = []
})

/** Starts the server and a client for it, whose time is a fake clock's unless a clock is given. */
export async function talkTo(
  script: Parameters<typeof scriptedServer>[0],
  options: Partial<Connection> = {},
): Promise<{ server: ScriptedServer; clock: FakeClock; client: Client }> {
  const server = await scriptedServer(script)
  const clock = { ...fakeClock(), ...options.clock } as FakeClock
  const client = createClient({
    origin: server.origin,
    credentials: { application: { id: 'app-id-0000', token: 'app-token-1111' } },
    userAgent: 'promo/test',
    ...options,
    clock,
  })
  opened.push(server, { [Symbol.asyncDispose]: () => client.close() })
  return { server, clock, client }
}

/** A call of the given class, answered with `{ "ok": true }` or nothing in particular. */
export function callOf(repeat: Repeat) {
  return endpoint(`test.${repeat}`, 'Test', {
    call: 'POST /v1/test',
    response: z.looseObject({ ok: z.boolean().optional() }),
    repeat,
    source: 'test',
  })
}
