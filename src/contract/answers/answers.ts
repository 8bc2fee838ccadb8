// The complete form of every answer, by call and status.

import { z } from 'zod'
import { ownValue } from '../../base/record.ts'
import type { Endpoint } from '../endpoint.ts'
import { emptyAnswer } from '../fields.ts'
import * as campaigns from './campaigns.ts'
import * as customers from './customers.ts'
import * as evaluations from './evaluations.ts'
import { listOf, text } from './form.ts'
import * as loyalty from './loyalty.ts'
import * as orders from './orders.ts'
import * as products from './products.ts'
import * as projects from './projects.ts'
import * as rules from './rules.ts'
import * as vouchers from './vouchers.ts'

/** The body of an answer; null for one without a body. */
type Form = z.ZodType | null

/** An answer with status 200, or one for each status. */
type Answers = z.ZodType | Readonly<Record<number, Form>>

const transactions = listOf('data', vouchers.transaction)
const activities = listOf('data', customers.activity)
const nothing = z.object({})
const inBackground = { 202: projects.started }

const updatedRows = (key: 'code' | 'source_id') =>
  z.array(z.object({ [key]: text, found: z.boolean(), updated: z.boolean() }))
const holders = z.object({ holders: z.array(customers.holder) })

const read = ['get', 'list']

/** The answers of a resource: the object that is created, read or changed, and the list of them, which is under `key`. */
function about(id: string, form: z.ZodType, key = 'data', verbs = ['create', 'get', 'list', 'update']) {
  return Object.fromEntries(verbs.map((verb) => [`${id}.${verb}`, verb === 'list' ? listOf(key, form) : form]))
}

/** The calls that answer the same, by their ids. */
function each(form: Answers, ids: string) {
  return Object.fromEntries(ids.split(' ').map((id) => [id, form]))
}

const answers: Readonly<Record<string, Answers>> = {
  ...about('vouchers', vouchers.voucher, 'vouchers'),
  ...each(vouchers.voucher, 'vouchers.disable vouchers.enable vouchers.generate campaigns.vouchers.add'),
  ...each(vouchers.voucher, 'loyalty.members.transfer vouchers.publish'),
  ...each(activities, 'vouchers.activity.list campaigns.activity.list loyalty.members.activity.list'),
  ...each(activities, 'loyalty.members.activities.list customers.activity.list customers.activities.list'),
  ...each(vouchers.balance, 'vouchers.balance loyalty.members.balance loyalty.members.pending-points.activate'),
  ...each(transactions, 'vouchers.transactions.list campaigns.transactions.list loyalty.transactions.list'),
  'loyalty.card-transactions.list': transactions,
  ...each(projects.exportForm, 'vouchers.transactions.export campaigns.transactions.export'),
  ...each(projects.exportForm, 'loyalty.transactions.export loyalty.card-transactions.export'),
  ...each(projects.exportForm, 'loyalty.points-expiration.export orders.export'),
  'vouchers.redemption': evaluations.voucherRedemption,
  'vouchers.publications.list': listOf('publications', evaluations.publication),
  'vouchers.redemptions.list': listOf('redemptions', evaluations.redemptionOrRollback),
  'validations.validate': evaluations.validation,
  'redemptions.create': evaluations.redeemed,
  ...about('redemptions', evaluations.redemptionOrRollback, 'redemptions', read),
  'redemptions.rollback': evaluations.rollback,
  'redemptions.rollbacks': evaluations.rolledBack,
  'qualifications.check': evaluations.qualification,
  ...each(evaluations.qualificationList, 'campaigns.qualification vouchers.qualification'),
  ...each(evaluations.promotionsValidation, 'promotions.validate client.promotions.validate-query'),
  ...about('promotions.tiers', campaigns.promotionTier, 'tiers'),
  ...each(campaigns.promotionTier, 'promotions.tiers.enable promotions.tiers.disable'),
  ...about('promotions.stacks', campaigns.promotionStack),
  ...about('campaigns', campaigns.campaign, 'campaigns'),
  ...each(inBackground, 'campaigns.delete vouchers.import vouchers.import-csv vouchers.bulk.update'),
  ...each(inBackground, 'vouchers.bulk.metadata customers.import customers.bulk.update customers.bulk.metadata'),
  ...each(inBackground, 'products.bulk.update products.bulk.metadata campaigns.vouchers.import'),
  ...each(nothing, 'campaigns.enable campaigns.disable'),
  'campaigns.summary': campaigns.campaignSummary,
  'campaigns.vouchers.generate': { 200: vouchers.voucher, 202: projects.started },
  'templates.copy': campaigns.template,
  ...about('templates', campaigns.template, 'campaign_templates'),
  'templates.list-of-project': listOf('campaign_templates', campaigns.template),
  'templates.campaign-setup': campaigns.campaignSetup,
  'templates.tier-setup': campaigns.tierSetup,
  ...about('loyalty.programs', campaigns.campaign, 'campaigns'),
  // These answer 200 although their work continues as well.
  ...each(projects.started, 'loyalty.programs.delete campaigns.vouchers.import-csv orders.import products.import'),
  'skus.import': projects.started,
  'loyalty.programs.estimate': loyalty.pointsEstimate,
  ...about('loyalty.members', vouchers.voucher, 'vouchers', ['create', 'get', 'list']),
  ...each(evaluations.redemption, 'loyalty.members.redeem vouchers.redeem promotions.tiers.redeem'),
  'loyalty.points-expiration.list': listOf('data', loyalty.pointsBucket),
  ...about('loyalty.earning-rules', loyalty.earningRule),
  'loyalty.earning-rules.create': z.array(loyalty.earningRule),
  ...each(loyalty.earningRule, 'loyalty.earning-rules.enable loyalty.earning-rules.disable'),
  ...about('loyalty.tiers', loyalty.loyaltyTier, 'data', read),
  'loyalty.tiers.create': z.array(loyalty.loyaltyTier),
  'loyalty.tiers.earning-rules.list': listOf('data', loyalty.earningRule),
  'loyalty.tiers.rewards.list': listOf('data', loyalty.tierReward),
  'loyalty.members.tiers.list': listOf('data', loyalty.memberTier),
  ...each(listOf('data', vouchers.pendingPoints), 'loyalty.pending-points.list loyalty.members.pending-points.list'),
  'loyalty.members.pending-points.balance': loyalty.pendingBalance,
  ...each(listOf('data', loyalty.programReward), 'loyalty.rewards.list loyalty.cards.rewards'),
  ...each(loyalty.rewardAssignment, 'loyalty.rewards.update loyalty.rewards.get'),
  'loyalty.rewards.assign': z.array(loyalty.rewardAssignment),
  ...about('loyalty.reward-assignments', loyalty.rewardAssignment, 'data', read),
  'loyalty.rewards.details': loyalty.reward,
  ...about('rewards.assignments', loyalty.rewardAssignment),
  ...about('rewards', loyalty.reward),
  'referrals.holders.add': holders,
  'referrals.holders.list': listOf('data', customers.holder),
  ...about('publications', evaluations.publication, 'publications', ['create', 'list']),
  'events.send': projects.event,
  ...about('customers', customers.customer, 'customers'),
  'client.vouchers.list': listOf('vouchers', vouchers.listedVoucher),
  'customers.redeemables.list': listOf('data', evaluations.heldRedeemable),
  ...about('segments', customers.segment, 'data', ['create', 'get', 'list']),
  'customers.segments.list': listOf('data', customers.segment),
  ...about('products', products.product, 'products'),
  ...about('skus', products.sku, 'skus'),
  'products.sku': products.sku,
  ...about('product-collections', products.productCollection),
  'product-collections.products.list': listOf('data', z.discriminatedUnion('object', [products.product, products.sku])),
  ...about('categories', rules.category),
  ...about('validation-rules', rules.validationRule),
  'validation-rules.validate': evaluations.ruleValidation,
  'validation-rules.assign': rules.assignment,
  ...each(listOf('data', rules.assignment), 'validation-rules.assignments.list validation-rules-assignments.list'),
  'vouchers.validate': evaluations.voucherValidation,
  ...each(updatedRows('source_id'), 'products.bulk.now products.bulk.metadata-now'),
  ...each(updatedRows('code'), 'vouchers.bulk.now vouchers.bulk.metadata-now'),
  ...about('orders', orders.order, 'orders'),
  ...about('exports', projects.exportForm, 'exports', ['create', 'get', 'list']),
  ...about('async-actions', projects.asyncAction, 'async_actions', read),
  'trash-bin.list': listOf('data', projects.binEntry),
  ...about('webhooks', projects.webhook),
  ...about('event-schemas', projects.eventSchema),
  ...about('locations', projects.location, 'locations', read),
  ...about('metadata-schemas', projects.metadataSchema, 'schemas', read),
  ...about('project-metadata-schemas', projects.metadataSchema),
  ...about('stacking-rules', projects.stackingRules),
  // A token that is unknown, expired or revoked is refused without a body.
  'oauth.revoke': { 204: null, 404: null },
  ...about('projects', projects.project),
}

/** The ids of the calls whose answers have a form here; of those that differ only by their path, one (see `answersOf`). */
export const answeredCalls: readonly string[] = Object.keys(answers)

/**
 * Returns the forms of a call's success answers by status; null stands for no body.
 *
 * What pages call, and what is called below a campaign, answers as the same call elsewhere. A call that is not in the table answers what
 * its `response` names and nothing else: 204 when that is empty.
 */
export function answersOf({ id, response }: Pick<Endpoint, 'id' | 'response'>): Readonly<Record<number, Form>> {
  const declared = ownValue(answers, id) ?? ownValue(answers, id.replace(/^client\.|\bcampaign-/, ''))
  if (declared === undefined) return response === emptyAnswer ? { 204: null } : { 200: closedForm(response) }
  return declared instanceof z.ZodType ? { 200: declared } : declared
}

/** Returns the form of a response that names everything: of an object with members, no others. */
function closedForm(response: z.ZodType): z.ZodType {
  if (response instanceof z.ZodOptional) return closedForm(response.unwrap() as z.ZodType).optional()
  if (response instanceof z.ZodNullable) return closedForm(response.unwrap() as z.ZodType).nullable()
  if (response instanceof z.ZodArray) return z.array(closedForm(response.element as z.ZodType))
  if (!(response instanceof z.ZodObject) || Object.keys(response.shape).length === 0) return response
  const members = Object.entries(response.shape as Record<string, z.ZodType>)
  return z.object(Object.fromEntries(members.map(([name, member]) => [name, closedForm(member)])))
}
