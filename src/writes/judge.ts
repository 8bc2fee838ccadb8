// The outcome of a write: how its call ended, and what a look found afterwards. A table, and the only place that decides it.
// Source: docs/reliability.md#outcome-model.
import type { CallError } from '../api/outcome/call-error.ts'
import { isRepeatable } from '../api/outcome/retry.ts'
import type { RowResults } from '../bulk/input/report-columns.ts'
import type { RowResult } from '../bulk/run.ts'
import type { Repeat } from '../contract/endpoint.ts'
import type { PromoError } from '../errors.ts'

/**
 * How the call of a write ended.
 *
 * - `confirmed` by its answer; `taken`: a refusal shows that an attempt without an answer was applied.
 * - `refused`, which is certain unless an attempt before it was lost; `held`: not accepted for now; `lost`: its answer; `stopped` by the user.
 * - `earlier`: nothing was sent now. Another run sent nothing (`none`), made the object, whose id is recorded (`known`), or has no answer (`lost`).
 */
export type Sent =
  | { how: 'confirmed' | 'taken'; answer?: unknown; attempts?: number; requestId?: string | undefined }
  | { how: 'refused' | 'held' | 'lost' | 'stopped'; error: CallError }
  | { how: 'earlier'; was: 'none' | 'known' | 'lost' }

/** An end of a call that leaves a doubt: whether an attempt before its last was applied. */
export type Doubtful = { how: 'taken' } | Extract<Sent, { error: CallError }>

/**
 * What a look found; `value` is the object, in the form of the answer, `results` are its ids. `several`: none or more that could be it,
 * of those that are listed. `error`: what is said instead of `why`.
 */
export type Seen =
  | { is: 'unasked' }
  | { is: 'as-asked'; value?: unknown; results?: RowResults | undefined }
  | {
      is: 'absent' | 'several' | 'otherwise'
      why: string
      error?: RowResult['error']
      results?: RowResults | undefined
    }
  | { is: 'unread'; error: PromoError; results?: RowResults | undefined }

/** What is known about a write beside its end. */
export interface About {
  /** What one more identical call does. */
  repeat: Repeat
  /** Whether an attempt of an earlier run may have been applied. */
  lost: boolean
}

/**
 * Turns the end of a call and what was seen afterwards into an outcome.
 *
 * `ok` and `ok_inferred` need an answer or an object that is as asked, `failed` and `exhausted` the certainty that the write was not
 * applied, or not as asked. Finding nothing proves nothing, but after a refusal. Everything between is `unknown`.
 */
export function judge(sent: Sent, seen: Seen, about: About): RowResult {
  const { attempts, requestId }: { attempts?: number; requestId?: string | undefined } =
    sent.how === 'earlier' ? {} : 'error' in sent ? sent.error : sent
  const results = 'results' in seen && seen.results !== undefined ? { results: seen.results } : {}
  const facts = { ...(attempts !== undefined && { attempts }), ...(requestId !== undefined && { requestId }) }
  return { ...results, ...facts, ...verdictOn(sent, seen, about) }
}

function verdictOn(sent: Sent, seen: Seen, { repeat, lost }: About): RowResult {
  const isAsAsked = seen.is === 'as-asked'
  switch (sent.how) {
    case 'confirmed':
      if (isAsAsked || seen.is === 'unasked') return { state: 'ok', changed: true }
      return seen.is === 'otherwise' ? failedResult(`not applied: ${seen.why}`) : unknownResult(seen)
    case 'taken':
      return isAsAsked || seen.is === 'unasked' ? { state: 'ok_inferred' } : unknownResult(seen)
    case 'refused':
      if (sent.error.phase !== 'ambiguous' || seen.is === 'absent') return judgeRefusal(sent.error, repeat)
      if (isAsAsked) return { state: 'ok_inferred' }
      return seen.is === 'unasked' ? { state: 'unknown', lost: true, error: sent.error } : unknownResult(seen)
    case 'held':
      return { state: 'exhausted', lost, error: sent.error, ...fatalOf(sent.error) }
    case 'lost':
      if (isAsAsked) return { state: 'ok_inferred' }
      return { state: 'unknown', lost: true, error: wordsOf(seen) ?? sent.error, ...fatalOf(sent.error) }
    case 'stopped': {
      const isLost = lost || sent.error.phase === 'ambiguous'
      // What certainly was not applied, or may be sent again, is left for the next run.
      if (!isLost || isRepeatable(repeat)) return { state: 'pending', lost: isLost, error: sent.error }
      return { state: 'unknown', lost: true, error: sent.error }
    }
    case 'earlier':
      return verdictOnEarlier(sent.was, seen, lost)
  }
}

function verdictOnEarlier(was: 'none' | 'known' | 'lost', seen: Seen, lost: boolean): RowResult {
  if (seen.is === 'as-asked') return lost ? { state: 'ok_inferred' } : { state: 'ok', changed: false }
  if (was === 'known') return seen.is === 'otherwise' ? failedResult(`not applied: ${seen.why}`) : unknownResult(seen)
  if (was === 'lost' || seen.is === 'unasked') return unknownResult(seen)
  // Nothing was ever sent.
  if (seen.is !== 'unread') return failedResult(seen.why)
  return { state: 'exhausted', lost: false, error: seen.error, ...fatalOf(seen.error) }
}

function judgeRefusal(error: CallError, repeat: Repeat): RowResult {
  const { status, facts } = error
  const key = facts.api?.key
  // Its own message doubts that, because an attempt before it was lost.
  if (error.phase === 'ambiguous') {
    const message = `the service refused it (${status}): ${key ?? 'without a reason'}`
    const told = { kind: 'api', message, facts: { ...facts, retryable: false } } as const
    return { state: 'failed', lost: false, error: told, reason: `${status ?? ''} ${key ?? ''}` }
  }
  // A row that is so already says nothing about the others.
  const isSo = status === 409 || /(?:^|_)(?:already|duplicate|duplication)(?:_|$)/.test(key ?? '')
  const state = status === 409 && repeat === 'key' ? 'conflict' : 'failed'
  return { state, lost: false, error, reason: isSo ? undefined : `${status ?? ''} ${key ?? ''}` }
}

/** Every other call would end the same way. */
function fatalOf(error: PromoError): { fatal?: PromoError } {
  return 'endsRun' in error && error.endsRun === true ? { fatal: error } : {}
}

function failedResult(message: string): RowResult {
  return { state: 'failed', lost: false, error: { kind: 'api', message, facts: {} } }
}

/** What a look says in words of its own. */
function wordsOf(seen: Seen): RowResult['error'] {
  return 'why' in seen ? seen.error : undefined
}

function unknownResult(seen: Seen): RowResult {
  const isUnread = seen.is === 'unread'
  const why = isUnread ? `it cannot be read: ${seen.error.message}` : 'why' in seen ? seen.why : 'no one looked'
  const message = `it is unknown whether it was applied: ${why}`
  const hint = isUnread ? seen.error.facts.hint : undefined
  const error = wordsOf(seen) ?? { kind: 'unknown_outcome', message, facts: hint === undefined ? {} : { hint } }
  return { state: 'unknown', lost: true, error, ...(isUnread && fatalOf(seen.error)) }
}
