// Decides whether an attempt is made again, and after how long. Pure: no clock, no sockets.
import type { Endpoint, Repeat } from '../../contract/endpoint.ts'
import type { ServiceFault } from '../pacing/availability.ts'
import type { Phase, Verdict } from './outcome.ts'

/**
 * Longest pause a call waits for; a longer one ends the command with the time to run it again.
 * Source: docs/reliability.md#attempts-and-delays.
 */
export const longestWaitMs = 300_000

/** The end of an attempt, and what is left to try. */
export interface RetryContext {
  verdict: Pick<Verdict, 'phase' | 'cause' | 'status'>
  repeat: Repeat
  /** Attempts made so far, this one included. */
  attempts: number
  /** How many of them count; all unless given. */
  counted?: number
  /** Attempts allowed after the first. */
  retries: number
  /** Whether an attempt before this one may have been applied, and the caller did not agree to several duplicates. */
  lostBefore?: boolean
  /** How long the service accepts no requests at all, in milliseconds; in addition to the delay. */
  waitMs?: number | undefined
  /** The fault that the attempt means for all calls. */
  fault?: ServiceFault | undefined
  /** From 0 up to but not including 1. */
  random: number
}

export type Decision = { act: 'again'; delayMs: number } | { act: 'end'; why: EndReason }

/**
 * Why there is no further attempt: the call is done or refused (`final`), it could be applied twice (`unrepeatable`), the
 * end would be the same (`hopeless`), the attempts are used up (`exhausted`), the service asks for a long pause (`later`),
 * or no call would succeed.
 */
export type EndReason = 'final' | 'unrepeatable' | 'hopeless' | 'exhausted' | 'later' | ServiceFault

// A second attempt, because the first may have met a resolver that was just starting.
// Source: docs/reliability.md#fault-matrix.
const triesOfUnfound = 2

const hopeless = ['untrusted', 'redirected', 'too_large', 'proxy_refused', 'stopped']

/**
 * Decides what to do after an attempt. Delays are milliseconds, with full jitter.
 * Source: docs/reliability.md#failure-phases; docs/reliability.md#attempts-and-delays.
 */
export function decide(context: RetryContext): Decision {
  const { verdict, repeat, attempts, counted = attempts, retries, lostBefore, waitMs, fault, random } = context
  const { phase, cause, status } = verdict
  if (fault === 'foreign') return { act: 'end', why: fault }
  if (phase === 'confirmed' || (phase === 'rejected' && cause !== 'throttled')) return { act: 'end', why: 'final' }
  if (hopeless.includes(cause)) return { act: 'end', why: 'hopeless' }
  if (phase === 'ambiguous' && !isRepeatable(repeat)) return { act: 'end', why: 'unrepeatable' }
  // One duplicate that does no harm is accepted, not one for every retry. Source: docs/reliability.md#export.
  if (phase === 'ambiguous' && repeat === 'duplicate' && lostBefore) return { act: 'end', why: 'exhausted' }
  if (waitMs !== undefined && waitMs > longestWaitMs) return { act: 'end', why: 'later' }
  if (fault === 'unfound' && attempts >= Math.min(triesOfUnfound, retries + 1)) return { act: 'end', why: fault }
  if (fault === 'unavailable') return { act: 'end', why: fault }
  if (counted > retries) return { act: 'end', why: 'exhausted' }
  const baseMs = cause === 'throttled' || status === 503 ? 1000 : 250
  const delayMs = Math.round(Math.min(20_000, baseMs * 2 ** (attempts - 1)) * random)
  return { act: 'again', delayMs }
}

/** Returns whether a call may be sent again although the one before may have been applied. */
export function isRepeatable(repeat: Repeat): boolean {
  return repeat !== 'reconcile' && repeat !== 'once'
}

/**
 * Returns whether a refusal proves that an earlier attempt, whose answer was lost, was applied after all.
 *
 * That is so for a taken key after a lost create, and for nothing left after a lost delete; never without a lost attempt.
 */
export function isProofOfEarlier(
  { phase, status, failure }: Pick<Verdict, 'phase' | 'status' | 'failure'>,
  { method, repeat, taken }: Pick<Endpoint, 'method' | 'repeat' | 'taken'>,
  lostBefore: boolean,
): boolean {
  if (!lostBefore || phase !== 'rejected') return false
  if (status === 404) return method === 'DELETE' && repeat === 'idempotent'
  return status === 409 && repeat === 'key' && taken?.includes(failure?.key ?? null) === true
}

/** Returns the phase of an entire call: once an attempt may have been applied, a later refusal does not undo that. */
export function phaseOverall(last: Phase, lostBefore: boolean): Phase {
  return lostBefore && last !== 'confirmed' ? 'ambiguous' : last
}
