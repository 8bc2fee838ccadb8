// Whether an existing voucher is the one that a row asked for: what a taken code proves after a lost answer.

import type { Client } from '../../../api/client.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import type { RowResult } from '../../../bulk/run.ts'
import { updatedVoucher, updateVoucher } from '../../../contract/new-voucher.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { differences } from '../../../model/differences.ts'
import { voucherForms } from '../../../model/forms.ts'
import { membersIn } from '../../request/if-exists.ts'

/**
 * Compares a row with the existing voucher, after a lost answer and then a refusal because the code is taken.
 *
 * `ok_inferred` when it is as the row requested; `unknown` when it is not, because another client may have created it, or
 * changed it since. Throws what reading it throws. Source: docs/reliability.md#create-voucher.
 */
export async function inferredCreation(client: Client, code: string, sent: object): Promise<RowResult> {
  const there = await client.call(getVoucher, { path: { code } })
  // Where case does not matter, another row may have created the code in other letters.
  const different = [...(there.code === code ? [] : ['code']), ...differences(sent, there, voucherForms)]
  if (different.length === 0) return { state: 'ok_inferred', value: there }
  const message = `an answer was lost, and the code is taken by a voucher that differs in ${different.join(', ')}`
  const facts = { hint: `promo vouchers get ${argumentWords(code)}` }
  return { state: 'unknown', error: { kind: 'unknown_outcome', message, facts } }
}

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
