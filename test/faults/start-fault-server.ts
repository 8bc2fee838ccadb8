// Starts the fault server as a process of its own, so that nothing that befalls the client can touch it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Credentials } from '../../src/sandbox/resources/projects/credentials.ts'
import { compileCache } from '../support/child.ts'
import type { FaultCounts } from './fault-kinds.ts'
import type { FaultPlan } from './fault-plan.ts'

export interface FaultServerOptions {
  plan: FaultPlan
  /** The file of the ledger, which must not exist. */
  ledger: string
  /** Faults of requests that only look; each of them must be one that applies nothing. */
  lookPlan?: FaultPlan
  /** Vouchers that are there at the start: `OLD-1` and on, each tenth switched off. */
  vouchers?: number
  /** Codes that somebody else has taken, for vouchers of another kind. */
  taken?: readonly string[]
}

export interface FaultServerState {
  /** Requests for an operation; only these meet faults. */
  requests: number
  /** Other requests, such as a look at a voucher. */
  looks: number
  /** Faults that requests met, and scripted ones that none has met yet. */
  met: FaultCounts
  left: FaultCounts
  mostInFlight: number
  /** When each request had arrived (Unix ms). */
  arrivedAtMs: number[]
  /** Counted in the service's own tables. */
  holdings: { vouchers: number; switchedOff: number; events: number }
}

export interface FaultServer extends AsyncDisposable {
  url: string
  credentials: Credentials
  /** What a client of it takes from its environment. */
  env: Record<string, string>
  state: () => Promise<FaultServerState>
  /** Resolves when so many more requests have arrived; rejects when the server is gone first. */
  afterRequests: (requests: number, signal?: AbortSignal) => Promise<void>
  /** Cuts every connection and takes no new one for so long; resolves when it is back. */
  outage: (ms: number) => Promise<void>
  /** Answers every request with 503, without doing anything, for so long; resolves when it is over. */
  sickness: (ms: number) => Promise<void>
}

/** Starts the server. Resolves when it accepts connections; the caller disposes of it. */
export async function startFaultServer(options: FaultServerOptions): Promise<FaultServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fault-server.ts'), JSON.stringify(options)], {
    // Its end is the end of whoever started it.
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  const exited = once(child, 'exit')
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), exited])
  if (child.exitCode !== null) throw new Error('the fault server ended before it served')
  const { url, control, credentials } = JSON.parse(String(line[0]))
  const ask = async (path: string, signal?: AbortSignal) => {
    const response = await fetch(`${control}${path}`, signal ? { signal } : {})
    return (await response.json()) as FaultServerState
  }
  return {
    url,
    credentials,
    env: { PROMO_BASE_URL: url, PROMO_APP_ID: credentials.app_id, PROMO_APP_TOKEN: credentials.app_token },
    state: () => ask('/state'),
    afterRequests: async (requests, signal) => void (await ask(`/after?requests=${requests}`, signal)),
    outage: async (ms) => void (await ask(`/outage?ms=${ms}`)),
    sickness: async (ms) => void (await ask(`/sickness?ms=${ms}`)),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
