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

const answers: Readonly<Record<string, Answers>> = {
  ...about('vouchers', vouchers.voucher, 'vouchers'),
  'vouchers.disable': vouchers.voucher,
  'vouchers.enable': vouchers.voucher,
  'vouchers.activity.list': activities,
  'vouchers.balance': vouchers.balance,
  'vouchers.transactions.list': transactions,
  'vouchers.transactions.export': projects.exportForm,
  'vouchers.redemption': evaluations.voucherRedemption,
  'vouchers.generate': vouchers.voucher,
  'vouchers.publications.list': listOf('publications', evaluations.publication),
  'vouchers.redemptions.list': listOf('redemptions', evaluations.redemptionOrRollback),
  'validations.validate': evaluations.validation,
  'client.validations.validate': evaluations.validation,
  'redemptions.create': evaluations.redeemed,
  ...about('redemptions', evaluations.redemptionOrRollback, 'redemptions', read),
  'redemptions.rollback': evaluations.rollback,
  'redemptions.rollbacks': evaluations.rolledBack,
  'qualifications.check': evaluations.qualification,
  'client.qualifications.check': evaluations.qualification,
  'campaigns.qualification': evaluations.qualificationList,
  'promotions.validate': evaluations.promotionsValidation,
  'client.promotions.validate': evaluations.promotionsValidation,
  ...about('promotions.tiers', campaigns.promotionTier, 'tiers'),
  'promotions.campaign-tiers.list': listOf('tiers', campaigns.promotionTier),
  'promotions.tiers.enable': campaigns.promotionTier,
  'promotions.tiers.disable': campaigns.promotionTier,
  ...about('promotions.stacks', campaigns.promotionStack),
  'promotions.campaign-stacks.list': listOf('data', campaigns.promotionStack),
  ...about('campaigns', campaigns.campaign, 'campaigns'),
  'campaigns.delete': inBackground,
  'campaigns.enable': nothing,
  'campaigns.disable': nothing,
  'campaigns.activity.list': activities,
  'campaigns.summary': campaigns.campaignSummary,
  'campaigns.transactions.list': transactions,
  'campaigns.transactions.export': projects.exportForm,
  'campaigns.vouchers.generate': { 200: vouchers.voucher, 202: projects.started },
  'campaigns.vouchers.add': vouchers.voucher,
  'templates.copy': campaigns.template,
  ...about('templates', campaigns.template, 'campaign_templates'),
  'templates.list-of-project': listOf('campaign_templates', campaigns.template),
  'templates.campaign-setup': campaigns.campaignSetup,
  'templates.tier-setup': campaigns.tierSetup,
  ...about('loyalty.programs', campaigns.campaign, 'campaigns'),
  'loyalty.programs.delete': projects.started,
  'loyalty.programs.estimate': loyalty.pointsEstimate,
  ...about('loyalty.members', vouchers.voucher, 'vouchers', ['create', 'get', 'list']),
  'loyalty.members.redeem': evaluations.redemption,
  'loyalty.campaign-members.redeem': evaluations.redemption,
  'loyalty.campaign-members.get': vouchers.voucher,
  'loyalty.members.activity.list': activities,
  'loyalty.members.activities.list': activities,
  'loyalty.campaign-members.activity.list': activities,
  'loyalty.campaign-members.activities.list': activities,
  'loyalty.members.balance': vouchers.balance,
  'loyalty.campaign-members.balance': vouchers.balance,
  'loyalty.members.transfer': vouchers.voucher,
  'loyalty.transactions.list': transactions,
  'loyalty.transactions.export': projects.exportForm,
  'loyalty.card-transactions.list': transactions,
  'loyalty.card-transactions.export': projects.exportForm,
  'loyalty.campaign-card-transactions.list': transactions,
  'loyalty.campaign-card-transactions.export': projects.exportForm,
  'loyalty.points-expiration.list': listOf('data', loyalty.pointsBucket),
  'loyalty.points-expiration.export': projects.exportForm,
  ...about('loyalty.earning-rules', loyalty.earningRule),
  'loyalty.earning-rules.create': z.array(loyalty.earningRule),
  'loyalty.earning-rules.enable': loyalty.earningRule,
  'loyalty.earning-rules.disable': loyalty.earningRule,
  ...about('loyalty.tiers', loyalty.loyaltyTier, 'data', read),
  'loyalty.tiers.create': z.array(loyalty.loyaltyTier),
  'loyalty.tiers.earning-rules.list': listOf('data', loyalty.earningRule),
  'loyalty.tiers.rewards.list': listOf('data', loyalty.tierReward),
  'loyalty.members.tiers.list': listOf('data', loyalty.memberTier),
  'loyalty.pending-points.list': listOf('data', vouchers.pendingPoints),
  'loyalty.members.pending-points.list': listOf('data', vouchers.pendingPoints),
  'loyalty.campaign-members.pending-points.list': listOf('data', vouchers.pendingPoints),
  'loyalty.members.pending-points.activate': vouchers.balance,
  'loyalty.campaign-members.pending-points.activate': vouchers.balance,
  'loyalty.members.pending-points.balance': loyalty.pendingBalance,
  'loyalty.campaign-members.pending-points.balance': loyalty.pendingBalance,
  'loyalty.rewards.list': listOf('data', loyalty.programReward),
  'loyalty.rewards.update': loyalty.rewardAssignment,
  'loyalty.rewards.assign': z.array(loyalty.rewardAssignment),
  'loyalty.rewards.get': loyalty.rewardAssignment,
  ...about('loyalty.reward-assignments', loyalty.rewardAssignment, 'data', read),
  'loyalty.rewards.details': loyalty.reward,
  'loyalty.cards.rewards': listOf('data', loyalty.programReward),
  ...about('rewards.assignments', loyalty.rewardAssignment),
  ...about('rewards', loyalty.reward),
  'referrals.holders.add': holders,
  'referrals.campaign-holders.add': holders,
  'referrals.holders.list': listOf('data', customers.holder),
  'referrals.campaign-holders.list': listOf('data', customers.holder),
  ...about('publications', evaluations.publication, 'publications', ['create', 'list']),
  'vouchers.publish': vouchers.voucher,
  'events.send': projects.event,
  'client.events.send': projects.event,
  ...about('customers', customers.customer, 'customers'),
  'customers.activity.list': activities,
  'customers.activities.list': activities,
  'customers.permanent-deletion': customers.permanentDeletion,
  'client.customers.create': customers.customer,
  'client.promotions.tiers.list': listOf('tiers', campaigns.promotionTier),
  'client.redemptions.create': evaluations.redeemed,
  'client.vouchers.validate': evaluations.voucherValidation,
  'client.promotions.validate-query': evaluations.promotionsValidation,
  'client.vouchers.redeem': evaluations.redemption,
  'client.promotions.tiers.redeem': evaluations.redemption,
  'client.publications.create': evaluations.publication,
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
  'validation-rules.assignments.list': listOf('data', rules.assignment),
  'validation-rules-assignments.list': listOf('data', rules.assignment),
  'vouchers.validate': evaluations.voucherValidation,
  'vouchers.redeem': evaluations.redemption,
  'promotions.tiers.redeem': evaluations.redemption,
  'vouchers.qualification': evaluations.qualificationList,
  'vouchers.import': inBackground,
  'vouchers.import-csv': inBackground,
  'vouchers.bulk.update': inBackground,
  'vouchers.bulk.metadata': inBackground,
  'products.bulk.now': updatedRows('source_id'),
  'products.bulk.metadata-now': updatedRows('source_id'),
  'vouchers.bulk.now': updatedRows('code'),
  'vouchers.bulk.metadata-now': updatedRows('code'),
  'customers.import': inBackground,
  'customers.bulk.update': inBackground,
  'customers.bulk.metadata': inBackground,
  'products.bulk.update': inBackground,
  'products.bulk.metadata': inBackground,
  'campaigns.vouchers.import': inBackground,
  // These answer 200 although their work continues as well.
  'campaigns.vouchers.import-csv': projects.started,
  'orders.import': projects.started,
  'products.import': projects.started,
  'skus.import': projects.started,
  ...about('orders', orders.order, 'orders'),
  'orders.export': projects.exportForm,
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

/** The ids of the calls whose answers have a form here. */
export const answeredCalls: readonly string[] = Object.keys(answers)

/**
 * Returns the forms of a call's success answers by status; null stands for no body.
 *
 * A call that is not in the table answers as its `response` says: 204 when that is empty.
 */
export function answersOf({ id, response }: Pick<Endpoint, 'id' | 'response'>): Readonly<Record<number, Form>> {
  const declared = ownValue(answers, id)
  if (declared === undefined) return response === emptyAnswer ? { 204: null } : { 200: response }
  return declared instanceof z.ZodType ? { 200: declared } : declared
}
