// The complete form of every answer, by call and status.
import { z } from 'zod'
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
import { customer, holder, segment } from './customers.ts'
import {
  campaignsQualification,
  heldRedeemable,
  promotionsValidation,
  publication,
  qualification,
  redeemed,
  redemptionOrRollback,
  rollback,
  rolledBack,
  validation,
  voucherRedemption,
} from './evaluations.ts'
import { listOf } from './form.ts'
import { earningRule, pointsBucket, programReward, reward, rewardAssignment } from './loyalty.ts'
import { product, productCollection, sku } from './products.ts'
import {
  asyncAction,
  binEntry,
  event,
  eventSchema,
  exportForm,
  metadataSchema,
  project,
  stackingRules,
  started,
  webhook,
} from './projects.ts'
import { assignment, category, validationRule } from './rules.ts'
import { balance, transaction, voucher } from './vouchers.ts'

/** The body of an answer; null for one without a body. */
type Form = z.ZodType | null

/** An answer with status 200, or one for each status. */
type Answers = z.ZodType | Readonly<Record<number, Form>>

const transactions = listOf('data', transaction)
const nothing = z.object({})
const holders = z.object({ holders: z.array(holder) })

const answers: Readonly<Record<string, Answers>> = {
  'vouchers.create': voucher,
  'vouchers.get': voucher,
  'vouchers.list': listOf('vouchers', voucher),
  'vouchers.update': voucher,
  'vouchers.disable': voucher,
  'vouchers.enable': voucher,
  'vouchers.balance': balance,
  'vouchers.transactions.list': transactions,
  'vouchers.transactions.export': exportForm,
  'vouchers.redemption': voucherRedemption,
  'validations.validate': validation,
  'client.validations.validate': validation,
  'redemptions.create': redeemed,
  'redemptions.list': listOf('redemptions', redemptionOrRollback),
  'redemptions.get': redemptionOrRollback,
  'redemptions.rollback': rollback,
  'redemptions.rollbacks': rolledBack,
  'qualifications.check': qualification,
  'client.qualifications.check': qualification,
  'campaigns.qualification': campaignsQualification,
  'promotions.validate': promotionsValidation,
  'client.promotions.validate': promotionsValidation,
  'promotions.tiers.create': promotionTier,
  'promotions.tiers.get': promotionTier,
  'promotions.tiers.list': listOf('tiers', promotionTier),
  'promotions.campaign-tiers.list': listOf('tiers', promotionTier),
  'promotions.tiers.update': promotionTier,
  'promotions.tiers.enable': promotionTier,
  'promotions.tiers.disable': promotionTier,
  'promotions.stacks.create': promotionStack,
  'promotions.stacks.get': promotionStack,
  'promotions.stacks.list': listOf('data', promotionStack),
  'promotions.campaign-stacks.list': listOf('data', promotionStack),
  'promotions.stacks.update': promotionStack,
  'campaigns.create': campaign,
  'campaigns.get': campaign,
  'campaigns.list': listOf('campaigns', campaign),
  'campaigns.update': campaign,
  'campaigns.delete': { 202: started },
  'campaigns.enable': nothing,
  'campaigns.disable': nothing,
  'campaigns.summary': campaignSummary,
  'campaigns.transactions.list': transactions,
  'campaigns.transactions.export': exportForm,
  'campaigns.vouchers.generate': { 200: voucher, 202: started },
  'campaigns.vouchers.add': voucher,
  'templates.copy': template,
  'templates.create': template,
  'templates.get': template,
  'templates.list': listOf('campaign_templates', template),
  'templates.list-of-project': listOf('campaign_templates', template),
  'templates.update': template,
  'templates.campaign-setup': campaignSetup,
  'templates.tier-setup': tierSetup,
  'loyalty.programs.list': listOf('campaigns', campaign),
  'loyalty.programs.get': campaign,
  'loyalty.members.create': voucher,
  'loyalty.members.get': voucher,
  'loyalty.members.list': listOf('vouchers', voucher),
  'loyalty.campaign-members.get': voucher,
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
  'loyalty.earning-rules.list': listOf('data', earningRule),
  'loyalty.earning-rules.create': z.array(earningRule),
  'loyalty.earning-rules.get': earningRule,
  'loyalty.earning-rules.update': earningRule,
  'loyalty.earning-rules.enable': earningRule,
  'loyalty.earning-rules.disable': earningRule,
  'loyalty.rewards.list': listOf('data', programReward),
  'loyalty.rewards.assign': z.array(rewardAssignment),
  'rewards.list': listOf('data', reward),
  'rewards.create': reward,
  'rewards.get': reward,
  'rewards.update': reward,
  'referrals.holders.add': holders,
  'referrals.campaign-holders.add': holders,
  'referrals.holders.list': listOf('data', holder),
  'referrals.campaign-holders.list': listOf('data', holder),
  'publications.create': publication,
  'publications.list': listOf('publications', publication),
  'events.send': event,
  'client.events.send': event,
  'customers.create': customer,
  'customers.get': customer,
  'customers.list': listOf('customers', customer),
  'customers.update': customer,
  'customers.redeemables.list': listOf('data', heldRedeemable),
  'segments.create': segment,
  'segments.get': segment,
  'segments.list': listOf('data', segment),
  'products.create': product,
  'products.get': product,
  'products.list': listOf('products', product),
  'products.update': product,
  'skus.create': sku,
  'skus.get': sku,
  'skus.list': listOf('skus', sku),
  'skus.update': sku,
  'product-collections.create': productCollection,
  'product-collections.get': productCollection,
  'product-collections.list': listOf('data', productCollection),
  'product-collections.products.list': listOf('data', z.discriminatedUnion('object', [product, sku])),
  'categories.create': category,
  'categories.get': category,
  'categories.list': listOf('data', category),
  'categories.update': category,
  'validation-rules.create': validationRule,
  'validation-rules.get': validationRule,
  'validation-rules.list': listOf('data', validationRule),
  'validation-rules.update': validationRule,
  'validation-rules.assign': assignment,
  'validation-rules.assignments.list': listOf('data', assignment),
  'validation-rules-assignments.list': listOf('data', assignment),
  'orders.export': exportForm,
  'exports.create': exportForm,
  'exports.get': exportForm,
  'exports.list': listOf('exports', exportForm),
  'async-actions.get': asyncAction,
  'async-actions.list': listOf('async_actions', asyncAction),
  'trash-bin.list': listOf('data', binEntry),
  'webhooks.create': webhook,
  'webhooks.get': webhook,
  'webhooks.list': listOf('data', webhook),
  'webhooks.update': webhook,
  'event-schemas.create': eventSchema,
  'event-schemas.get': eventSchema,
  'event-schemas.list': listOf('data', eventSchema),
  'event-schemas.update': eventSchema,
  'metadata-schemas.get': metadataSchema,
  'metadata-schemas.list': listOf('schemas', metadataSchema),
  'project-metadata-schemas.create': metadataSchema,
  'project-metadata-schemas.list': listOf('data', metadataSchema),
  'project-metadata-schemas.update': metadataSchema,
  'stacking-rules.create': stackingRules,
  'stacking-rules.get': stackingRules,
  'stacking-rules.list': listOf('data', stackingRules),
  'stacking-rules.update': stackingRules,
  // A token that is unknown, expired or revoked is refused without a body.
  'oauth.revoke': { 204: null, 404: null },
  'projects.create': project,
  'projects.get': project,
  'projects.list': listOf('data', project),
  'projects.update': project,
}

/** The ids of the calls whose answers have a form here. */
export const answeredCalls: readonly string[] = Object.keys(answers)

/**
 * Returns the forms of a call's success answers by status; null stands for no body.
 *
 * A call that is not in the table answers as its `response` says: 204 when that is empty.
 */
export function answersOf({ id, response }: Pick<Endpoint, 'id' | 'response'>): Readonly<Record<number, Form>> {
  const declared = answers[id]
  if (declared === undefined) return response === emptyAnswer ? { 204: null } : { 200: response }
  return declared instanceof z.ZodType ? { 200: declared } : declared
}
