// One row as a call to the service, and what the end of the call means for the row.

import type { CallOptions, Client, Exchange, RequestOf } from '../../api/client.ts'
import { CallError } from '../../api/outcome/call-error.ts'
import { isRepeatable } from '../../api/outcome/retry.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import type { ResultName } from '../../bulk/input/report-columns.ts'
import type { Row } from '../../bulk/input/row.ts'
import { type Act, type RowResult, resultOfError } from '../../bulk/run.ts'
import type { AnswerOf, Endpoint, Repeat } from '../../contract/endpoint.ts'
import { EXIT } from '../../errors.ts'
import { type AppliedProof, evidenceOf, isStop, proofAfter, proofBySource, unlessStopped } from '../../writes/prove.ts'

/** How the rows of a command become calls. */
export interface RowCall<E extends Endpoint> {
  endpoint: E
  /** The call of a row, where rows make different calls; absent: the endpoint, which says what is common to all. */
  callOf?: (row: Row) => E
  /**
   * For a row of an undo: returns its outcome where it is left alone, because others changed the object since; undefined: it is
   * sent. Throws what reading throws, and then nothing is sent either.
   */
  leftAlone?: (client: Client, row: Row) => Promise<RowResult | undefined>
  /** Builds the request of a row. Throws `usage` for a row the contract refuses. */
  request: (row: Row) => RequestOf<E>
  /** Reads what `changed` needs to know of the row before it is sent; absent: nothing. */
  before?: (client: Client, row: Row) => Promise<unknown>
  /** Returns whether the call changed anything; absent, or undefined: that cannot be known. */
  changed?: (exchange: Exchange<AnswerOf<E>>, row: Row, before: unknown) => boolean | undefined
  /** What one more identical call of this row does; absent: the class of the endpoint. */
  repeatOf?: (row: Row) => Repeat
  /** Returns what is wrong with an answer; its row is still `ok`, with this error. Undefined: nothing. */
  noteOn?: (answer: AnswerOf<E>, row: Row) => RowResult['error']
  /** Examines a row that only a refusal shows to be applied; absent: what the endpoint names as its proof is read. */
  inferred?: (client: Client, row: Row) => Promise<RowResult>
  /** Settles a row whose key is taken in another way; absent: it is a conflict. */
  onTaken?: ((client: Client, row: Row, conflict: RowResult) => Promise<RowResult>) | undefined
}

export interface ActOptions extends Pick<CallOptions, 'unseen'> {
  /** Whether several rows of the input have this evidence. */
  isShared?: ((evidence: string) => boolean) | undefined
  /** Whether the rows undo those of a job. */
  isUndo?: boolean
}

/**
 * Returns the act of a bulk run: it sends the row's call and returns its result.
 *
 * `ok` only with the service's confirmation, `failed` only when it certainly was not applied; everything between is
 * `unknown`. Refused credentials end the run, because every other row would be refused too. `unseen` is as for a call: the
 * value of the result must then not be shown. Source: docs/reliability.md#outcome-model.
 */
export function actOf<E extends Endpoint>(
  client: Client,
  call: RowCall<E>,
  { unseen = false, isUndo = false, isShared = () => false }: ActOptions = {},
): Act {
  return async (row, _abandon, onTurn) => {
    const left = isUndo && (await looked(client, call, row))
    if (left) return left
    const repeat = call.repeatOf?.(row)
    const called = call.callOf?.(row) ?? call.endpoint
    const endpoint = repeat === undefined ? called : { ...called, repeat }
    let sent: LooseRequest = {}
    let proof: AppliedProof | undefined
    let seen: unknown
    try {
      const { past } = row
      const request = call.request(row)
      sent = request as LooseRequest
      const evidence = evidenceOf(endpoint, sent)
      // Of a shared one it may be another row that it would be found by.
      if (evidence !== undefined && !isShared(evidence)) proof = proofBySource(endpoint, sent)
      const before = await call.before?.(client, row).catch(unlessStopped)
      seen = await proof?.before(client).catch(unlessStopped)
      const options: CallOptions = {
        unseen,
        onTurn,
        ...(repeat !== undefined && { repeat }),
        ...(past?.lost && { lostBefore: true, begunAtMs: past.begunAtMs }),
      }
      const exchange = await client.exchange(endpoint, request, options)
      const { attempts, requestId } = exchange
      if (exchange.outcome === 'inferred')
        return { attempts, requestId, ...(await lookedAt(client, call, row, endpoint, sent)) }
      const { answer } = exchange
      const error = call.noteOn?.(answer, row)
      // What takes effect with each call has taken effect.
      const changed = call.changed ? call.changed(exchange, row, before) : called.repeat === 'once' || undefined
      return { state: 'ok', value: answer, changed, error, attempts, requestId }
    } catch (error) {
      if (error instanceof CallError) {
        if (isRefusedAfterLoss(error, call, endpoint)) return await lookedAt(client, call, row, endpoint, sent, error)
        const { attempts, requestId } = error
        const found = await proofAfter(error, proof, client, seen)
        if (found) return { state: 'ok_inferred', attempts, requestId, ...found }
        const result = resultOfFailure(error, endpoint, row)
        return result.state === 'conflict' && call.onTaken ? await settled(call.onTaken, client, row, result) : result
      }
      return resultOfError(error)
    }
  }
}

/** What cannot be read is left for the next run. */
async function looked<E extends Endpoint>(client: Client, call: RowCall<E>, row: Row): Promise<RowResult | undefined> {
  try {
    return await call.leftAlone?.(client, row)
  } catch (error) {
    const result = { ...resultOfError(error), lost: row.past?.lost ?? false }
    return isStop(error) ? { ...result, state: 'pending' } : result
  }
}

/** A failure on the way leaves the conflict, which is certain; a stop leaves the row for the next run. */
async function settled(
  onTaken: NonNullable<RowCall<Endpoint>['onTaken']>,
  client: Client,
  row: Row,
  conflict: RowResult,
): Promise<RowResult> {
  try {
    return await onTaken(client, row, conflict)
  } catch (error) {
    const result = resultOfError(error)
    return isStop(error) ? { ...result, state: 'pending' } : result
  }
}

/** Whether a lost attempt was followed by a refusal: only the object itself can show which of the two decided. */
function isRefusedAfterLoss<E extends Endpoint>(
  { phase, status, endsRun }: CallError,
  { inferred }: RowCall<E>,
  { proof }: Endpoint,
): boolean {
  const isRefusal = status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429
  return (inferred !== undefined || proof?.by === 'object') && phase === 'ambiguous' && isRefusal && !endsRun
}

/** `refused`: the refusal that came after a lost attempt; absent where it was that the key is taken. */
async function lookedAt<E extends Endpoint>(
  client: Client,
  { inferred }: RowCall<E>,
  row: Row,
  endpoint: Endpoint,
  request: LooseRequest,
  refused?: CallError,
): Promise<RowResult> {
  if (inferred === undefined && endpoint.proof?.by !== 'object') return { state: 'ok_inferred' }
  const about = refused && { attempts: refused.attempts, requestId: refused.requestId }
  try {
    const { provedByObject } = await import('../../writes/prove-object.ts')
    return { ...about, ...(await (inferred?.(client, row) ?? provedByObject(client, endpoint, request))) }
  } catch (error) {
    if (refused !== undefined && error instanceof CallError && error.status === 404) {
      return { state: 'failed', lost: false, ...about, error: refusalOf(refused), reason: reasonOf(refused) }
    }
    // The row is as unproved as before: it is examined again when it is sent again.
    const result = resultOfError(error)
    return { ...result, ...about, state: isStop(error) ? 'pending' : 'unknown', lost: true }
  }
}

/** The object does not exist, so no attempt was applied: the refusal is about the row. */
function refusalOf({ status, facts }: CallError): RowResult['error'] {
  const why = facts.api?.key ?? 'without a reason'
  return { kind: 'api', message: `the service refused it (${status}): ${why}`, facts: { ...facts, retryable: false } }
}

function resultOfFailure(error: CallError, endpoint: Endpoint, { past }: Row): RowResult {
  const { attempts, requestId, phase } = error
  const lost = phase === 'ambiguous' || (phase === 'not_sent' && past?.lost === true)
  const about = { attempts, lost, requestId }
  // Stopped: a row that certainly was not applied, or may be sent again, is left for the next run.
  if (isStop(error) && (!lost || isRepeatable(endpoint.repeat))) return { state: 'pending', ...about }
  const state = stateOf(error, endpoint)
  const isRefused = (state === 'failed' || state === 'conflict') && !isAlreadySo(error)
  const reason = isRefused ? reasonOf(error) : undefined
  return { state, error, ...about, reason, fatal: error.endsRun ? error : undefined }
}

/**
 * Whether the service refused a row because what it asks for is there already: redeemed, published, rolled back, a code that
 * exists. A wrong column or a wrong project would not be refused like that.
 */
function isAlreadySo({ status, facts }: CallError): boolean {
  return status === 409 || /(?:^|_)(?:already|duplicate|duplication)(?:_|$)/.test(facts.api?.key ?? '')
}

/** Returns the reason of a refusal, the same for rows that are refused alike: the status and the service's own key. */
function reasonOf({ status, facts }: CallError): string {
  return `${status ?? ''} ${facts.api?.key ?? ''}`
}

function stateOf(error: CallError, endpoint: Endpoint): RowResult['state'] {
  if (error.phase === 'ambiguous') return 'unknown'
  // An error that ends the run says nothing about the row: it is accepted once the profile is corrected.
  if (error.phase === 'not_sent' || error.exitCode === EXIT.unavailable || error.endsRun) return 'exhausted'
  const isTaken = error.status === 409 && endpoint.repeat === 'key'
  return isTaken ? 'conflict' : 'failed'
}

/** Which ids of an answer are kept, and where they are in it: dotted paths, in which each item of a list is meant. */
export type KeptResults = Partial<Record<ResultName, string | readonly string[]>>

/**
 * Returns the result of a row with the ids of its answer, as far as the answer has them; several ids of one name are
 * separated by spaces.
 */
export function withResults(result: RowResult, kept: KeptResults | undefined): RowResult {
  if (kept === undefined || result.value === undefined) return result
  let found = result.results
  for (const name in kept) {
    const ids = new Set<string>()
    const paths = kept[name as ResultName] ?? []
    for (const path of typeof paths === 'string' ? [paths] : paths) addIds(ids, result.value, path)
    if (ids.size > 0) found = { ...found, [name]: [...ids].join(' ') }
  }
  return found === result.results ? result : { ...result, results: found }
}

function addIds(ids: Set<string>, value: unknown, path: string): void {
  if (Array.isArray(value)) for (const item of value) addIds(ids, item, path)
  else if (path === '') {
    if (typeof value === 'string' && value !== '') ids.add(value)
  } else if (typeof value === 'object' && value !== null) {
    const end = path.indexOf('.')
    const name = end === -1 ? path : path.slice(0, end)
    if (Object.hasOwn(value, name))
      addIds(ids, (value as Record<string, unknown>)[name], end === -1 ? '' : path.slice(end + 1))
  }
}
