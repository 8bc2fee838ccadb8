// The specification's sixteen operations and the other writes that commands make, and what one more identical call does:
// written by hand, not read from the contract. Requests and answers of the sixteen are those transcribed from the
// specification. Source: docs/reliability.md#retry-classes.
import { endpoints } from '../../src/contract/catalogue.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { fixtures } from '../contract/spec-fixture.ts'

/**
 * What one more identical call does: `read` changes nothing, `key` finds the key taken, `idempotent` ends in the same state,
 * `duplicate` makes a harmless duplicate, `reconcile` makes one that a listing shows, `once` happens twice.
 */
export const classes = ['read', 'key', 'idempotent', 'duplicate', 'reconcile', 'once'] as const

export type Class = (typeof classes)[number]

export interface Operation {
  name: string
  class: Class
  endpoint: Endpoint
  request: { path: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
  /** The service's answer on success; absent where it has no body. */
  answer: unknown
}

const classOf: [number, string, Class][] = [
  [1, 'generate token', 'duplicate'],
  [2, 'introspect token', 'read'],
  [3, 'create webhook', 'reconcile'],
  [4, 'list webhooks', 'read'],
  [5, 'copy template', 'key'],
  [6, 'create template', 'key'],
  [7, 'create voucher', 'key'],
  [8, 'disable voucher', 'idempotent'],
  [9, 'list loyalty transactions', 'read'],
  [10, 'validate redeemables', 'read'],
  [11, 'qualify campaigns', 'read'],
  [12, 'add referral holders', 'key'],
  [13, 'export transactions', 'duplicate'],
  [14, 'list SKUs', 'read'],
  [15, 'validate promotions', 'read'],
  [16, 'send event', 'once'],
]

const specified: readonly Operation[] = classOf.map(([number, name, repeat]) => {
  const { method, paths, examples } = fixtures[number - 1] as (typeof fixtures)[number]
  const { request, answer } = examples[0] as (typeof examples)[number]
  const endpoint = endpoints.find((one) => one.method === method && one.path === paths[0]) as Endpoint
  return { name, class: repeat, endpoint, request, answer }
})

const balance = { object: 'balance', balance: 50 }
const redemption = { id: 'r_1', object: 'redemption', result: 'SUCCESS' }
const transfer = { code: 'CLUB-2', points: 5, source_id: 't-1' }
const byReward = { reward: { id: 'rew_1' } }
const attached = specified.find(({ name }) => name === 'add referral holders') as Operation
const customer = { id: 'cust_1', object: 'customer' }
const forgotten = {
  id: 'rrd_1',
  object: 'pernament_deletion',
  created_at: '2026-01-01T00:00:00.000Z',
  related_object: 'customer',
  related_object_id: 'cust_1',
  status: 'DONE',
  data_json: { events: 0, customer_events: 0, daily_events: 0, segments: 0, orders: 0, order_events: 0, customer: 1 },
}
const campaign = { id: 'camp_1', object: 'campaign' }
const started = { async_action_id: 'aa_1' }
const exported = { id: 'exp_1', object: 'export', status: 'SCHEDULED' }
const template = { id: 'tpl_1', object: 'campaign_template', name: 'N' }
const tier = { id: 'promo_1', object: 'promotion_tier' }
const voucher = { id: 'v_1', object: 'voucher', code: 'C' }
const hook = { target_url: 'https://shop.example/', events: ['voucher.created'], active: true }
const csv = { file: 'Code\nC\n' }
const product = { id: 'prod_1', object: 'product' }
const sku = { id: 'sku_1', object: 'sku' }
const stack = { id: 'stack_1', object: 'promotion_stack' }
const earningRule = { campaignId: 'c', earningRuleId: 'ern_1' }
const eventSchema = { projectId: 'proj_1', customEventSchemaId: 'ms_1' }
const metadataSchema = { projectId: 'proj_1', metadataSchemaId: 'ms_1' }
const offer = {
  id: 'rewa_1',
  reward_id: 'rew_1',
  related_object_id: 'c',
  related_object_type: 'campaign',
  object: 'reward_assignment',
}
const nothing = undefined

/** What the commands write beside that: class, id of the endpoint, values of its path, body, answer. */
const others: [Class, string, Record<string, string>, unknown, unknown][] = [
  ['key', 'campaigns.create', {}, { name: 'N', campaign_type: 'PROMOTION' }, campaign],
  ['idempotent', 'campaigns.update', { campaignId: 'camp_1' }, { description: 'D' }, campaign],
  ['idempotent', 'campaigns.delete', { campaignId: 'camp_1' }, nothing, started],
  ['idempotent', 'campaigns.enable', { campaignId: 'camp_1' }, nothing, {}],
  ['idempotent', 'campaigns.disable', { campaignId: 'camp_1' }, nothing, {}],
  ['key', 'campaigns.vouchers.add', { campaignId: 'camp_1', code: 'C' }, {}, voucher],
  ['once', 'campaigns.vouchers.generate', { campaignId: 'camp_1' }, {}, voucher],
  ['idempotent', 'campaigns.vouchers.import-csv', { campaignId: 'camp_1' }, csv, started],
  ['reconcile', 'customers.create', {}, { source_id: 'ada' }, { ...customer, source_id: 'ada' }],
  ['idempotent', 'customers.update', { customerId: 'cust_1' }, { name: 'Ann' }, customer],
  ['idempotent', 'customers.delete', { customerId: 'cust_1' }, nothing, nothing],
  ['idempotent', 'customers.permanent-deletion', { customerId: 'cust_1' }, nothing, forgotten],
  ['duplicate', 'exports.create', {}, { exported_object: 'voucher' }, exported],
  ['once', 'loyalty.members.balance', { memberId: 'CLUB-1' }, { points: 5 }, balance],
  ['once', 'loyalty.campaign-members.balance', { campaignId: 'c', memberId: 'CLUB-1' }, { points: 5 }, balance],
  [
    'once',
    'loyalty.members.transfer',
    { campaignId: 'c', memberId: 'CLUB-1' },
    [transfer],
    { ...voucher, code: 'CLUB-1' },
  ],
  ['once', 'loyalty.members.redeem', { memberId: 'CLUB-1' }, byReward, redemption],
  ['once', 'loyalty.campaign-members.redeem', { campaignId: 'c', memberId: 'CLUB-1' }, byReward, redemption],
  [
    'reconcile',
    'loyalty.tiers.create',
    { campaignId: 'c' },
    [{ name: 'Gold', points: { from: 5 } }],
    [{ id: 'ltr_1', object: 'loyalty_tier' }],
  ],
  [
    'key',
    'loyalty.members.pending-points.activate',
    { memberId: 'C', pendingPointsId: 'lopp_1' },
    nothing,
    { ...balance, points: 5, total: 5 },
  ],
  [
    'once',
    'loyalty.members.pending-points.balance',
    { memberId: 'C', pendingPointsId: 'lopp_1' },
    { points: 5 },
    { object: 'balance', points: 5, total: 5 },
  ],
  ['key', 'loyalty.members.pending-points.cancel', { memberId: 'C', pendingPointsId: 'lopp_1' }, nothing, nothing],
  ['duplicate', 'vouchers.transactions.export', { code: 'GIFT-1' }, {}, exported],
  ['duplicate', 'loyalty.card-transactions.export', { memberId: 'CLUB-1' }, {}, exported],
  ['reconcile', 'projects.create', {}, { name: 'N' }, { id: 'proj_1' }],
  ['idempotent', 'promotions.tiers.enable', { promotionTierId: 'promo_1' }, nothing, tier],
  ['idempotent', 'promotions.tiers.disable', { promotionTierId: 'promo_1' }, nothing, tier],
  [
    'once',
    'publications.create',
    {},
    { customer: { source_id: 'ada' }, campaign: 'Welcome' },
    { id: 'pub_1', object: 'publication' },
  ],
  ['once', 'redemptions.create', {}, { redeemables: [{ object: 'voucher', id: 'C' }] }, { redemptions: [redemption] }],
  ['key', 'redemptions.rollback', { redemptionId: 'r_1' }, { reason: 'Late' }, redemption],
  ['key', 'redemptions.rollbacks', { parentRedemptionId: 'r_1' }, { reason: 'Late' }, { rollbacks: [redemption] }],
  ['key', 'referrals.holders.add', { memberId: 'R' }, attached.request.body, attached.answer],
  ['idempotent', 'referrals.holders.remove', { memberId: 'R', holderId: 'rh_1' }, nothing, nothing],
  [
    'idempotent',
    'referrals.campaign-holders.remove',
    { campaignId: 'c', memberId: 'R', holderId: 'rh_1' },
    nothing,
    nothing,
  ],
  ['idempotent', 'templates.update', { campaignTemplateId: 'tpl_1' }, { name: 'N' }, template],
  ['idempotent', 'templates.delete', { campaignTemplateId: 'tpl_1' }, nothing, nothing],
  [
    'key',
    'templates.campaign-setup',
    { campaignTemplateId: 'tpl_1' },
    { name: 'N' },
    { object: 'campaign_setup', campaign },
  ],
  [
    'reconcile',
    'templates.tier-setup',
    { campaignTemplateId: 'tpl_1' },
    { name: 'N', campaign_id: 'camp_1' },
    { object: 'promotion_tier_setup', promotion_tier: tier },
  ],
  ['idempotent', 'oauth.revoke', {}, { access_token: 'token' }, nothing],
  ['once', 'vouchers.balance', { code: 'GIFT-1' }, { amount: 500 }, balance],
  ['idempotent', 'vouchers.update', { code: 'C' }, { active: true }, voucher],
  ['idempotent', 'vouchers.delete', { code: 'C' }, nothing, nothing],
  ['idempotent', 'vouchers.enable', { code: 'C' }, nothing, { ...voucher, active: true }],
  ['idempotent', 'vouchers.import-csv', {}, csv, started],
  [
    'idempotent',
    'webhooks.update',
    { projectId: 'proj_1', webhookId: 'wh_1' },
    hook,
    { id: 'wh_1', object: 'webhook', ...hook },
  ],
  ['idempotent', 'webhooks.delete', { projectId: 'proj_1', webhookId: 'wh_1' }, nothing, nothing],
  ['reconcile', 'categories.create', {}, { name: 'N', hierarchy: 1 }, { id: 'cat_1', object: 'category' }],
  [
    'idempotent',
    'categories.update',
    { categoryId: 'cat_1' },
    { name: 'N', hierarchy: 1 },
    { id: 'cat_1', object: 'category' },
  ],
  ['idempotent', 'categories.delete', { categoryId: 'cat_1' }, nothing, nothing],
  ['key', 'event-schemas.create', { projectId: 'proj_1' }, { name: 'N' }, { id: 'ms_1' }],
  ['idempotent', 'event-schemas.update', eventSchema, { schema: {} }, { id: 'ms_1' }],
  ['idempotent', 'event-schemas.delete', eventSchema, nothing, nothing],
  [
    'reconcile',
    'loyalty.earning-rules.create',
    { campaignId: 'c' },
    [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 5 } }],
    [{ id: 'ern_1', active: true }],
  ],
  ['idempotent', 'loyalty.earning-rules.update', earningRule, { active: true }, { id: 'ern_1', active: true }],
  ['idempotent', 'loyalty.earning-rules.delete', earningRule, nothing, nothing],
  ['idempotent', 'loyalty.earning-rules.enable', earningRule, nothing, { id: 'ern_1', active: true }],
  ['idempotent', 'loyalty.earning-rules.disable', earningRule, nothing, { id: 'ern_1', active: false }],
  ['key', 'loyalty.programs.create', {}, { name: 'N' }, campaign],
  ['idempotent', 'loyalty.programs.update', { campaignId: 'camp_1' }, { description: 'D' }, campaign],
  ['idempotent', 'loyalty.programs.delete', { campaignId: 'camp_1' }, nothing, started],
  ['reconcile', 'product-collections.create', {}, { name: 'N', type: 'STATIC' }, { id: 'pc_1' }],
  ['idempotent', 'product-collections.update', { productCollectionId: 'pc_1' }, { name: 'N' }, { id: 'pc_1' }],
  ['idempotent', 'product-collections.delete', { productCollectionId: 'pc_1' }, nothing, nothing],
  ['reconcile', 'products.create', {}, { name: 'N' }, product],
  ['once', 'products.import', {}, csv, started],
  ['idempotent', 'products.update', { productId: 'prod_1' }, { name: 'N' }, product],
  ['idempotent', 'products.delete', { productId: 'prod_1' }, nothing, nothing],
  ['key', 'project-metadata-schemas.create', { projectId: 'proj_1' }, { related_object: 'voucher' }, { id: 'ms_1' }],
  ['idempotent', 'project-metadata-schemas.update', metadataSchema, { properties: {} }, { id: 'ms_1' }],
  ['idempotent', 'project-metadata-schemas.delete', metadataSchema, nothing, nothing],
  ['reconcile', 'promotions.stacks.create', { campaignId: 'c' }, { name: 'N', tiers: { ids: ['promo_1'] } }, stack],
  ['idempotent', 'promotions.stacks.update', { campaignId: 'c', stackId: 'stack_1' }, { name: 'N' }, stack],
  ['idempotent', 'promotions.stacks.delete', { campaignId: 'c', stackId: 'stack_1' }, nothing, nothing],
  [
    'reconcile',
    'promotions.tiers.create',
    { campaignId: 'c' },
    { name: 'N', action: { discount: { type: 'PERCENT', percent_off: 5 } } },
    tier,
  ],
  ['idempotent', 'promotions.tiers.update', { promotionTierId: 'promo_1' }, { name: 'N' }, tier],
  ['idempotent', 'promotions.tiers.delete', { promotionTierId: 'promo_1' }, nothing, nothing],
  ['reconcile', 'rewards.create', {}, { name: 'N', parameters: {} }, { id: 'rew_1' }],
  ['idempotent', 'rewards.update', { rewardId: 'rew_1' }, { name: 'N' }, { id: 'rew_1' }],
  ['idempotent', 'rewards.delete', { rewardId: 'rew_1' }, nothing, nothing],
  ['reconcile', 'segments.create', {}, { name: 'N' }, { id: 'seg_1' }],
  ['idempotent', 'segments.delete', { segmentId: 'seg_1' }, nothing, nothing],
  ['reconcile', 'skus.create', { productId: 'prod_1' }, { sku: 'N' }, sku],
  ['idempotent', 'skus.import', {}, csv, started],
  ['idempotent', 'skus.update', { productId: 'prod_1', skuId: 'sku_1' }, { sku: 'N' }, sku],
  ['idempotent', 'skus.delete', { productId: 'prod_1', skuId: 'sku_1' }, nothing, nothing],
  ['reconcile', 'validation-rules.create', {}, { name: 'N' }, { id: 'val_1' }],
  ['idempotent', 'validation-rules.update', { validationRuleId: 'val_1' }, { name: 'N' }, { id: 'val_1' }],
  ['idempotent', 'validation-rules.delete', { validationRuleId: 'val_1' }, nothing, nothing],
  ['reconcile', 'loyalty.rewards.assign', { campaignId: 'c' }, [{ reward: 'rew_1' }], [offer]],
  ['idempotent', 'loyalty.rewards.update', { campaignId: 'c', assignmentId: 'rewa_1' }, {}, offer],
  ['idempotent', 'loyalty.rewards.unassign', { campaignId: 'c', assignmentId: 'rewa_1' }, nothing, nothing],
  ['idempotent', 'projects.update', { projectId: 'proj_1' }, { name: 'N' }, { id: 'proj_1' }],
  ['idempotent', 'projects.delete', { projectId: 'proj_1' }, nothing, nothing],
  ['key', 'stacking-rules.create', { projectId: 'proj_1' }, { redeemables_limit: 5 }, { id: 'stk_1' }],
  [
    'idempotent',
    'stacking-rules.update',
    { projectId: 'proj_1', stackingRulesId: 'stk_1' },
    { redeemables_limit: 5 },
    { id: 'stk_1' },
  ],
  [
    'key',
    'validation-rules.assign',
    { validationRuleId: 'val_1' },
    { related_object_type: 'campaign', related_object_id: 'camp_1' },
    { id: 'asgm_1', object: 'validation_rules_assignment', rule_id: 'val_1' },
  ],
  ['idempotent', 'validation-rules.unassign', { validationRuleId: 'val_1', assignmentId: 'asgm_1' }, nothing, nothing],
]

export const operations: readonly Operation[] = [
  ...specified,
  ...others.map(([repeat, id, path, body, answer]) => {
    const endpoint = endpoints.find((one) => one.id === id) as Endpoint
    return { name: id, class: repeat, endpoint, request: { path, ...(body !== undefined && { body }) }, answer }
  }),
]

/**
 * The refusal that reports that an operation's key is taken.
 * Source: docs/service/errors.md#main-body; docs/service/errors.md#catalogue-of-keys; docs/service/referrals.md#errors.
 */
export function taken({ name }: Operation): unknown {
  if (name === 'add referral holders' || name === 'referrals.holders.add') {
    return { code: 409, key: 'holder_assignement_duplication', message: 'Holder assignment duplication' }
  }
  // The management API omits the key.
  if (name === 'copy template') return { code: 409, message: 'Conflict', details: 'Template with the name exists' }
  return { code: 409, key: 'duplicate_found', message: 'Duplicate resource found' }
}
