// The earning rules of loyalty programs.
// Source: docs/service/webhooks.md#event-names; docs/service/loyalty.md#earning-rules.
import * as contract from '../../../contract/earning-rules.ts'
import { notFound } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { type Answer, type Context, noContent, ok, pageAnswer, route } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { campaignFacts } from '../campaigns/facts.ts'
import type { StoredCampaign } from '../campaigns/store.ts'
import { storeUpdate, type UpdateResult } from '../update.ts'
import { removeAssignments } from '../validation-rules/assignments.ts'
import { earningRules, type StoredEarningRule } from './earning-rule-store.ts'
import { createEarningRule, earningRuleAnswer, loadEarningRule, updateEarningRule } from './earning-rules.ts'
import { findLoyaltyProgram } from './program.ts'

interface RulePath {
  campaignId: string
  earningRuleId: string
}

/** Earning rules, by id within their program. */
export const earningRuleResource: Resource = {
  collections: [earningRules],
  load: { earning_rules: loadEarningRule },
  routes: [
    // ASSUMED A274: earning rules are listed newest first.
    route(contract.listEarningRules, ({ path, query }, context) =>
      pageAnswer(earningRules, query, context, {
        where: [is(earningRules, 'campaign_id', findLoyaltyProgram(path.campaignId, context).id)],
        show: (items) => items.map(earningRuleAnswer),
      }),
    ),
    route(contract.createEarningRules, ({ path, body }, context) => {
      const campaign = findLoyaltyProgram(path.campaignId, context)
      const made = body.map((rule) => createEarningRule(campaign, rule, context))
      for (const rule of made) recordEvent('assigned', rule, campaign, context)
      return ok(made.map(earningRuleAnswer))
    }),
    route(contract.getEarningRule, ({ path }, context) => ok(earningRuleAnswer(known(path, context).rule))),
    route(contract.updateEarningRule, ({ path, body }, context) => {
      const { rule, campaign } = known(path, context)
      return changed('updated', updateEarningRule(rule, body, campaign, context), campaign, context)
    }),
    route(contract.enableEarningRule, ({ path }, context) => switched(path, true, context)),
    route(contract.disableEarningRule, ({ path }, context) => switched(path, false, context)),
    route(contract.deleteEarningRule, ({ path }, context) => {
      const { rule, campaign } = known(path, context)
      context.in(earningRules).remove(rule.id)
      removeAssignments(rule.id, context)
      recordEvent('deleted', rule, campaign, context)
      return noContent()
    }),
  ],
}

function known(path: RulePath, context: Context): { rule: StoredEarningRule; campaign: StoredCampaign } {
  const campaign = findLoyaltyProgram(path.campaignId, context)
  const rule = context.in(earningRules).get(path.earningRuleId)
  if (rule?.campaign_id !== campaign.id) throw notFound('earning_rule', path.earningRuleId)
  return { rule, campaign }
}

function switched(path: RulePath, active: boolean, context: Context): Answer {
  const { rule, campaign } = known(path, context)
  const change = storeUpdate(earningRules, rule, { ...rule, active }, context)
  return changed(active ? 'enabled' : 'disabled', change, campaign, context)
}

function changed(
  what: string,
  { doc, isChanged }: UpdateResult<StoredEarningRule>,
  campaign: StoredCampaign,
  context: Context,
): Answer {
  if (isChanged) recordEvent(what, doc, campaign, context)
  return ok(earningRuleAnswer(doc))
}

function recordEvent(what: string, rule: StoredEarningRule, campaign: StoredCampaign, context: Context): void {
  const data = { campaign: campaignFacts(campaign), earning_rule: earningRuleAnswer(rule) }
  context.emit(`campaign.earning_rule.${what}`, campaign.id, data)
}
