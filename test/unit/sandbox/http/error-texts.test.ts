// The texts of refusals: each key of the catalogue is provoked through the service, and answers what the catalogue says.
// Source: docs/service/errors.md#catalogue-of-keys.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messages } from '../../../../src/sandbox/rules/failures.ts'
import { manage } from '../../../support/manage.ts'
import { campaign, off, openShop, shop } from '../../../support/redemptions.ts'
import type { CallOptions } from '../../../support/sandbox.ts'
import { root } from '../../../support/source-files.ts'

const rule = (id: string, rules: object) => ({ id, name: id, rules: { ...rules, logic: '1' } })
const assigned = (rule_id: string, code: string) => ({
  rule_id,
  related_object_type: 'voucher',
  related_object_id: `v_${code}`,
})
const code = (name: string, more: object = {}) => ({ id: `v_${name}`, code: name, ...off(100), ...more })
const friend = { ...off(100), is_referral_code: true, campaign_id: 'camp_friends', type: 'DISCOUNT_VOUCHER' }
const ada = { source_id: 'ada' }

const listed = { type: 'STATIC', active: true, metadata: {} }
const card = { type: 'LOYALTY_CARD', discount: null, loyalty_card: { points: 5 } }

const fixture = {
  campaigns: [
    ...shop.campaigns,
    {
      ...listed,
      id: 'camp_friends',
      name: 'Friends',
      campaign_type: 'REFERRAL_PROGRAM',
      referral_program: { conversion_event_type: 'redemption' },
    },
    { ...listed, id: 'camp_kept', name: 'Kept', campaign_type: 'DISCOUNT_COUPONS', protected: true },
    { ...listed, id: 'camp_ended', name: 'Ended', campaign_type: 'LOYALTY_PROGRAM', active: false },
    { ...listed, id: 'camp_empty', name: 'Empty', campaign_type: 'DISCOUNT_COUPONS', voucher: off(1) },
    { ...campaign, id: 'camp_alone', name: 'Alone', campaign_type: 'DISCOUNT_COUPONS', voucher: off(1) },
    { ...listed, id: 'camp_closed', name: 'Closed', campaign_type: 'LOYALTY_PROGRAM' },
    { ...listed, id: 'camp_gifts', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS' },
  ],
  vouchers: [
    ...shop.vouchers,
    code('PAST', { expiration_date: '2026-01-01T00:00:00Z' }),
    code('SOON', { start_date: '2027-01-01T00:00:00Z' }),
    code('NEVER', { validity_day_of_week: [0] }),
    code('USED', { redemption: { quantity: 0 } }),
    ...['REDEMPTION', 'CUSTOMER', 'ORDER', 'SEGMENT'].map((name) => code(name)),
    { ...code('FRIEND', friend), holder_id: 'cust_ada' },
    code('UNHELD', friend),
    code('FREE', { ...card, campaign_id: 'camp_club' }),
    code('SLEEPING', { ...card, campaign_id: 'camp_closed', holder_id: 'cust_ada', active: false }),
  ],
  promotion_tiers: [
    ...shop.promotion_tiers,
    { id: 'promo_off', name: 'Off', campaign_id: 'camp_promo', action: off(1), active: false },
    { id: 'promo_later', name: 'Later', campaign_id: 'camp_promo', action: off(1), start_date: '2027-01-01T00:00:00Z' },
  ],
  rewards: [
    ...shop.rewards,
    { id: 'rew_mug', name: 'Mug', type: 'MATERIAL', stock: 0, parameters: { product: { id: 'prod_beans' } } },
  ],
  reward_assignments: [
    ...shop.reward_assignments,
    { id: 'rewa_mug', reward_id: 'rew_mug', related_object_id: 'camp_club', parameters: { loyalty: { points: 1 } } },
  ],
  validation_rules: [
    rule('val_redemption', { '1': { name: 'redemption.metadata', property: 'till', conditions: { $is: [1] } } }),
    rule('val_customer', { '1': { name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } } }),
    rule('val_order', { '1': { name: 'order.amount', conditions: { $more_than: [90_000] } } }),
    rule('val_items', { '1': { name: 'order.items.count', conditions: { $more_than: [90] } } }),
  ],
  validation_rules_assignments: [
    assigned('val_redemption', 'REDEMPTION'),
    assigned('val_customer', 'CUSTOMER'),
    assigned('val_order', 'ORDER'),
    assigned('val_items', 'SEGMENT'),
  ],
}

type Shop = ReturnType<typeof openShop>
type Told = { code?: number; key?: string; message?: string; details?: string }

const post =
  (path: string, body?: unknown, options: CallOptions = {}) =>
  ({ call }: Shop) =>
    call('POST', path, { body, ...options }).body
const get =
  (path: string, query = '', options: CallOptions = {}) =>
  ({ call }: Shop) =>
    call('GET', path, { query, ...options }).body
const voucher = (id: string, more: object = {}) => ({ object: 'voucher', id, ...more })
/** The error of the one redeemable of a validation. */
const validated =
  (redeemable: object | string, more: object = {}) =>
  ({ call }: Shop) => {
    const one = typeof redeemable === 'string' ? voucher(redeemable) : redeemable
    const { body } = call('POST', '/v1/validations', { body: { redeemables: [one], order: { amount: 5000 }, ...more } })
    return body.redeemables[0].result.error
  }
/** What a roll-back of a redemption of a customer is refused with. */
const rolledBack =
  (body: object, times = 1) =>
  ({ redeem, rollBack }: Shop) => {
    const [{ id }] = redeem(['A'], { customer: ada }).body.redemptions
    let answer = { body: {} }
    for (let n = 0; n < times; n += 1) answer = rollBack(id, body)
    return answer.body
  }
const tier = (id: string) => ({ object: 'promotion_tier', id })
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const coupons = { name: 'New', campaign_type: 'DISCOUNT_COUPONS', voucher: off(1) }

/** What provokes each key, and the details. */
const provoked: Record<string, [provoke: (shop: Shop) => Told, details: string | RegExp | undefined]> = {
  invalid_payload: [post('/v1/events', {}), "Payload must have required property 'event'"],
  invalid_query_params: [get('/v1/vouchers', 'limit=0'), 'Property .limit must be >= 1'],
  page_over_limit: [get('/v1/publications', 'page=1001'), undefined],
  query_too_large: [
    get('/v1/vouchers', Array.from({ length: 1001 }, (_, n) => `a${n}=1`).join('&')),
    'No more than 1000 parameters are accepted',
  ],
  invalid_scope: [
    post('/v1/oauth/token', undefined, { raw: 'grant_type=client_credentials&scope=moon', headers: form }),
    undefined,
  ],
  invalid_grant_type: [
    post('/v1/oauth/token', undefined, { raw: 'grant_type=password&scope=api', headers: form }),
    undefined,
  ],
  missing_parameters: [post('/v1/oauth/introspect', undefined, { raw: 'x=1', headers: form }), undefined],
  unauthorized: [get('/v1/vouchers', '', { headers: { 'x-app-token': 'wrong' } }), undefined],
  missing_required_feature: [
    (shop) => manage(openShop({ settings: { missing_features: ['management_api'] } }), 'GET', '').body ?? shop,
    'Your current plan does not include a feature required to perform this operation.',
  ],
  forbidden: [post('/v1/loyalties/camp_codes/points-expiration/export', {}), 'Points expire only in loyalty campaigns'],
  not_found: [get('/v1/vouchers/NONE'), 'Cannot find voucher with id NONE'],
  duplicate_found: [post('/v1/campaigns', { ...coupons, name: 'Codes' }), 'Duplicated campaign exists with name Codes'],
  holder_assignement_duplication: [
    (shop) => {
      const add = post('/v1/referrals/members/FRIEND/holders', { holders: [{ source_id: 'bob' }] })
      add(shop)
      return add(shop)
    },
    /./,
  ],
  stacking_rules_exist: [
    (shop) => {
      const add = () => manage(shop, 'POST', `/${shop.project.id}/stacking-rules`, {}).body
      add()
      return add()
    },
    /^Stacking rules exist in project proj_/,
  ],
  duplicate_key: [
    post('/v1/campaigns/camp_empty/import', [{ code: 'A', ...off(1) }]),
    '1 voucher codes(s) already exist.',
  ],
  duplicate_source_id: [
    (shop) => {
      const publish = (id: string) =>
        post('/v1/publications', { voucher: id, source_id: 'mail-1', customer: ada })(shop)
      publish('B/ 1')
      return publish('PAST')
    },
    'mail-1',
  ],
  duplicated_redeemables: [
    post('/v1/validations', { redeemables: [voucher('A'), voucher('A')], order: { amount: 1 } }),
    'Duplicated redeemables detected in one redemption',
  ],
  invalid_redeemables: [
    post('/v1/validations', { redeemables: [{ object: 'promotion_stack', id: 'stack_1' }, voucher('A')] }),
    'Promotion Stack cannot be use with other redeemables',
  ],
  invalid_voucher: [
    ({ call }) => call('PUT', '/v1/vouchers/A', { body: { discount: { type: 'PERCENT', percent_off: 5 } } }).body,
    'It is not possible to change Voucher discount type',
  ],
  invalid_campaign: [post('/v1/vouchers', { campaign_id: 'camp_alone' }), /STANDALONE/],
  campaign_type_is_not_supported_by_campaign_template: [
    post('/v1/templates/campaigns', { name: 'T', campaign_id: 'camp_club' }),
    /./,
  ],
  not_published: [
    post('/v1/referrals/members/UNHELD/holders', { holders: [{ source_id: 'bob' }] }),
    'Referral code must be first published to Referrer before assigning it to Referee',
  ],
  metadata_validation_failed: [
    (shop) => {
      const properties = { wave: { type: 'number' } }
      manage(shop, 'POST', `/${shop.project.id}/metadata-schemas`, { related_object: 'voucher', properties })
      return post('/v1/vouchers/NEW', { ...off(1), metadata: { wave: 'x' } })(shop)
    },
    /wave/,
  ],
  invalid_export_fields: [
    post('/v1/exports', { exported_object: 'voucher', parameters: { fields: ['moon'] } }),
    /^Unsupported field used\. Allowed fields: /,
  ],
  invalid_export_params: [
    post('/v1/exports', { exported_object: 'redemption', parameters: { filters: { a: 1 } } }),
    /./,
  ],
  resource_protected: [
    ({ call }) => call('PUT', '/v1/campaigns/camp_kept', { body: { description: 'x' } }).body,
    'Campaign camp_kept is protected',
  ],
  resource_in_use: [({ call }) => call('DELETE', '/v1/rewards/rew_1').body, 'Reward rew_1 is assigned: rewa_1'],
  quantity_exceeded: [validated('USED'), 'USED'],
  voucher_disabled: [validated('OFF'), 'OFF'],
  voucher_expired: [validated('PAST'), 'PAST'],
  voucher_not_active: [validated('SOON'), 'SOON'],
  voucher_not_active_now: [validated('NEVER'), 'NEVER'],
  promotion_inactive: [validated(tier('promo_off')), 'Promotion Tier with id: promo_off is disabled.'],
  promotion_not_active_now: [validated(tier('promo_later')), 'promo_later'],
  redemption_rules_violated: [
    validated('REDEMPTION'),
    'Discount Coupon cannot be redeemed because of violated validation rules: val_redemption',
  ],
  customer_rules_violated: [validated('CUSTOMER', { customer: ada }), /val_customer$/],
  order_rules_violated: [validated('ORDER'), /val_order$/],
  referrer_not_permitted_to_redeem: [validated('FRIEND', { customer: ada }), 'FRIEND'],
  missing_customer: [validated('CUSTOMER'), 'Customer is required to validate rules'],
  missing_order: [validated('ORDER', { order: undefined }), 'Order is required to validate rules'],
  missing_order_items: [validated('SEGMENT'), 'Order items are required to validate rules'],
  missing_amount: [validated('G', { order: {} }), 'Amount is required to validate rules'],
  missing_reward: [validated('C'), 'A reward is required when redeeming a LOYALTY_CARD'],
  loyalty_card_points_exceeded: [validated(voucher('C', { reward: { id: 'rew_1', points: 101 } })), 'C'],
  gift_amount_exceeded: [validated(voucher('G', { gift: { credits: 1001 } })), 'G'],
  reward_out_of_stock: [validated(voucher('C', { reward: { id: 'rew_mug' } })), /rew_mug/],
  invalid_customer: [rolledBack({ customer: { source_id: 'bob' } }), 'Customer is not related with redemption.'],
  invalid_order: [rolledBack({ order: { source_id: 'other' } }), 'Order is not related with redemption.'],
  invalid_code_config: [
    post('/v1/campaigns', { ...coupons, voucher: { ...off(1), code_config: { length: 2000 } } }),
    'Codes must NOT have more than 1024 characters',
  ],
  invalid_campaign_params: [post('/v1/campaigns', { ...coupons, vouchers_count: 100_001 }), /100000/],
  invalid_publish_params: [
    post('/v1/publications', { voucher: 'A', campaign: { name: 'Codes', count: 2 }, customer: ada }),
    'A count cannot be combined with a voucher',
  ],
  invalid_rollback_params: [rolledBack({ order: { amount: 3 } }), 'Property .order.amount cannot be changed'],
  invalid_add_balance_params: [
    post('/v1/vouchers/A/balance', { amount: 1 }),
    'Only gift and loyalty cards have a balance',
  ],
  invalid_amount: [post('/v1/vouchers/G/balance', { amount: 0 }), 'Amount has to be a valid positive number'],
  invalid_balance: [
    post('/v1/rewards', { name: 'R', parameters: { campaign: { id: 'camp_gifts' } } }),
    'A reward of a GIFT_VOUCHERS campaign needs a balance above 0',
  ],
  invalid_expiration_date: [
    post('/v1/loyalties/members/C/balance', { points: 1, expiration_date: '2026-01-01' }),
    'Expiration date cannot be set in the past',
  ],
  invalid_validation_rules: [
    post('/v1/validation-rules', { name: 'R', rules: { '1': { name: 'moon', conditions: {} }, logic: '1' } }),
    /moon/,
  ],
  loyalty_card_not_active: [
    post('/v1/loyalties/camp_closed/qualifications', { customer: ada, order: { amount: 1 } }),
    'Loyalty card SLEEPING is not active',
  ],
  campaign_not_active: [
    post('/v1/loyalties/camp_ended/qualifications', { customer: ada, order: { amount: 1 } }),
    'Campaign camp_ended is not active',
  ],
  campaign_not_allow_auto_join: [
    post('/v1/loyalties/camp_closed/qualifications', { customer: { source_id: 'bob' }, order: { amount: 1 } }),
    /camp_closed/,
  ],
  no_voucher_suitable_for_publication: [
    post('/v1/publications', { campaign: 'Empty', customer: ada }),
    /^Campaign Empty has no voucher/,
  ],
  voucher_already_published: [
    post('/v1/publications', { voucher: 'FRIEND', customer: { source_id: 'bob' } }),
    'FRIEND',
  ],
  voucher_cannot_be_published: [post('/v1/publications', { voucher: 'OFF', customer: ada }), 'OFF'],
  too_many_vouchers_requested: [
    post('/v1/publications', { campaign: { name: 'Codes', count: 21 }, customer: ada }),
    /^No more than /,
  ],
  missing_vouchers: [post('/v1/publications', { customer: ada }), 'Either Campaign or Voucher is required'],
  already_rolled_back: [rolledBack({}, 2), /^r_/],
  invalid_redemption: [
    (shop) => {
      const { id } = rolledBack({})(shop) as { id: string }
      return shop.rollBack(id).body
    },
    /is a rollback$/,
  ],
  invalid_redemption_parent: [
    ({ redeem, rollBackAll }) => rollBackAll(redeem(['A']).body.redemptions[0].id).body,
    /is not the parent of redemptions$/,
  ],
}

/** Keys of the catalogue that no call of the embedded service answers with: what they are about is not served. */
const unserved = [
  'missing_required_permission',
  'integration_api_key_required',
  'resource_not_found',
  'branding_exist',
  'duplicate_resource_key',
  'multiple_requests',
  'missing_order_items_amount',
  'invalid_product',
  'invalid_sku',
  'invalid_gift',
  'missing_param',
  'ambiguous_tracking_id',
  'used_incorrect_role',
  'user_not_assigned',
  'member_already_exists',
  'invalid_or_expired_cursor',
  'non_active_program',
  'zero_card_balance',
  'non_active_member',
  'insufficient_card_balance',
  'pay_with_points_not_enabled',
  'program_outside_validity_window',
  'invalid_pending_points_bucket_status',
  // Provoked in pending-points.test.ts, which has points that wait.
  'invalid_pending_points_state',
]

const page = readFileSync(join(root, 'docs/service/errors.md'), 'utf8')
const section = page.slice(page.indexOf('## Catalogue of keys'), page.indexOf('## Skip reasons'))
const catalogue = section.split('\n').flatMap((line) => {
  const [, keys = '', status = '', told = ''] = line.split('|').map((cell) => cell.trim())
  const [message = ''] = told.split('; details ')
  return [...keys.matchAll(/`(\w+)`/g)].map(([, key = '']) => ({
    key,
    status: Number(status.slice(0, 3)),
    message: message.replace(/ \((chosen|embedded|so).*\)$/, ''),
    details: told.split('; details ')[1],
  }))
})

test('every key of the catalogue is provoked here, or none of the calls that are served answers with it', () => {
  const keys = catalogue.map(({ key }) => key)

  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  expect(keys.toSorted()).toEqual([...Object.keys(provoked), ...unserved].toSorted())
})

test('every key that the embedded service refuses with is in the catalogue, with its message', () => {
  const known = new Map(catalogue.map(({ key, message }) => [key, message]))

  expect(Object.entries(messages).filter(([key, message]) => known.get(key) !== message)).toEqual([])
})

test.each(catalogue.filter(({ key }) => Object.hasOwn(provoked, key)))(
  '$key is answered with its status, message and details',
  ({ key, status, message, details: published }) => {
    const [provoke, details] = provoked[key] as (typeof provoked)[string]

    const told = provoke(openShop(fixture))

    expect([told.key, told.code]).toEqual([key, status])
    if (key !== 'invalid_scope' && key !== 'forbidden') expect(told.message).toBe(message)
    if (details instanceof RegExp) expect(told.details).toMatch(details)
    else expect(told.details).toBe(details)
    if (published) expect(told.details).toBe(published)
  },
)
