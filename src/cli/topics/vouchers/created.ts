// Whether a voucher that is there is the one a row asked for: what a taken code proves after an answer was lost.
import type { Client } from '../../../api/client.ts'
import type { Verdict } from '../../../bulk/run.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { differsFrom } from './difference.ts'

/**
 * Looks at a voucher whose creation was refused as taken after an answer had been lost.
 *
 * `ok_inferred` when it stands as the row wanted it; `unknown` when it does not, because then somebody else may have made
 * it, or changed it since. Throws what reading it throws. Source: docs/reliability.md#create-voucher.
 */
export async function inferredCreation(client: Client, code: string, sent: object): Promise<Verdict> {
  const there = await client.call(getVoucher, { path: { code } })
  const different = differsFrom(sent, there)
  if (different.length === 0) return { state: 'ok_inferred', value: there }
  const message = `an answer was lost, and the code is taken by a voucher that differs in ${different.join(', ')}`
  const facts = { hint: `promo vouchers get ${code}` }
  return { state: 'unknown', error: { kind: 'unknown_outcome', message, facts } }
}
