// What the times of vouchers prove when a job is undone: what it changed, and that nobody changed it since.

import type { Client } from '../../../api/client.ts'
import { sleep } from '../../../api/connection.ts'
import { ofMissing } from '../../../api/outcome/call-error.ts'
import { argumentWords, shellWord } from '../../../base/shell-word.ts'
import type { Row } from '../../../bulk/input/row.ts'
import type { JobHeader } from '../../../bulk/journal/job.ts'
import type { EffectiveRow } from '../../../bulk/journal/undo-rows.ts'
import type { RowResult } from '../../../bulk/run.ts'
import { disableVoucher, enableVoucher, getVoucher } from '../../../contract/vouchers.ts'
import { PromoError } from '../../../errors.ts'
import { leftAt } from '../../undo.ts'

/** A job that is about to be undone, and what is known of its rows. */
export interface UndoneJob {
  header: JobHeader
  /** Its rows that will be undone. */
  rows: () => Iterable<EffectiveRow>
  /** How many of its rows these are. */
  count: number
  /** How many of its rows were answered without saying whether that changed anything. */
  untold: number
}

/** Rows that are tried before it counts as unknown how the service stamps. */
const mostTried = 10

const wholeSecondMs = 1100

/**
 * Throws `unknown_outcome` (exit 6) when it does not hold that `updated_at` is only renewed by a change, and by the clock of the
 * answers: it is then no proof that the job changed anything, and a voucher that was off before would be switched on.
 *
 * One call of the job is sent once more, for a voucher that is still as the job left it, and must leave its time as it was.
 */
export async function mustStampOnlyChanges({ header, rows, count, untold }: UndoneJob, client: Client): Promise<void> {
  // If the clock that stamps vouchers is ahead of the one in `Date`, a voucher that somebody else switched off shortly before shows
  // the very time of the call.
  if (untold > count) throw noProof(header, 'most times of the vouchers are not those of the calls')
  if (header.origin === 'sandbox' || header.flags['prove-change'] === true) return
  const isOn = header.command === 'vouchers:enable'
  let isAllChanged = true
  let tried = 0
  for (const { row, results } of rows()) {
    if (tried === mostTried) break
    tried += 1
    const { key } = row
    const there = await client.call(getVoucher, { path: { code: key } }).catch(ofMissing)
    if (there === undefined) continue
    if (there.updated_at === results.updated_at) isAllChanged = false
    if (there.active !== isOn) continue
    // In whole seconds, a second call within the same one would show the same time.
    if (!/\.\d*[1-9]/.test(String(there.updated_at))) await sleep(wholeSecondMs)
    const { updated_at } = await client.call(isOn ? enableVoucher : disableVoucher, { path: { code: key } })
    if (typeof updated_at === 'string' && updated_at === there.updated_at) return
    throw noProof(header, `the service renews updated_at even when nothing changes (${key})`)
  }
  // Then there is nothing to prove: others changed each of them, and each is left alone.
  if (isAllChanged && tried === count) return
  throw noProof(header, 'no voucher is left as the job switched it, which could show how the service keeps updated_at')
}

function noProof({ id }: JobHeader, why: string): PromoError {
  const message = `it is unknown which vouchers job ${id} changed: ${why}; nothing was undone`
  return new PromoError('unknown_outcome', message, {
    hint: `promo jobs report ${shellWord(id)} --only ok --csv lists the rows; switch those that you know were different before`,
  })
}

/**
 * Returns the outcome of a row of an undo whose voucher was changed since the job switched it: `skipped`. Undefined where it was
 * not, where it does not exist, and for a voucher that is as the undo wants it after a call whose answer was lost.
 */
export async function leftAlone(
  client: Client,
  { key, past, fields }: Row,
  isOn: boolean,
): Promise<RowResult | undefined> {
  const there = await client.call(getVoucher, { path: { code: key } }).catch(ofMissing)
  const before = fields[leftAt]
  if (before === undefined || there === undefined || there.updated_at === before) return undefined
  // The lost call may have been the one that changed it.
  if (past?.lost === true && there.active === isOn) return undefined
  const at = typeof there.updated_at === 'string' ? ` (at ${there.updated_at})` : ''
  const message = `it was changed after the job switched it${at}, and is left as it is`
  return {
    state: 'skipped',
    error: { kind: 'changed', message, facts: { hint: `promo vouchers get ${argumentWords(key)}` } },
  }
}
