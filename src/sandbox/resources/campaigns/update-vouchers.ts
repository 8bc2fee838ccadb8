// Updates the vouchers of a changed campaign, in the background. Source: docs/service/async-actions.md#types.
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { validityFields } from '../../rules/eligibility/validity.ts'
import { is } from '../../storage/conditions.ts'
import type { StoredCampaign } from '../../stores/campaigns.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { enqueueAction, failAction, finishAction, progressAction } from '../async-actions/progress.ts'
import { voucherTemplate } from './vouchers.ts'

interface VoucherUpdate {
  campaign_id: string
  action_id: string
  changes: FieldChange[]
  total: number
  /** Vouchers examined, and vouchers changed. */
  seen: number
  done: number
  starting_after_id?: string
}

interface FieldChange {
  field: (typeof fields)[number]
  before: unknown
  after: unknown
}

/** The kind of the job. */
export const voucherUpdateKind = 'campaign.follow'

const sliceSize = 500
const fields = ['discount', 'category', 'category_id', ...validityFields, 'metadata', 'redemption.quantity'] as const

/** Starts updating the vouchers of a changed campaign; does nothing when it has none, or when no field of theirs changed. */
export function startVoucherUpdate(before: StoredCampaign, after: StoredCampaign, context: Context): void {
  const total = context.in(vouchers).count([is(vouchers, 'campaign_id', after.id)])
  if (!before.voucher || !after.voucher || total === 0) return
  const [old, fresh] = [voucherTemplate(before, undefined, context), voucherTemplate(after, undefined, context)]
  const changes = fields
    .map((field) => ({ field, before: fieldOf(old, field), after: fieldOf(fresh, field) }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after))
  if (changes.length === 0) return
  const action = enqueueAction('CAMPAIGN.VOUCHERS_UPDATE', context)
  const work: VoucherUpdate = { campaign_id: after.id, action_id: action.id, changes, total, seen: 0, done: 0 }
  context.later(voucherUpdateKind, work)
}

/** Changes a slice of the vouchers. */
export const voucherUpdateJob = job<VoucherUpdate>(
  (work, context) => {
    const table = context.in(vouchers)
    const ofCampaign = [is(vouchers, 'campaign_id', work.campaign_id)]
    const { items, more_starting_after } = table.cursor(ofCampaign, 'id', sliceSize, work.starting_after_id)
    let done = work.done
    for (const voucher of items) {
      const changed = updatedVoucher(voucher, work.changes)
      if (!changed) continue
      table.update({ ...changed, updated_at: context.now })
      done += 1
    }
    const seen = work.seen + items.length
    if (more_starting_after === undefined) {
      finishAction(work.action_id, { message: `${done} voucher(s) updated successfully.`, done_count: done }, context)
      return undefined
    }
    progressAction(work.action_id, seen, work.total, context)
    return { again: 0, payload: { ...work, seen, done, starting_after_id: more_starting_after } }
  },
  (work, context) =>
    failAction(work.action_id, { message: 'The vouchers could not be updated', done_count: work.done }, context),
)

function updatedVoucher(voucher: StoredVoucher, changes: readonly FieldChange[]): StoredVoucher | undefined {
  let next: StoredVoucher = voucher
  // A code that was handed out keeps its terms. Source: docs/service/campaigns.md#vouchers-follow-an-update.
  const isIssued = voucher.publish.count > 0 || voucher.holder_id !== null || voucher.redemption.redeemed_quantity > 0
  for (const { field, before, after } of changes) {
    if (isIssued && field !== 'metadata') continue
    // ASSUMED A238: a voucher that differs from its campaign in a field does so on purpose and keeps its own value.
    if (!isDeepStrictEqual(fieldOf(voucher, field), before)) continue
    next =
      field === 'redemption.quantity'
        ? { ...next, redemption: { ...next.redemption, quantity: after as number | null } }
        : { ...next, [field]: after }
  }
  return next === voucher ? undefined : next
}

function fieldOf(voucher: StoredVoucher, field: FieldChange['field']): unknown {
  return field === 'redemption.quantity' ? voucher.redemption.quantity : voucher[field]
}
