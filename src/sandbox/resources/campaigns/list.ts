// What a campaign listing may be restricted by. Source: docs/service/campaigns.md#list.
import type { z } from 'zod'
import type { listCampaigns } from '../../../contract/campaigns.ts'
import type { Context } from '../../http/route.ts'
import { type Condition, is } from '../../storage/conditions.ts'
import { compileFilters } from '../../storage/filters.ts'
import { campaigns } from './store.ts'

type Query = z.output<NonNullable<(typeof listCampaigns)['query']>>

/** Turns the query of a listing into conditions, all of which must hold. Throws BadFilter. */
export function restrictionsOf(query: Query, context: Pick<Context, 'now'>): Condition[] {
  const { campaign_type, campaign_status, is_referral_code, filters } = query
  const conditions: Condition[] = []
  if (campaign_type !== undefined) conditions.push(is(campaigns, 'campaign_type', campaign_type))
  // ASSUMED A239: campaign_status asks for a creation_status, the only status a campaign shows.
  if (campaign_status !== undefined)
    conditions.push({
      sql: "coalesce(doc ->> '$.creation_status', 'DONE') = ?",
      values: [campaign_status.toUpperCase()],
    })
  if (is_referral_code !== undefined)
    conditions.push({
      sql: `doc ->> '$.campaign_type' ${is_referral_code ? '=' : '<>'} ?`,
      values: ['REFERRAL_PROGRAM'],
    })
  if (filters) conditions.push(compileFilters(campaigns, filters, context.now))
  return conditions
}
