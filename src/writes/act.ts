// One write: what it needs is read, it is sent, and where its answer leaves a doubt, what it made is looked for.
// Source: docs/reliability.md#outcome-model.
import type { CallOptions, Client, Exchange, LostCall, RequestOf } from '../api/client.ts'
import { isRepeatable } from '../api/outcome/retry.ts'
import type { LooseRequest } from '../api/request/request.ts'
import type { Past } from '../bulk/input/row.ts'
import { type RowResult, resultOfError } from '../bulk/run.ts'
import type { AnswerOf, Endpoint, Repeat } from '../contract/endpoint.ts'
import { PromoError } from '../errors.ts'
import { type Doubtful, judge, type Seen, type Sent } from './judge.ts'
import { type Evidence, evidenceOf, isStop, unlessStopped } from './prove.ts'
import { send } from './send.ts'

/** What is to be written. */
export interface Write<E extends Endpoint> {
  endpoint: E
  /** A function where what `expects` found decides it. */
  request: RequestOf<E> | (() => RequestOf<E>)
  /** What one more identical call does; absent: the class of the endpoint. */
  repeat?: Repeat | undefined
  /** How it is recognized where its answer leaves a doubt; absent: it is not. */
  evidence?: Evidence | undefined
  /** It cannot take effect twice, whatever its endpoint says: what it moves is gone. */
  isGuarded?: boolean
  /** An earlier run recorded the id of what it made. */
  isMade?: boolean
  /**
   * Looks before it is sent. What it found, or the outcome, where nothing is to be sent; undefined: it is sent. Throws what reading
   * throws, and nothing is sent either.
   */
  expects?: (() => Promise<Seen | RowResult | undefined>) | false | undefined
  /** Looks at what it did, also where its answer confirms it; absent: `evidence` does, where the answer leaves a doubt. Throws nothing but a stop. */
  readBack?: (sent: Sent) => Promise<Seen>
  /** Reads what `changed` needs to know; what cannot be read is not known. */
  before?: (() => Promise<unknown>) | undefined
  /** Returns whether it changed anything; undefined: that cannot be known. */
  changed?: (exchange: Exchange<AnswerOf<E>>, before: unknown) => boolean | undefined
  /** Returns what is wrong with an answer that confirms it; undefined: nothing. */
  noteOn?: ((answer: AnswerOf<E>) => RowResult['error']) | undefined
  /** Settles it in another way where its key is taken; `refused` is what it is otherwise. */
  ifTaken?: ((refused: RowResult) => Promise<RowResult>) | undefined
}

/** How it is sent; `past` is what earlier runs did, `kept` what the history keeps. */
export interface Sending extends Pick<CallOptions, 'unseen' | 'onTurn'> {
  past?: Past | undefined
  /** How the user agrees to send again what may have been applied and counts twice, in words; absent: the user did. */
  again?: string | undefined
  kept?: CallOptions['changed']
}

/**
 * Makes a write and returns its outcome, with the answer or what was found in its place.
 *
 * `ok` only with the confirmation of the service, `failed` only when it certainly was not applied; everything between is `unknown`.
 * Throws only what is a bug.
 */
export async function act<E extends Endpoint>(
  client: Client,
  write: Write<E>,
  { past, again, kept, unseen, onTurn }: Sending = {},
): Promise<RowResult> {
  const { endpoint, repeat, evidence, expects, readBack, ifTaken } = write
  const about = { repeat: repeat ?? endpoint.repeat, lost: past?.lost === true }
  try {
    const found = expects ? await expects() : undefined
    if (found !== undefined && 'state' in found) return found
    const mayStillArrive = about.lost && again !== undefined && !isRepeatable(about.repeat)
    if (found !== undefined || mayStillArrive) {
      const was = write.isMade ? 'known' : about.lost ? 'lost' : 'none'
      return judge(
        { how: 'earlier', was },
        found ?? { is: 'absent', why: `it is not found, and may still arrive; ${again}` },
        about,
      )
    }
    const request = typeof write.request === 'function' ? write.request() : write.request
    const before = write.before && (await write.before().catch(unlessStopped))
    const id =
      past === undefined && !isRepeatable(about.repeat) ? evidenceOf(endpoint, request as LooseRequest) : undefined
    const lost =
      id === undefined || write.isGuarded ? undefined : await client.lostCall?.(endpoint, request as LooseRequest, id)
    if (lost !== undefined) {
      about.lost = true
      const seen = (await evidence?.look(client, { how: 'earlier' }, lost.newest)) ?? unasked
      if (seen.is === 'as-asked') return { ...judge({ how: 'earlier', was: 'lost' }, seen, about), value: seen.value }
      if (!(await lost.mayResend())) return judge({ how: 'earlier', was: 'lost' }, unfound(lost), about)
    }
    const there = evidence?.before && (await evidence.before(client).catch(unlessStopped))
    const source = id === undefined ? undefined : { id, newest: typeof there === 'string' ? there : undefined }
    const earlier = about.lost ? { lostBefore: true, begunAtMs: past?.begunAtMs } : {}
    const sent = await send(client, endpoint, request, { unseen, onTurn, source, changed: kept, repeat, ...earlier })
    if (sent.how === 'confirmed' && readBack === undefined) {
      const answer = sent.answer as AnswerOf<E>
      const changed = write.changed?.(sent as unknown as Exchange<AnswerOf<E>>, before)
      return { ...judge(sent, unasked, about), value: answer, changed, error: write.noteOn?.(answer) }
    }
    const doubtful = doubtOf(sent)
    about.lost ||= doubtful !== undefined || sent.how === 'confirmed'
    const isSought = about.lost && sent.how !== 'stopped' && sent.how !== 'held'
    const seen = !isSought
      ? unasked
      : readBack
        ? await readBack(sent)
        : ((doubtful && (await evidence?.look(client, doubtful, there))) ?? unasked)
    const result = judge(sent, seen, about)
    if (result.state === 'ok_inferred' && seen.is === 'as-asked') return { ...result, value: seen.value }
    const isTaken = sent.how === 'refused' && sent.error.status === 409 && doubtful === undefined
    return ifTaken && isTaken ? await ifTaken(result) : result
  } catch (error) {
    if (isStop(error)) return judge({ how: 'stopped', error }, unasked, about)
    if (!(error instanceof PromoError)) throw error
    const result = resultOfError(error)
    return { ...result, lost: about.lost || result.state === 'unknown' }
  }
}

/** Does the same where nothing but success is an end, and throws the error of any other outcome, with `hint` where it names no next step. */
export async function mustAct<E extends Endpoint>(
  client: Client,
  write: Write<E>,
  { hint, ...sending }: Sending & { hint?: string } = {},
): Promise<RowResult> {
  const result = await act(client, write, sending)
  const { state, error } = result
  if (state === 'ok' || state === 'ok_inferred' || error === undefined) return result
  if (error instanceof PromoError) throw error
  throw new PromoError(error.kind, error.message, { ...(hint !== undefined && { hint }), ...error.facts })
}

/** Finding nothing proves nothing. */
function unfound({ at, hint }: LostCall): Seen {
  const why = `the answer to the same call was lost at ${at}; it is not found, and may still arrive`
  return {
    is: 'absent',
    why,
    error: { kind: 'unknown_outcome', message: `it is unknown whether it was applied: ${why}`, facts: { hint } },
  }
}

/** Returns an end after which it is not certain what was applied. */
function doubtOf(sent: Sent): Doubtful | undefined {
  if (sent.how === 'taken') return { how: 'taken' }
  return 'error' in sent && sent.error.phase === 'ambiguous' ? sent : undefined
}

const unasked = { is: 'unasked' } as const
