// What a client needs to know about its service and its user. Plain data, made by cli/.
import type { Dispatcher } from 'undici'
import { isLoopback } from '../base/loopback.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { ChangedValues } from './changed-values.ts'
import type { Rate } from './pacing/rate.ts'

/** An id and its secret, sent in two headers. */
export interface KeyPair {
  id: string
  token: string
}

/** The secrets a client may send, each only where an endpoint asks for it. */
export interface Credentials {
  application?: KeyPair
  management?: KeyPair
  /** For calls under `/client/`; not a secret to the users of the page it was made for. */
  client?: KeyPair
  /** A bearer token; takes precedence over the application pair on calls that accept either. */
  accessToken?: string
}

/** Sources of time and randomness. Tests pass their own; every member may be omitted. */
export interface Clock {
  /** Milliseconds that never jump; only differences are meaningful. */
  now: () => number
  /** Milliseconds since 1970, for instants the service records. */
  wall: () => number
  /** Resolves after the given milliseconds, or rejects with the signal's reason. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** A number from 0 up to but not including 1. */
  random: () => number
}

/** Measures how long attempts take; real, unless a test has its own. */
export interface Timer {
  /** Milliseconds that never jump. */
  now: () => number
  /** Calls back after the given milliseconds; returns what prevents it. */
  after: (ms: number, call: () => void) => () => void
}

/** A call that may change something, before its first attempt; nothing in it is secret. */
export interface ObservedCall {
  /** The id of its declaration. */
  id: string
  method: string
  /** Without the query. */
  path: string
  /** The ids in the path; null when it has none. */
  subject: string | null
  /** What its body names; the subject until something is created. */
  asked?: string | undefined
  /** The reason that its body gives. */
  reason?: string | undefined
  /** How it is found again where its answer is lost. */
  source?: CallSource | undefined
}

/** The caller's own id of a call, and the newest that was listed before it; absent: that could not be read, and proves nothing. */
export interface CallSource {
  id: string
  newest?: string | undefined
}

/** How such a call ended. */
export interface CallEnd {
  /** `unknown`: it may have been applied. */
  outcome: 'applied' | 'refused' | 'not_sent' | 'unknown'
  status?: number | undefined
  requestId?: string | undefined
  /** The id or code of the object that the service answered. */
  created?: string | undefined
  /** Balances and switches before and after, where they follow from the call. */
  before?: ChangedValues
  after?: ChangedValues
}

/** Is told of a call that may change something, and by what it returns, how it ended. Must not throw. */
export type CallObserver = (call: () => ObservedCall) => ((end: CallEnd) => void) | undefined

/** The connections that one client leaves to the next of the same origin. */
export interface Lines {
  /** The unused connections, the last one used on top. */
  free: Dispatcher[]
  /** Of the client that has them now: awaited when a connection was made, before anything is written. */
  connected?: (connection: Dispatcher) => Promise<void> | undefined
}

export interface Connection {
  /** Scheme, host and port; a path in it is ignored. */
  origin: string
  credentials: Credentials
  /** The only other origin that finished exports may be downloaded from, with the same credentials. */
  downloadOrigin?: string
  /** The page that client-side calls name as their origin; by default the service's own address. */
  clientOrigin?: string
  /** Whether the service runs in this process, and so has its clock. */
  isEmbedded?: boolean
  /** Who makes the calls, for hints: never part of a request. */
  describe?: {
    profile?: string
    /** The id of its project, where it is known. */
    project?: string
    /** The shared cluster the origin belongs to. */
    region?: string
    /** The other shared clusters. */
    otherRegions?: readonly string[]
    /** Where each key comes from, in words: `PROMO_APP_TOKEN`, `profile "live" (--profile), kept in …`. */
    keysFrom?: { application?: string; management?: string; client?: string; accessToken?: string }
  }
  /** Where it says that nothing may be changed, such as `profile "support"`: only calls that read are sent. */
  readOnly?: string
  /** Requests one version of the interface instead of the project's own. */
  apiVersion?: string
  /** How long one attempt may take from the first byte sent to the last byte read; 60 000 unless given. */
  timeoutMs?: number
  /** Attempts after the first; 2 unless given. */
  retries?: number
  /**
   * How long an outage may last before calls give up, for jobs of many calls: meanwhile they wait while one probe at a time
   * asks whether the service is back, which costs no call an attempt. Without it a call ends with its own attempts.
   */
  maxOutageMs?: number
  /** Open connections, and therefore requests in flight at the same time; 8 by default. */
  concurrency?: number
  rate?: Rate
  /** Environment variables; only `HTTPS_PROXY` and `NO_PROXY` are read from it, in either case. */
  proxy?: Readonly<Record<string, string | undefined>>
  /** Stops everything: nothing new is sent, requests in flight are cut. */
  signal?: AbortSignal
  /** Begins nothing new from then on, including further attempts; requests in flight may end until `signal` cuts them. */
  drain?: AbortSignal
  /** Receives one line per request and per answer, without secrets. */
  observe?: (line: string) => void
  /** Receives the status and the headers of every answer; values that may be secret are hidden. */
  onReply?: (reply: { status: number; headers: string[] }) => void
  /** Is told of every request that was sent, answered or not. */
  onSent?: () => void
  /** Adds to the error of a call what one more read can tell. */
  onRefusal?: (
    error: unknown,
    endpoint: Endpoint,
    path: Readonly<Record<string, string>>,
    body: unknown,
  ) => Promise<void>
  /** Is told of every call that may change something. */
  onChange?: CallObserver
  /** The connections that an earlier client left, or that this one may leave. */
  lines?: Lines
  clock?: Partial<Clock>
  timer?: Timer
  userAgent: string
}

/** Returns the computer's own clock, with the given parts replaced. */
export function clockOf(given: Partial<Clock> = {}): Clock {
  return { now: () => performance.now(), wall: Date.now, sleep, random: Math.random, ...given }
}

/** Returns the signal after which no attempt may begin; undefined when nothing ever stops the client. */
export function closingOf({ signal, drain }: Pick<Connection, 'signal' | 'drain'>): AbortSignal | undefined {
  return signal && drain ? AbortSignal.any([signal, drain]) : (drain ?? signal)
}

/** Waits the given milliseconds, or until the signal aborts, which rejects with the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Returns the address of the proxy that the environment names for an origin; this computer is reached without one. */
export function proxyOf({
  origin,
  proxy,
}: {
  origin: string
  proxy?: Connection['proxy'] | undefined
}): string | undefined {
  const address = proxy?.https_proxy || proxy?.HTTPS_PROXY
  const { hostname } = new URL(origin)
  if (!address || isLoopback(hostname)) return undefined
  const direct = (proxy?.no_proxy || proxy?.NO_PROXY || '').split(/[,\s]/)
  const isDirect = direct.some((name) => name === '*' || name === hostname || isBelow(hostname, name))
  return isDirect ? undefined : address
}

function isBelow(hostname: string, name: string): boolean {
  return /^\*?\.[^*]+$/.test(name) && hostname.endsWith(name.replace('*', ''))
}
