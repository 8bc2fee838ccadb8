// The complete form of every answer, by call and status.

import { z } from 'zod'
import { ownValue } from '../../base/record.ts'
import type { Endpoint } from '../endpoint.ts'
import { emptyAnswer } from '../fields.ts'
import {
  campaign,
  campaignSetup,
  campaignSummary,
  promotionStack,
  promotionTier,
  template,
  tierSetup,
} from './campaigns.ts'
import { activity, customer, holder, permanentDeletion, segment } from './customers.ts'
import {
  heldRedeemable,
  promotionsValidation,
  publication,
  qualification,
  qualificationList,
  redeemed,
  redemption,
  redemptionOrRollback,
  rollback,
  rolledBack,
  ruleValidation,
  validation,
  voucherRedemption,
  voucherValidation,
} from './evaluations.ts'
import { listOf, text } from './form.ts'
import {
  earningRule,
  loyaltyTier,
  memberTier,
  pendingBalance,
  pointsBucket,
  pointsEstimate,
  programReward,
  reward,
  rewardAssignment,
  tierReward,
} from './loyalty.ts'
import { order } from './orders.ts'
import { product, productCollection, sku } from './products.ts'
import {
  asyncAction,
  binEntry,
  event,
  eventSchema,
  exportForm,
  location,
  metadataSchema,
  project,
  stackingRules,
  started,
  webhook,
} from './projects.ts'
import { assignment, category, validationRule } from './rules.ts'
import { balance, listedVoucher, pendingPoints, transaction, voucher } from './vouchers.ts'

/** The body of an answer; null for one without a body. */
type Form = z.ZodType | null

/** An answer with status 200, or one for each status. */
type Answers = z.ZodType | Readonly<Record<number, Form>>

const transactions = listOf('data', transaction)
const activities = listOf('data', activity)
const nothing = z.object({})
const inBackground = { 202: started }

const updatedRows = (key: 'code' | 'source_id') =>
  z.array(z.object({ [key]: text, found: z.boolean(), updated: z.boolean() }))
const holders = z.object({ holders: z.array(holder) })

const read = ['get', 'list']

/** The answers of a resource: the object that is created, read or changed, and the list of them, which is under `key`. */
function about(id: string, form: z.ZodType, key = 'data', verbs = ['create', 'get', 'list', 'update']) {
  return Object.fromEntries(verbs.map((verb) => [`${id}.${verb}`, verb === 'list' ? listOf(key, form) : form]))
}

const answers: Readonly<Record<string, Answers>> = {
  ...about('vouchers', voucher, 'vouchers'),
  'vouchers.disable': voucher,
  'vouchers.enable': voucher,
  'vouchers.activity.list': activities,
  'vouchers.balance': balance,
  'vouchers.transactions.list': transactions,
  'vouchers.transactions.export': exportForm,
  'vouchers.redemption': voucherRedemption,
  'vouchers.generate': voucher,
  'vouchers.publications.list': listOf('publications', publication),
  'vouchers.redemptions.list': listOf('redemptions', redemptionOrRollback),
  'validations.validate': validation,
  'client.validations.validate': validation,
  'redemptions.create': redeemed,
  ...about('redemptions', redemptionOrRollback, 'redemptions', read),
  'redemptions.rollback': rollback,
  'redemptions.rollbacks': rolledBack,
  'qualifications.check': qualification,
  'client.qualifications.check': qualification,
  'campaigns.qualification': qualificationList,
  'promotions.validate': promotionsValidation,
  'client.promotions.validate': promotionsValidation,
  ...about('promotions.tiers', promotionTier, 'tiers'),
  'promotions.campaign-tiers.list': listOf('tiers', promotionTier),
  'promotions.tiers.enable': promotionTier,
  'promotions.tiers.disable': promotionTier,
  ...about('promotions.stacks', promotionStack),
  'promotions.campaign-stacks.list': listOf('data', promotionStack),
  ...about('campaigns', campaign, 'campaigns'),
  'campaigns.delete': inBackground,
  'campaigns.enable': nothing,
  'campaigns.disable': nothing,
  'campaigns.activity.list': activities,
  'campaigns.summary': campaignSummary,
  'campaigns.transactions.list': transactions,
  'campaigns.transactions.export': exportForm,
  'campaigns.vouchers.generate': { 200: voucher, 202: started },
  'campaigns.vouchers.add': voucher,
  'templates.copy': template,
  ...about('templates', template, 'campaign_templates'),
  'templates.list-of-project': listOf('campaign_templates', template),
  'templates.campaign-setup': campaignSetup,
  'templates.tier-setup': tierSetup,
  ...about('loyalty.programs', campaign, 'campaigns'),
  'loyalty.programs.delete': started,
  'loyalty.programs.estimate': pointsEstimate,
  ...about('loyalty.members', voucher, 'vouchers', ['create', 'get', 'list']),
  'loyalty.members.redeem': redemption,
  'loyalty.campaign-members.redeem': redemption,
  'loyalty.campaign-members.get': voucher,
  'loyalty.members.activity.list': activities,
  'loyalty.members.activities.list': activities,
  'loyalty.campaign-members.activity.list': activities,
  'loyalty.campaign-members.activities.list': activities,
  'loyalty.members.balance': balance,
  'loyalty.campaign-members.balance': balance,
  'loyalty.members.transfer': voucher,
  'loyalty.transactions.list': transactions,
  'loyalty.transactions.export': exportForm,
  'loyalty.card-transactions.list': transactions,
  'loyalty.card-transactions.export': exportForm,
  'loyalty.campaign-card-transactions.list': transactions,
  'loyalty.campaign-card-transactions.export': exportForm,
  'loyalty.points-expiration.list': listOf('data', pointsBucket),
  'loyalty.points-expiration.export': exportForm,
  ...about('loyalty.earning-rules', earningRule),
  'loyalty.earning-rules.create': z.array(earningRule),
  'loyalty.earning-rules.enable': earningRule,
  'loyalty.earning-rules.disable': earningRule,
  ...about('loyalty.tiers', loyaltyTier, 'data', read),
  'loyalty.tiers.create': z.array(loyaltyTier),
  'loyalty.tiers.earning-rules.list': listOf('data', earningRule),
  'loyalty.tiers.rewards.list': listOf('data', tierReward),
  'loyalty.members.tiers.list': listOf('data', memberTier),
  'loyalty.pending-points.list': listOf('data', pendingPoints),
  'loyalty.members.pending-points.list': listOf('data', pendingPoints),
  'loyalty.campaign-members.pending-points.list': listOf('data', pendingPoints),
  'loyalty.members.pending-points.activate': balance,
  'loyalty.campaign-members.pending-points.activate': balance,
  'loyalty.members.pending-points.balance': pendingBalance,
  'loyalty.campaign-members.pending-points.balance': pendingBalance,
  'loyalty.rewards.list': listOf('data', programReward),
  'loyalty.rewards.update': rewardAssignment,
  'loyalty.rewards.assign': z.array(rewardAssignment),
  'loyalty.rewards.get': rewardAssignment,
  ...about('loyalty.reward-assignments', rewardAssignment, 'data', read),
  'loyalty.rewards.details': reward,
  'loyalty.cards.rewards': listOf('data', programReward),
  ...about('rewards.assignments', rewardAssignment),
  ...about('rewards', reward),
  'referrals.holders.add': holders,
  'referrals.campaign-holders.add': holders,
  'referrals.holders.list': listOf('data', holder),
  'referrals.campaign-holders.list': listOf('data', holder),
  ...about('publications', publication, 'publications', ['create', 'list']),
  'vouchers.publish': voucher,
  'events.send': event,
  'client.events.send': event,
  ...about('customers', customer, 'customers'),
  'customers.activity.list': activities,
  'customers.activities.list': activities,
  'customers.permanent-deletion': permanentDeletion,
  'client.customers.create': customer,
  'client.promotions.tiers.list': listOf('tiers', promotionTier),
  'client.redemptions.create': redeemed,
  'client.vouchers.validate': voucherValidation,
  'client.promotions.validate-query': promotionsValidation,
  'client.vouchers.redeem': redemption,
  'client.promotions.tiers.redeem': redemption,
  'client.publications.create': publication,
  'client.vouchers.list': listOf('vouchers', listedVoucher),
  'customers.redeemables.list': listOf('data', heldRedeemable),
  ...about('segments', segment, 'data', ['create', 'get', 'list']),
  'customers.segments.list': listOf('data', segment),
  ...about('products', product, 'products'),
  ...about('skus', sku, 'skus'),
  'products.sku': sku,
  ...about('product-collections', productCollection),
  'product-collections.products.list': listOf('data', z.discriminatedUnion('object', [product, sku])),
  ...about('categories', category),
  ...about('validation-rules', validationRule),
  'validation-rules.validate': ruleValidation,
  'validation-rules.assign': assignment,
  'validation-rules.assignments.list': listOf('data', assignment),
  'validation-rules-assignments.list': listOf('data', assignment),
  'vouchers.validate': voucherValidation,
  'vouchers.redeem': redemption,
  'promotions.tiers.redeem': redemption,
  'vouchers.qualification': qualificationList,
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
  'campaigns.vouchers.import-csv': started,
  'orders.import': started,
  'products.import': started,
  'skus.import': started,
  ...about('orders', order, 'orders'),
  'orders.export': exportForm,
  ...about('exports', exportForm, 'exports', ['create', 'get', 'list']),
  ...about('async-actions', asyncAction, 'async_actions', read),
  'trash-bin.list': listOf('data', binEntry),
  ...about('webhooks', webhook),
  ...about('event-schemas', eventSchema),
  ...about('locations', location, 'locations', read),
  ...about('metadata-schemas', metadataSchema, 'schemas', read),
  ...about('project-metadata-schemas', metadataSchema),
  ...about('stacking-rules', stackingRules),
  // A token that is unknown, expired or revoked is refused without a body.
  'oauth.revoke': { 204: null, 404: null },
  ...about('projects', project),
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
