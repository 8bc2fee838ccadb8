// Whether a tier can be used just now, before anybody looks at rules.
import type { Context } from '../route.ts'
import type { Campaign } from '../rules/model.ts'
import { limitsOf } from '../rules/usability.ts'
import { windowState } from '../rules/windows.ts'
import { campaigns } from '../store/campaigns.ts'
import type { StoredTier } from '../store/promotion-tiers.ts'

/** Says whether a tier and its campaign are switched on and inside their dates and windows. */
export function isAvailable(tier: StoredTier, context: Pick<Context, 'in' | 'now' | 'project'>): boolean {
  const campaign = context.in(campaigns).get(tier.campaign_id)
  if (!tier.active || campaign?.active === false) return false
  return windowState(limitsOf(tier, campaign as Campaign | undefined), context.now, context.project.timezone) === 'open'
}
