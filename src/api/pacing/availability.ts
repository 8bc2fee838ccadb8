// Judges the service by how attempts end: available, unavailable for a while, or not the service at all.
import type { Verdict } from '../outcome/outcome.ts'

/** What ends every call, not only one. The first two are mistakes in the configuration. */
export type ServiceFault =
  /** The host name was never found. */
  | 'unfound'
  /** Only answers of a foreign form arrived, never one of the service. */
  | 'foreign'
  /** No useful answer arrived for longer than an outage may last. */
  | 'unavailable'

/** Thrown to calls that wait for the service, once it has been unavailable for too long. */
export class ServiceUnavailable extends Error {
  constructor() {
    super('the service is unavailable')
  }
}

interface HealthOptions {
  concurrency: number
  /** The number of calls in flight, those between two attempts included; by default `concurrency`. */
  callsInFlight?: () => number
  /** How long an outage may last; without it no call waits for the service, and calls end by their own attempts. */
  maxOutageMs?: number | undefined
}

export type Health = ReturnType<typeof createHealth>

// As in the retry quota of the AWS SDKs, except that an empty bucket makes callers wait.
// Source: docs/reliability.md#health-and-outage.
const fullTokens = 500
const tokensAfterOutage = fullTokens / 5
const failureCost = 5
const timeoutCost = 10
const refund = 5
const firstProbeMs = 1000
const longestProbeMs = 60_000
const strangersBeforeDoubt = 20

// Three times as many failures are more than two rows can cause.
const fewCalls = 8

/**
 * Starts healthy, without any record. Times are milliseconds of one monotonic clock.
 * Source: docs/reliability.md#health-and-outage "Budget", F-1, F-2, F-9, F-59, F-60.
 */
export function createHealth({ concurrency, callsInFlight = () => concurrency, maxOutageMs }: HealthOptions) {
  let tokens = fullTokens
  let failuresInRow = 0
  let callsMeanwhile = 0
  let strangersInRow = 0
  let isKnown = false
  let isFound = false
  let outage: { since: number; reason: string } | undefined
  let circuit: { probeAt: number; delayMs: number; isProbing: boolean } | undefined

  function close(): void {
    failuresInRow = 0
    if (circuit !== undefined) tokens = tokensAfterOutage
    circuit = undefined
  }

  function onFailure(verdict: Verdict, isProbe: boolean, now: number): void {
    tokens = Math.max(0, tokens - (verdict.cause === 'timed_out' ? timeoutCost : failureCost))
    // At most: calls that may not be repeated end with the same failures, and the next ones have not begun yet.
    callsMeanwhile = Math.max(failuresInRow === 0 ? 0 : callsMeanwhile, callsInFlight())
    failuresInRow += 1
    if (circuit === undefined) {
      const calls = isOfOneCall(verdict) ? Math.max(concurrency, fewCalls) : Math.min(callsMeanwhile, concurrency)
      const isEmpty = tokens === 0 || failuresInRow >= 3 * calls
      if (isEmpty && maxOutageMs !== undefined) {
        circuit = { probeAt: now + firstProbeMs, delayMs: firstProbeMs, isProbing: false }
      }
    } else if (isProbe) {
      const delayMs = Math.min(longestProbeMs, circuit.delayMs * 2)
      circuit = { probeAt: now + delayMs, delayMs, isProbing: false }
    }
  }

  return {
    /** Records how an attempt ended; `isProbe` when it was sent to find out whether the service is back. */
    record(verdict: Verdict, isProbe: boolean, now: number): void {
      const sign = signOf(verdict)
      isFound ||= verdict.cause !== 'unresolved' && verdict.cause !== 'stopped'
      strangersInRow = isStrange(verdict) ? strangersInRow + 1 : 0
      if (sign === 'well') {
        isKnown = true
        outage = undefined
        close()
        tokens = Math.min(fullTokens, tokens + refund)
        return
      }
      if (sign === 'none') {
        if (circuit !== undefined && isProbe) circuit.isProbing = false
        return
      }
      outage = { since: outage?.since ?? now, reason: verdict.reason }
      // Busy is not unavailable: then the service's own pauses apply.
      if (sign === 'busy') close()
      else onFailure(verdict, isProbe, now)
    },
    /** Milliseconds until the next probe, `answer` while one is in flight, 0: all may go. Throws `ServiceUnavailable`. */
    obstacle(now: number): number | 'answer' {
      if (circuit === undefined) return 0
      if (circuit.isProbing) return 'answer'
      const endsAt = (outage?.since ?? now) + (maxOutageMs ?? Number.POSITIVE_INFINITY)
      if (now >= endsAt) throw new ServiceUnavailable()
      return Math.max(0, Math.min(circuit.probeAt, endsAt) - now)
    },
    /** Returns whether a request that leaves now is a probe, and if so holds back all others until it has ended. */
    leave(): boolean {
      if (circuit === undefined) return false
      circuit.isProbing = true
      return true
    },
    /** Whether requests are held back. */
    isOpen: (): boolean => circuit !== undefined,
    /** The fault that this end of an attempt means for all calls, if any. */
    faultAfter(verdict: Verdict, now: number): ServiceFault | undefined {
      if (!isFound && verdict.cause === 'unresolved') return 'unfound'
      if (!isKnown && isStrange(verdict) && strangersInRow >= strangersBeforeDoubt) return 'foreign'
      if (maxOutageMs !== undefined && outage !== undefined && now - outage.since >= maxOutageMs) return 'unavailable'
      return undefined
    },
    /** Since when no useful answer arrived, and why the last one was not useful. */
    outage: () => outage,
  }
}

/** What the end of an attempt shows about the service: it is well, busy, unavailable, or nothing. */
function signOf(verdict: Verdict): 'well' | 'busy' | 'unavailable' | 'none' {
  switch (verdict.cause) {
    case 'confirmed':
      return 'well'
    case 'refused':
      return isStrange(verdict) ? 'unavailable' : 'well'
    case 'throttled':
      return 'busy'
    case 'server_error':
    case 'unreadable':
    case 'timed_out':
    case 'lost':
    case 'unreachable':
    case 'unresolved':
      return 'unavailable'
    default:
      return 'none'
  }
}

// With few calls left, or never many, a call that always fails must end by its own attempts: the service is available and
// fails on this one.
function isOfOneCall(verdict: Verdict): boolean {
  return verdict.status === 500 || isStrange(verdict)
}

// During an outage a gateway answers 502 with a page of its own, which is no reason to doubt that the service is behind it.
function isStrange({ cause, isForeign }: Verdict): boolean {
  return cause === 'unreadable' || (cause === 'refused' && isForeign === true)
}
