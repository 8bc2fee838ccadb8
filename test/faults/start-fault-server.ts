// Starts the fault server as a process of its own, so that nothing that happens to the client affects it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Keys } from '../../src/sandbox/in-code-types.ts'
import { bundled } from '../support/bundled.ts'
import { compileCache } from '../support/child.ts'
import type { FaultCounts } from './fault-kinds.ts'
import type { FaultPlan } from './fault-plan.ts'
import type { Habits } from './witnessed-service.ts'

export interface FaultServerOptions {
  plan: FaultPlan
  /** The file of the ledger, which must not exist. */
  ledger: string
  /** Faults of reads; none of them may apply anything. */
  lookPlan?: FaultPlan
  /** Vouchers that exist at the start: `OLD-1` and on, each tenth disabled. */
  vouchers?: number
  /** Loyalty cards that exist at the start: `OLD-CARD-1` and on. */
  cards?: number
  /** How the service keeps `updated_at`. */
  habits?: Habits
  /** Codes that another client has taken, for vouchers of another kind. */
  taken?: readonly string[]
}

export interface FaultServerState {
  /** Requests for an operation; only these meet faults. */
  requests: number
  /** Other requests, such as reading a voucher. */
  reads: number
  /** Faults that requests met, and scripted ones that none has met yet. */
  met: FaultCounts
  left: FaultCounts
  mostInFlight: number
  /** The operation of each request, by its key, in the order of arrival. */
  arrived: string[]
  /** Counted in the service's own tables. */
  holdings: { vouchers: number; switchedOff: number; events: number }
}

export interface FaultServer extends AsyncDisposable {
  url: string
  credentials: Keys
  /** The environment variables of its clients. */
  env: Record<string, string>
  state: () => Promise<FaultServerState>
  /**
   * Returns the state once every client has closed its connections and all that they sent has been done: what a killed
   * process sent arrives after its end. Waits for ever while a client lives and keeps a connection.
   */
  stateAfterClients: () => Promise<FaultServerState>
  /*
   * What happens `at` a request happens when that one arrives, of all since the start: the server does it itself, because
   * a test that is told of the request first may be late by any number of them. It happens now if that one has come.
   */
  /** Resolves at the request; rejects when the server ends first. */
  arrival: (at: number) => Promise<void>
  /** Sends a process a signal; rejects when `over` is aborted first, and the process is left alone. */
  signal: (at: number, pid: number | undefined, signal: NodeJS.Signals, over: AbortSignal) => Promise<void>
  /** Cuts every connection and accepts no new one for this long; resolves when it is back. */
  outage: (at: number, ms: number) => Promise<void>
  /** Answers every request with 503, applying nothing, for this long; resolves at the end. */
  overload: (at: number, ms: number) => Promise<void>
  /** Applies and answers nothing for this long; resolves at the end. */
  silence: (at: number, ms: number) => Promise<void>
  /** Applies and answers nothing until `unmute`; resolves when this many requests wait for an answer. */
  mute: (at: number, requests: number) => Promise<void>
  unmute: () => Promise<void>
}

/** Starts the server. Resolves when it accepts connections; the caller disposes of it. */
export async function startFaultServer(options: FaultServerOptions): Promise<FaultServer> {
  const program = await bundled('test/faults/fault-server.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    // It ends with the process that started it.
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
    stateAfterClients: () => ask('/gone'),
    arrival: async (at) => void (await ask(`/arrival?at=${at}`)),
    signal: async (at, pid, signal, over) => void (await ask(`/signal?at=${at}&pid=${pid}&signal=${signal}`, over)),
    outage: async (at, ms) => void (await ask(`/outage?at=${at}&ms=${ms}`)),
    overload: async (at, ms) => void (await ask(`/overload?at=${at}&ms=${ms}`)),
    silence: async (at, ms) => void (await ask(`/silence?at=${at}&ms=${ms}`)),
    mute: async (at, requests) => void (await ask(`/mute?at=${at}&requests=${requests}`)),
    unmute: async () => void (await ask('/unmute')),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
