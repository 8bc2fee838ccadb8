// Proof that a call was applied although its answer was lost, for calls that must not be sent again.
import type { Client } from '../../api/client.ts'
import { CallError } from '../../api/outcome/call-error.ts'

/** How a call is recognized in what the service lists. */
export interface AppliedProof {
  /** Reads what is there before the call; what it returns is handed to `isApplied`. */
  before: (client: Client) => Promise<unknown>
  /** Whether what is there now can only have come from the call. */
  isApplied: (client: Client, before: unknown) => Promise<boolean>
}

/**
 * Says whether a failed call is proved to have been applied. False proves nothing: the outcome stays unknown.
 *
 * Only a lost answer is looked into; a search that fails, or could not begin, proves nothing.
 */
export async function proofAfter(
  error: unknown,
  proof: AppliedProof | undefined,
  client: Client,
  before: unknown,
): Promise<boolean> {
  if (proof === undefined || before === undefined) return false
  if (!(error instanceof CallError) || error.phase !== 'ambiguous' || isStop(error)) return false
  try {
    return await proof.isApplied(client, before)
  } catch {
    return false
  }
}

/** Says whether a call ended because promo was told to stop. */
export function isStop(error: unknown): boolean {
  return error instanceof CallError && error.kind === 'stopped'
}
