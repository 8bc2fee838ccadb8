// The earning rules of loyalty programs.
// Source: docs/service/webhooks.md#event-names; docs/service/loyalty.md#earning-rules.
import * as contract from '../../contract/earning-rules.ts'
import { removeAssignments } from '../answers/assignments.ts'
import { campaignFacts } from '../answers/campaign-facts.ts'
import { existingPart, routesFor, routesOf } from '../answers/existing.ts'
import { findLoyaltyProgram } from '../answers/loyalty.ts'
import { type Context, pageAnswer, type Resource } from '../http/route.ts'
import {
  createEarningRule,
  earningRuleAnswer,
  loadEarningRule,
  updateEarningRule,
} from '../resources/loyalty/earning-rules.ts'
import { storeUpdate, type UpdateResult } from '../resources/update.ts'
import { is } from '../storage/conditions.ts'
import type { StoredCampaign } from '../stores/campaigns.ts'
import { earningRules, type StoredEarningRule } from '../stores/loyalty.ts'

const routeForProgram = routesFor('campaignId', findLoyaltyProgram)
const about = routesOf((path: { campaignId: string; earningRuleId: string }, context) => {
  const campaign = findLoyaltyProgram(path.campaignId, context)
  return { campaign, rule: existingPart(earningRules, path.earningRuleId, { campaign_id: campaign.id }, context) }
})

/** Earning rules, by id within their program. */
export const earningRuleResource: Resource = {
  collections: [earningRules],
  load: { earning_rules: loadEarningRule },
  routes: [
    // ASSUMED A274: earning rules are listed newest first.
    routeForProgram(contract.listEarningRules, ({ id }, context, { query }) =>
      pageAnswer(earningRules, query, context, {
        where: [is(earningRules, 'campaign_id', id)],
        show: (items) => items.map(earningRuleAnswer),
      }),
    ),
    routeForProgram(contract.createEarningRules, (campaign, context, { body }) => {
      const made = body.map((rule) => createEarningRule(campaign, rule, context))
      for (const rule of made) recordEvent('assigned', rule, campaign, context)
      return made.map(earningRuleAnswer)
    }),
    about(contract.getEarningRule, ({ rule }) => earningRuleAnswer(rule)),
    about(contract.updateEarningRule, ({ rule, campaign }, context, { body }) =>
      answerChange('updated', updateEarningRule(rule, body, campaign, context), campaign, context),
    ),
    about(contract.enableEarningRule, (found, context) => switchRule(found, true, context)),
    about(contract.disableEarningRule, (found, context) => switchRule(found, false, context)),
    about(contract.deleteEarningRule, ({ rule, campaign }, context) => {
      context.in(earningRules).remove(rule.id)
      removeAssignments(rule.id, context)
      recordEvent('deleted', rule, campaign, context)
    }),
  ],
}

function switchRule(
  { rule, campaign }: { rule: StoredEarningRule; campaign: StoredCampaign },
  active: boolean,
  context: Context,
) {
  const change = storeUpdate(earningRules, rule, { ...rule, active }, context)
  return answerChange(active ? 'enabled' : 'disabled', change, campaign, context)
}

function answerChange(
  what: string,
  { doc, isChanged }: UpdateResult<StoredEarningRule>,
  campaign: StoredCampaign,
  context: Context,
) {
  if (isChanged) recordEvent(what, doc, campaign, context)
  return earningRuleAnswer(doc)
}

function recordEvent(what: string, rule: StoredEarningRule, campaign: StoredCampaign, context: Context): void {
  const data = { campaign: campaignFacts(campaign), earning_rule: earningRuleAnswer(rule) }
  context.emit(`campaign.earning_rule.${what}`, campaign.id, data)
}
