// One write of one object: checked, announced, confirmed, sent and shown; with --dry-run only shown.

import type { Client, RequestOf } from '../../api/client.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import type { CallOptions } from '../../api/sender.ts'
import { isRecord } from '../../base/record.ts'
import type { RowResult } from '../../bulk/run.ts'
import type { AnswerOf, Endpoint, Repeat } from '../../contract/endpoint.ts'
import type { ColumnSet } from '../../output/column.ts'
import { writerTo } from '../../output/write.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import { mustAct } from '../../writes/act.ts'
import { evidenceFor } from '../../writes/prove.ts'
import type { Listed } from '../../writes/prove-list.ts'
import { quotedValue } from '../prompt/asked-value.ts'
import { detailFor, isFinalCall } from '../prompt/confirm.ts'
import type { Host } from '../run/host.ts'
import { onlyClosedPipe } from '../stop.ts'
import { carryOut, type Writing } from './carry-out.ts'
import { type Existing, existingInstead } from './if-exists.ts'
import type { WholeRead } from './read-first.ts'

/** What a write sends, and how its answer is shown. */
export interface SingleWrite<E extends Endpoint> {
  endpoint: E
  /** The request, or how to derive it from the profile (the project of a management call). Throws `usage`. */
  request: RequestOf<E> | ((profile: Resolved) => RequestOf<E>)
  /** The columns of the answer. */
  columns: ColumnSet
  /** What will happen, as a question without the question mark: asked because it cannot be undone. */
  question?: string
  /** Written to stderr when the answer is empty: `deleted template "camp_tpl_1"`. */
  done?: string
  /** Whether nothing brings back what is done; absent: as the call says (`isFinalCall`). */
  isFinal?: boolean
  /** Overrides what the contract says about sending it again. */
  repeat?: Repeat
  /** What the list shows of what it creates, where the endpoint is proved by one; absent: a lost answer leaves it unknown. */
  listed?: Listed
  /** The part of the answer that is shown, of which a text is printed verbatim; default: the entire answer. */
  shown?: (answer: AnswerOf<E>, client: Client) => object | string | Promise<object>
  /** What happens when there already is one of that name; absent: the refusal is the result. */
  existing?: Existing<E>
  /** The call replaces the whole object, and the request may be a part of it: the rest is read first. */
  readFirst?: WholeRead | undefined
  /** The history keeps the members that it changes, so that it can be undone. */
  isKept?: boolean
  /** The rows of the answer in a table and CSV, where it is about several things; the other formats have the answer. */
  rows?: ((answer: AnswerOf<E>) => Iterable<object>) | undefined
}

/** The part of a run that makes one write. */
export type SingleRun = Writing & { host: Pick<Host, 'stop' | 'stdout' | 'sleep'> }

/**
 * Makes one write and shows its answer; returns the answer, or undefined when it was empty or nothing was sent.
 *
 * Errors in flags and request are found before the question and before the first request (exit 2).
 * `--dry-run` shows the request, with secrets hidden, and sends nothing.
 */
export async function writeOne<E extends Endpoint>(
  write: SingleWrite<E>,
  run: SingleRun,
): Promise<AnswerOf<E> | undefined> {
  const { endpoint, question } = write
  return await carryOut(run, write, ({ client, profile }) => {
    const request = typeof write.request === 'function' ? write.request(profile) : write.request
    const plan = client.plan(endpoint, request)
    const { path, body = {} } = request as LooseRequest
    const whole = write.readFirst?.members.every((name) => Object.hasOwn(body as object, name))
      ? undefined
      : write.readFirst
    return {
      // ASSUMED A-w-1: a plan of such a call shows only what was named; the rest of its body would be read first.
      requests: [...(whole ? [client.plan(whole.get, { path } as never)] : []), plan],
      question: {
        action: question ?? `${actionOf(endpoint)}${namedIn(request)}`,
        detail: detailFor({ client, profile }, endpoint, request),
        asks: question !== undefined || endpoint.confirm !== undefined,
        isFinal: write.isFinal ?? isFinalCall(endpoint),
      },
      send: async () => await sendOne(client, { ...write, request, readFirst: whole }, run),
    }
  })
}

/** Sends a write, and shows its answer. */
async function sendOne<E extends Endpoint>(
  client: Client,
  write: Omit<SingleWrite<E>, 'request'> & { request: RequestOf<E> },
  { show, host }: SingleRun,
): Promise<AnswerOf<E> | undefined> {
  const { endpoint, request, columns, done, repeat, shown, rows, existing, readFirst } = write
  const evidence = write.listed
    ? (await import('../../writes/prove-list.ts')).evidenceInList(endpoint, request as LooseRequest, write.listed, host)
    : evidenceFor(endpoint, request as LooseRequest)
  const sent = readFirst
    ? await (await import('./read-first.ts')).wholeOf(client, endpoint, request, readFirst)
    : { endpoint, request, now: undefined }
  const kept = write.isKept ? await recordsUndo(client, endpoint, sent.request, sent.now) : undefined
  const ifTaken =
    existing &&
    (async (refused: RowResult) => {
      const value = await existingInstead(refused, keepingClient(client), existing)
      const what = existing.choice === 'update' ? 'updated, not created' : 'nothing was created'
      show.say(`${existing.named} already exists; ${what}`)
      return { state: 'ok', value } as const
    })
  const { state, value } = await mustAct(client, { ...sent, repeat, evidence, ifTaken }, { kept })
  const answer = value as AnswerOf<E>
  if (state === 'ok_inferred') {
    const what = done === undefined ? '' : `: ${done}`
    show.warn(`the answer was lost, but a later one shows that the request was applied${what}`)
    if (value === undefined) return undefined
    await show.afterWrite.one(((await shown?.(answer, client)) ?? value) as object, columns)
    return undefined
  }
  if (rows && show.isTabular) await show.afterWrite.rows(rows(answer), columns)
  else if (typeof answer === 'object' && answer !== null) {
    const part = (await shown?.(answer, client)) ?? answer
    if (typeof part === 'string') await writerTo(host.stdout, onlyClosedPipe(host.stop)).write(part)
    else await show.afterWrite.one(part, columns)
  }
  if (done !== undefined && Object.keys(answer ?? {}).length === 0) show.say(done)
  return answer
}

/**
 * Reads what a call is about to change, unless it was read already, and returns what the history keeps of it. What cannot be read
 * is not kept: the call itself does not depend on it.
 */
export async function recordsUndo(
  client: Client,
  endpoint: Endpoint,
  request: LooseRequest,
  known?: Record<string, unknown>,
): Promise<CallOptions['changed']> {
  const [{ changingCall, keptValues, objectNow }, { inverseOf }] = await Promise.all([
    import('../../config/undo.ts'),
    import('../../contract/inverses.ts'),
  ])
  const call = changingCall(endpoint)
  if (call === undefined || inverseOf(endpoint) !== undefined) return undefined
  const ids = (request.path ?? {}) as Record<string, string>
  const read = (id: string) => objectNow(client, call.kind, ids, id)
  if (call.act === 'create') {
    const { source_id } = isRecord(request.body) ? request.body : {}
    // What is there already is changed by this call, or replaced: deleting it would not undo that.
    const isReplacing = isRecord(request.query) && request.query.force === true
    const isNew = !isReplacing && (typeof source_id !== 'string' || (await isAbsent(read(source_id))))
    return isNew ? (answer) => keptValues(call, undefined, request.body, answer) : () => ({})
  }
  const now = known ?? (await read(Object.values(ids).at(-1) ?? '').catch(() => undefined))
  return (answer) => keptValues(call, now, request.body, answer)
}

/** A client whose history has what its calls change. */
function keepingClient(client: Client): Client {
  return {
    ...client,
    async call(endpoint, request, options) {
      return client.call(endpoint, request, {
        ...options,
        changed: await recordsUndo(client, endpoint, (request ?? {}) as LooseRequest),
      })
    },
  }
}

/** Says whether a read found nothing; what cannot be read may be there. */
async function isAbsent(read: Promise<object | undefined>): Promise<boolean> {
  return await read.then(
    (found) => found === undefined,
    () => false,
  )
}

/** Says what a call does, as a question begins: `create a webhook`. */
export function actionOf({ summary }: Pick<Endpoint, 'summary'>): string {
  return summary.charAt(0).toLowerCase() + summary.slice(1)
}

/** The ids in the path of a request but the project, in quotes. */
function namedIn({ path = {} }: { path?: Readonly<Record<string, string>> }): string {
  return Object.entries(path)
    .filter(([name]) => name !== 'projectId')
    .map(([, id]) => ` ${quotedValue(id)}`)
    .join('')
}
