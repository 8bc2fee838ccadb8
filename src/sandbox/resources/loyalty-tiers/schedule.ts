// Queues the decision about a member's tier. Source: docs/service/loyalty-tiers.md#when.
import type { Context } from '../../http/route.ts'
import type { StoredVoucher } from '../vouchers/store.ts'
import { settingsOfTiers } from './settings.ts'

/** The job that decides about the tier of a member; member.ts. */
export const memberKind = 'loyalty.tier.member'

/** Queues the decision after a change of points, behind the reward that may redeem itself. */
export function scheduleTier(card: StoredVoucher, context: Pick<Context, 'in' | 'later'>): void {
  if (settingsOfTiers(card, context)) context.later(memberKind, { voucher_id: card.id })
}
