// Whether a redemption was rolled back by a call whose answer was lost.

import type { Client } from '../../../api/client.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import type { RowResult } from '../../../bulk/run.ts'
import { getRedemption } from '../../../contract/redemptions.ts'

/**
 * Reads a redemption after a lost answer and then a refusal, and the rollback that it names.
 *
 * `ok_inferred` when it is rolled back for the reason of this call; `unknown` otherwise, because someone else may have done
 * it, or the lost call may still arrive. Throws what reading throws.
 */
export async function inferredRollback(client: Client, redemptionId: string, reason: unknown): Promise<RowResult> {
  const { status, related_redemptions } = (await client.call(getRedemption, { path: { redemptionId } })) as Redemption
  const [rollback] = related_redemptions?.rollbacks ?? []
  if (status === 'ROLLED_BACK' && typeof rollback?.id === 'string') {
    const found = await client.call(getRedemption, { path: { redemptionId: rollback.id } })
    if ((found.reason ?? undefined) === reason) return { state: 'ok_inferred', value: found }
  }
  const message =
    status === 'ROLLED_BACK'
      ? 'an answer was lost, and the redemption is rolled back for another reason'
      : 'an answer was lost, and the redemption is not rolled back'
  const facts = { hint: `promo redemptions get ${argumentWords(redemptionId)}` }
  return { state: 'unknown', error: { kind: 'unknown_outcome', message, facts } }
}

/** What is read of a redemption; every member may be missing. */
interface Redemption {
  status?: unknown
  related_redemptions?: { rollbacks?: { id?: unknown }[] | null } | null
}
