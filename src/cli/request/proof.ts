// Proof that a call was applied although its answer was lost, for calls that must not be sent again.
import type { Client } from '../../api/client.ts'
import { CallError } from '../../api/outcome/call-error.ts'
import type { RowResults } from '../../bulk/input/report-columns.ts'
import { EXIT, PromoError } from '../../errors.ts'

/** How a call is recognized in what the service lists. */
export interface AppliedProof {
  /** What it is recognized by. Of two calls with the same, neither is proved: what one made could be what the other made. */
  evidence: string
  /** Reads what is there before the call; what it returns is handed to `find`. */
  before: (client: Client) => Promise<unknown>
  /** Finds what can only have come from the call, unless another call has the same evidence; undefined: there is none. */
  find: (client: Client, before: unknown) => Promise<Found | undefined>
  /** The command that lists what it searches, three times: the next step where it finds nothing. */
  listedBy?: () => string
}

/** What proves a call. */
export interface Found {
  /** In the form of the call's answer. */
  value?: unknown
  /** Ids of what the call made, where they are not in the form of its answer. */
  results?: RowResults
}

/**
 * Finds what proves that a failed call was applied. Undefined proves nothing: the outcome stays unknown.
 *
 * Only a lost answer is looked into; a search that fails, or could not begin, proves nothing.
 */
export async function proofAfter(
  error: unknown,
  proof: AppliedProof | undefined,
  client: Client,
  before: unknown,
): Promise<Found | undefined> {
  if (proof === undefined || before === undefined) return undefined
  if (!(error instanceof CallError) || error.phase !== 'ambiguous' || isStop(error)) return undefined
  try {
    return await proof.find(client, before)
  } catch {
    return undefined
  }
}

/**
 * The error of a lost call whose effect no listing shows. That proves nothing: it may still be applied later.
 *
 * Anything but an unknown outcome (a stop, a redirect) keeps its own message.
 */
export function notListed(error: unknown, listedBy: string): unknown {
  if (!(error instanceof CallError) || error.exitCode !== EXIT.unknown) return error
  const message = `${error.message}; three listings did not find it`
  return new PromoError(error.kind, message, { ...error.facts, hint: listedBy }, error.exitCode)
}

/** Says whether a call ended because promo was told to stop. */
export function isStop(error: unknown): boolean {
  return error instanceof CallError && error.kind === 'stopped'
}
