// The one family of errors, and the exit codes. A command that fails throws a PromoError; any other error is a bug in promo.

/**
 * Exit codes by what the caller should do next; the meaning of each is in cli/help/exit-codes.ts.
 * Source: docs/errors.md#exit-codes.
 */
export const EXIT = {
  ok: 0,
  bug: 1,
  usage: 2,
  refused: 3,
  auth: 4,
  unavailable: 5,
  unknown: 6,
  stopped: 7,
  held: 8,
  journal: 9,
  io: 10,
  unconfirmed: 11,
  no: 12,
  hangup: 129,
  interrupted: 130,
  closedPipe: 141,
  terminated: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The kind of failure, as scripts see it in the JSON form of an error (`error.kind`). */
export type ErrorKind = keyof typeof exitOf

/** The exit code that each kind of failure has unless it is given another. */
const exitOf = {
  usage: EXIT.usage,
  input: EXIT.usage,
  config: EXIT.auth,
  auth: EXIT.auth,
  api: EXIT.refused,
  network: EXIT.unavailable,
  unknown_outcome: EXIT.unknown,
  partial: EXIT.unavailable,
  io: EXIT.io,
  confirmation: EXIT.unconfirmed,
  held: EXIT.held,
  journal: EXIT.journal,
  changed: EXIT.refused,
  stopped: EXIT.terminated,
  bug: EXIT.bug,
} as const

/** What the service reported, reduced to what may be shown: never headers, never a request body. */
export interface ApiFacts {
  code?: number
  key?: string
  details?: string
  request_id?: string
  resource_id?: string
  resource_type?: string
  custom_message?: string
}

/** The exchange that failed, without its query string. */
export interface HttpFacts {
  method: string
  path: string
  status?: number
}

export interface ErrorFacts {
  /** What to do next: a command to paste where there is one. */
  hint?: string
  http?: HttpFacts
  api?: ApiFacts
  /** Whether the same call may succeed later without any change. */
  retryable?: boolean
  /** The line breaks of the message are promo's own: whatever came from elsewhere is on one line of it. */
  hasLines?: true
  cause?: unknown
}

/**
 * A failure that the user can act on.
 *
 * `message` says what failed, about which thing, and why, in lower case and without a full stop; `hint` is the next
 * step. Only the fields named here are ever printed: the launcher works from this allow-list. The exit code follows from the
 * kind unless another one says better what to do next.
 */
export class PromoError extends Error {
  override readonly name = 'PromoError'
  readonly kind: ErrorKind
  readonly exitCode: ExitCode
  readonly facts: ErrorFacts

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}, exitCode: ExitCode = exitOf[kind]) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.kind = kind
    this.exitCode = exitCode
    this.facts = facts
  }
}

/** Makes the error for a wrong flag, argument or file: exit 2, before any request. */
export function usageError(message: string, hint?: string): PromoError {
  return new PromoError('usage', message, hint === undefined ? {} : { hint })
}
