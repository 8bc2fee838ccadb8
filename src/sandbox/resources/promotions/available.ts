// Whether a tier can be used just now, before anybody looks at rules.
import type { Context } from '../../http/route.ts'
import { limitsOf } from '../../rules/eligibility/usability.ts'
import { windowState } from '../../rules/eligibility/windows.ts'
import { campaigns } from '../campaigns/store.ts'
import type { StoredTier } from './tier-store.ts'

/** Says whether a tier and its campaign are switched on and inside their dates and windows. */
export function isAvailable(tier: StoredTier, context: Pick<Context, 'in' | 'now' | 'project'>): boolean {
  const campaign = context.in(campaigns).get(tier.campaign_id)
  if (!tier.active || campaign?.active === false) return false
  return windowState(limitsOf(tier, campaign), context.now, context.project.timezone) === 'open'
}
