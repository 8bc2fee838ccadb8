// What a client needs to know about the service it talks to and about the person it talks for. Plain data, made by cli/.
import type { Rate } from './pacing/rate.ts'

/** An id and its secret, as they travel in two headers. */
export interface KeyPair {
  id: string
  token: string
}

/** The secrets a client may send, each only where an endpoint asks for it. */
export interface Credentials {
  application?: KeyPair
  management?: KeyPair
  /** For calls under `/client/`; no secret to the users of the page it was made for. */
  client?: KeyPair
  /** A bearer token; goes before the application pair on calls that take either. */
  accessToken?: string
}

/** Where time and chance come from. Tests pass their own; every member may be left out. */
export interface Clock {
  /** Milliseconds that never jump; only differences mean anything. */
  now: () => number
  /** Milliseconds since 1970, for instants the service writes down. */
  wall: () => number
  /** Resolves after so many milliseconds, or rejects with the signal's reason. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** A number from 0 up to but not including 1. */
  random: () => number
}

export interface Connection {
  /** Scheme, host and port; a path in it is ignored. */
  origin: string
  credentials: Credentials
  /** The only other origin that finished exports may be downloaded from, with the same credentials. */
  downloadOrigin?: string
  /** The page that client-side calls say they come from; the service's own address unless given. */
  clientOrigin?: string
  /** Who is asking, for hints: never part of a request. */
  describe?: {
    profile?: string
    /** The shared cluster the origin belongs to. */
    region?: string
    /** The other shared clusters. */
    otherRegions?: readonly string[]
    /** Where each key comes from, in words: `PROMO_APP_TOKEN`, `profile "live" (--profile), kept in …`. */
    keysFrom?: { application?: string; management?: string; client?: string; accessToken?: string }
  }
  /** Asks for one version of the interface instead of the project's own. */
  apiVersion?: string
  /** How long one attempt may take from the first byte sent to the last byte read; 60 000 unless given. */
  timeoutMs?: number
  /** Attempts after the first; 2 unless given. */
  retries?: number
  /**
   * How long the service may be away before calls give up, for jobs of many calls: meanwhile they wait and one at a time
   * asks whether it is back, which costs no call an attempt. Without it a call ends with its own attempts.
   */
  maxOutageMs?: number
  /** Open connections, and so requests under way at the same time; 8 unless given. */
  concurrency?: number
  rate?: Rate
  /** Environment variables; only `HTTPS_PROXY` and `NO_PROXY` are read from it, in either case. */
  proxy?: Readonly<Record<string, string | undefined>>
  /** Stops everything: nothing new is sent, what is under way is cut off. */
  signal?: AbortSignal
  /** Begins nothing new from then on, no further attempt either; what is under way may end until `signal` cuts it. */
  drain?: AbortSignal
  /** Takes one line per request and per answer, without secrets. */
  observe?: (line: string) => void
  /** Takes the status and the headers of every answer; values that may be secret are hidden. */
  heard?: (reply: { status: number; headers: string[] }) => void
  clock?: Partial<Clock>
  userAgent: string
}

/** The computer's own clock, with the given parts replaced. */
export function clockOf(given: Partial<Clock> = {}): Clock {
  return { now: () => performance.now(), wall: Date.now, sleep, random: Math.random, ...given }
}

/** Fires when no attempt may begin any more; undefined when nothing ever stops a client. */
export function closingOf({ signal, drain }: Pick<Connection, 'signal' | 'drain'>): AbortSignal | undefined {
  return signal && drain ? AbortSignal.any([signal, drain]) : (drain ?? signal)
}

/** Waits so many milliseconds, or until the signal aborts, which rejects with the signal's reason. */
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

/** Says whether a host name, as `URL.hostname` gives it, is this computer by its literal name. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
}
