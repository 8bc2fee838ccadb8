// Declarations of calls of the service. Both sides read them: the client to send, the sandbox to answer.
import type { z } from 'zod'

/** The names in braces of a path, derived from its text: `/v1/vouchers/{code}` yields `{ code: string }`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof PathParameters<Rest>]: string }
  : // biome-ignore lint/complexity/noBannedTypes: the empty object ends the recursion; Record<string, never> would poison the union.
    {}

/**
 * What one more identical call does; decides whether an ambiguous call may be sent again (docs/reliability.md#retry-classes).
 *
 * - `read`: nothing, it only reads.
 * - `key`: it is refused, because a unique key in the request is taken.
 * - `idempotent`: the end state is the same.
 * - `reconcile`: it makes a second one, but a listing shows whether the first exists.
 * - `duplicate`: it makes a second one that does no harm.
 * - `once`: it takes effect twice, which cannot be detected afterwards.
 */
export type Repeat = 'read' | 'key' | 'idempotent' | 'reconcile' | 'duplicate' | 'once'

/** Where a value is in a request or an answer, by names and indexes: `body.0.source_id`, `path.memberId`, `details.balance.points`. */
export type ValuePath = string

/** How something is read that a call is about. Names of its path that are not given are those of the call's own path. */
export interface Reading {
  /** A function, because the call may be declared later. */
  call: () => Endpoint
  path?: Readonly<Record<string, ValuePath>>
  query?: Readonly<Record<string, ValuePath | { is: string }>>
}

/**
 * What shows that a call was applied although its answer was lost. Source: docs/reliability.md#outcome-model.
 *
 * - `object`: the object that it makes or changes, or the one that this names at `via`, once it has the values of `has`. It is compared
 *   with the body, or with `same` alone, and with the values of `also`.
 * - `list`: it is listed since, and has every member that was asked for. `as`: the member of the answer that has it.
 * - `source`: a row with the caller's own id, newer than the `newest` before, or where there was `none`; and of that size, where an id may
 *   be used again. `made`: what the id of the row is called, where the answer is not the row.
 * - `batch`: whoever sends it reads all that it is about.
 */
export type Proof =
  | {
      by: 'object'
      read: Reading
      via?: ValuePath
      has?: Readonly<Record<string, unknown>>
      same?: readonly string[]
      also?: Readonly<Record<string, ValuePath>>
    }
  | { by: 'list'; read: Reading; as?: string }
  | {
      by: 'source'
      read: Reading
      id: ValuePath
      since: 'newest' | 'none'
      size?: { asked: ValuePath; times?: -1; listed: readonly ValuePath[] }
      made?: 'transaction_id'
    }
  | { by: 'batch' }

/** What is known of a call whose answer was lost; every call that may count twice or creates says one of these. */
export interface Effect {
  /** The keys of a 409 that show that an earlier attempt was applied; null: a 409 without a key. */
  taken?: readonly (string | null)[]
  proof?: Proof
  /** Why nothing proves it. */
  unproved?: string
}

/** The credentials of a call: the application pair or a bearer token, only the pair, the management or the client-side pair. */
export type Credential = 'application' | 'application-pair' | 'management' | 'client'

/**
 * How a list continues: by page number, by the id of the last item, or not at all.
 * Source: docs/service/lists.md#page-numbers.
 */
export type Paging =
  | { style: 'none' /** It takes a `limit` all the same. */; isLimited?: true }
  | { style: 'cursor' }
  | PageNumbers

export interface PageNumbers {
  style: 'page'
  lastPage: number
  /** The dates by which the list can be restricted, and how. A list by `created_at` can be read beyond its last page. */
  dates?: Partial<Record<DateField, DateBounds>>
  /** The order without an `order`; newest first unless this is set. */
  isOldestFirst?: boolean
  /** What an export calls these rows on promo's command line; it has all of them. */
  exportedAs?: string
  /** The field by which the list can be ordered, but not the export. */
  unexportedOrder?: string
}

/** The dates that every object has. */
export type DateField = 'created_at' | 'updated_at'

/**
 * How a list is restricted by a date: `created_at[after]`, a filter with conditions, or `start_date` and `end_date`, which
 * include their instants.
 */
export type DateBounds = 'period' | 'filters' | 'dates'

export interface Endpoint<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends Effect {
  /** `resource.verb`, unique; the name that tests, docs and errors use. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: Path
  credential: Credential
  /** The schema of the query string; absent: no parameters are allowed. */
  query?: Query
  /** The specification lists the values of its query, so that no other is passed over (docs/service/lists.md#page-numbers). */
  hasFixedQuery?: true
  /** The schema of the body; absent: the call has no body. */
  body?: Body
  /** `form` for the token endpoints, `multipart` for files (the members of the body are its parts), JSON otherwise. */
  encoding: 'json' | 'form' | 'multipart'
  /** The schema of a success answer; unknown fields pass unchanged. */
  response: Answer
  paging: Paging
  repeat: Repeat
  /**
   * Even a single call is confirmed, however it is made: it takes away, spends, or switches what belongs to many. `final`: nothing
   * brings back what it takes. A DELETE is final unless it says otherwise.
   */
  confirm?: 'final' | 'costly'
  /** Ids that it wants and a row may leave out: drawn once, when the row is taken up, and kept with it, so that a list shows what arrived. */
  drawn?: readonly string[]
  /**
   * It replaces the whole object: a member that is left out is refused, or has its default again. Returns the object that was read as
   * the call takes it.
   */
  replaces?: (now: never) => object
  /** The page and section of docs/service that describes the call. */
  source: string
  /** One sentence for documents generated from the contract. */
  summary: string
}

type Declared<Path extends string, Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType> = Omit<
  Endpoint<Path, Query, Body, Answer>,
  'id' | 'summary' | 'method' | 'path' | 'credential' | 'encoding' | 'paging' | 'repeat'
> &
  Partial<Pick<Endpoint, 'credential' | 'encoding' | 'paging'>> &
  // Method and path: `GET /v1/vouchers/{code}`. What one more POST does has to be said.
  ({ call: `${'GET' | 'PUT' | 'DELETE'} ${Path}`; repeat?: Repeat } | { call: `POST ${Path}`; repeat: Repeat })

/**
 * Declares one call of the service. Defaults: application credentials, JSON, not paged; a `GET` only reads, and a `PUT` or
 * `DELETE` leads to the same end state. That its key is taken shows that a creation was applied; management answers omit the key.
 *
 * The result is plain data; declaring a call sends nothing.
 */
export function endpoint<
  const Path extends string,
  Answer extends z.ZodType,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(
  id: string,
  summary: string,
  { call, ...declared }: Declared<Path, Query, Body, Answer>,
): Endpoint<Path, Query, Body, Answer> {
  const at = call.indexOf(' ')
  const [method, path] = [call.slice(0, at), call.slice(at + 1)] as [Endpoint['method'], Path]
  const repeat = method === 'GET' ? 'read' : 'idempotent'
  const defaults = {
    credential: 'application',
    encoding: 'json',
    paging: { style: 'none' },
    repeat,
    ...(method === 'DELETE' && { confirm: 'final' }),
    ...(declared.repeat === 'key' && { taken: ['duplicate_found', null] }),
  } as const
  return { id, summary, method, path, ...defaults, ...declared } as Endpoint<Path, Query, Body, Answer>
}

/** The parsed answer of an endpoint. */
export type AnswerOf<E extends Endpoint> = z.output<E['response']>

/** The body an endpoint takes, as a caller writes it. */
export type BodyOf<E extends Endpoint> = E extends Endpoint<string, z.ZodType, infer Body> ? z.input<Body> : never

/** The query an endpoint takes, as a caller writes it. */
export type QueryOf<E extends Endpoint> = E extends Endpoint<string, infer Query> ? z.input<Query> : never
