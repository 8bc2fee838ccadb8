// Decides whether an attempt is made again, and after how long. Pure: no clock, no sockets.
import type { Repeat } from '../../contract/endpoint.ts'
import type { ServiceFault } from '../pacing/availability.ts'
import type { Phase, Verdict } from './outcome.ts'

/**
 * Longest wait that is sat out; a longer one ends the command and says when to come back.
 * Source: docs/reliability.md#attempts-and-delays.
 */
export const longestWaitMs = 300_000

/** What came of an attempt and what is left to try. */
export interface RetryContext {
  verdict: Pick<Verdict, 'phase' | 'cause' | 'status'>
  repeat: Repeat
  /** Attempts made so far, this one included. */
  attempts: number
  /** How many of them count; all unless given. */
  counted?: number
  /** Attempts allowed after the first. */
  retries: number
  /** Whether an attempt before this one may have been applied, and nobody agreed to several doubles. */
  lostBefore?: boolean
  /** How long the service wants no request from anybody, in milliseconds; comes on top of the delay. */
  waitMs?: number | undefined
  /** What the attempt means for all calls. */
  fault?: ServiceFault | undefined
  /** From 0 up to but not including 1. */
  random: number
}

export type Decision =
  | { act: 'again'; delayMs: number /** For every request to this host, not only this one. */; pauseMs?: number }
  | { act: 'end'; why: EndReason }

/**
 * Why nothing more is tried: it is done or refused (`final`), a second one could happen twice (`unrepeatable`), nothing
 * would change (`hopeless`), the attempts are used up (`exhausted`), the service wants a long pause (`later`), or nothing
 * would come of any call.
 */
export type EndReason = 'final' | 'unrepeatable' | 'hopeless' | 'exhausted' | 'later' | ServiceFault

// A second look, because the first may have met a resolver that was just waking up.
// Source: docs/reliability.md#fault-matrix.
const triesOfUnfound = 2

const hopeless = ['untrusted', 'redirected', 'too_large', 'proxy_refused', 'stopped']

/**
 * Says what to do after an attempt. Delays are milliseconds, with full jitter.
 * Source: docs/reliability.md#failure-phases; docs/reliability.md#attempts-and-delays.
 */
export function decide(context: RetryContext): Decision {
  const { verdict, repeat, attempts, counted = attempts, retries, lostBefore, waitMs, fault, random } = context
  const { phase, cause, status } = verdict
  if (fault === 'foreign') return { act: 'end', why: fault }
  if (phase === 'confirmed' || (phase === 'rejected' && cause !== 'throttled')) return { act: 'end', why: 'final' }
  if (hopeless.includes(cause)) return { act: 'end', why: 'hopeless' }
  if (phase === 'ambiguous' && !isRepeatable(repeat)) return { act: 'end', why: 'unrepeatable' }
  // One more may be made of what harms nobody, not one for every retry. Source: docs/reliability.md#export.
  if (phase === 'ambiguous' && repeat === 'duplicate' && lostBefore) return { act: 'end', why: 'exhausted' }
  if (waitMs !== undefined && waitMs > longestWaitMs) return { act: 'end', why: 'later' }
  if (fault === 'unfound' && attempts >= Math.min(triesOfUnfound, retries + 1)) return { act: 'end', why: fault }
  if (fault === 'unavailable') return { act: 'end', why: fault }
  if (counted > retries) return { act: 'end', why: 'exhausted' }
  const baseMs = cause === 'throttled' || status === 503 ? 1000 : 250
  const delayMs = Math.round(Math.min(20_000, baseMs * 2 ** (attempts - 1)) * random)
  return { act: 'again', delayMs }
}

/** Says whether a call may be sent again although the one before may have been applied. */
export function isRepeatable(repeat: Repeat): boolean {
  return repeat !== 'reconcile' && repeat !== 'once'
}

/**
 * Says whether a refusal proves that an earlier attempt, whose answer was lost, was applied after all.
 *
 * A taken key after a lost create, and nothing left after a lost delete. Without a lost attempt it proves nothing.
 */
export function isProofOfEarlier(
  { phase, status, failure }: Pick<Verdict, 'phase' | 'status' | 'failure'>,
  { method, path, repeat }: { method: string; path: string; repeat: Repeat },
  lostBefore: boolean,
): boolean {
  if (!lostBefore || phase !== 'rejected') return false
  if (status === 404) return method === 'DELETE' && repeat === 'idempotent'
  if (status !== 409 || repeat !== 'key') return false
  // A holder batch that names one customer twice is refused as a duplicate too, and then nothing of it was applied
  // (docs/service/referrals.md#errors). Management answers leave the key out (§5.1).
  const proof = path.endsWith('/holders') ? ['holder_assignement_duplication'] : ['duplicate_found', undefined]
  return proof.includes(failure?.key)
}

/** The phase of a whole call: once an attempt may have been applied, a later refusal does not undo that. */
export function phaseOverall(last: Phase, lostBefore: boolean): Phase {
  return lostBefore && last !== 'confirmed' ? 'ambiguous' : last
}
