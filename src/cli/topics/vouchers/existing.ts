// What `--if-exists` does with a voucher that has the code of a row.

import type { Client } from '../../../api/client.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import type { RowResult } from '../../../bulk/run.ts'
import { updatedVoucher, updateVoucher } from '../../../contract/new-voucher.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { differences } from '../../../model/differences.ts'
import { voucherForms } from '../../../model/forms.ts'
import { membersIn } from '../../request/if-exists.ts'

/**
 * Settles a row whose code is taken: `reuse` accepts a voucher that is as the row asks, `update` makes it so.
 *
 * What an update cannot change (type, amounts, campaign) must be equal; otherwise the conflict stays, and names it. Throws
 * what the calls throw.
 */
export async function existingVoucher(
  client: Client,
  code: string,
  sent: object,
  conflict: RowResult,
  choice: 'reuse' | 'update',
): Promise<RowResult> {
  const about = { attempts: conflict.attempts, requestId: conflict.requestId }
  const there = await client.call(getVoucher, { path: { code } })
  const different = differences(sent, there, voucherForms)
  if (different.length === 0) return { state: 'ok', value: there, changed: false, ...about }
  const change = membersIn(sent, updatedVoucher.shape)
  const fixed = different.filter((path) => choice === 'reuse' || !Object.hasOwn(change, path.split(/[.[]/, 1)[0] ?? ''))
  if (fixed.length === 0) {
    const changed = await client.call(updateVoucher, { path: { code }, body: change })
    return { state: 'ok', value: changed, changed: true, ...about }
  }
  const message = `the code is taken by a voucher that differs in ${fixed.join(', ')}`
  const kind = conflict.error?.kind ?? 'api'
  return {
    ...conflict,
    error: { kind, message, facts: { ...conflict.error?.facts, hint: `promo vouchers get ${argumentWords(code)}` } },
  }
}
