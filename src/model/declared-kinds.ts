// The kinds of objects that are kept as files. Adding a kind is adding a declaration.
// Source: docs/config.md#kinds; the pages of docs/service that the calls name.
import { callsOf, crud } from '../contract/calls-about.ts'
import * as campaigns from '../contract/campaigns.ts'
import * as categories from '../contract/categories.ts'
import * as earning from '../contract/earning-rules.ts'
import * as events from '../contract/event-schemas.ts'
import * as tiers from '../contract/loyalty-tiers.ts'
import * as schemas from '../contract/metadata-schemas.ts'
import * as collections from '../contract/product-collections.ts'
import * as products from '../contract/products.ts'
import * as projects from '../contract/projects.ts'
import * as stacks from '../contract/promotion-stacks.ts'
import * as promotions from '../contract/promotions.ts'
import * as rewards from '../contract/rewards.ts'
import * as segments from '../contract/segments.ts'
import * as stacking from '../contract/stacking-rules.ts'
import * as rules from '../contract/validation-rules.ts'
import * as webhooks from '../contract/webhooks.ts'
import type { Kind, Member } from './kind.ts'

const put: Member = { change: 'put' }
const fixed: Member = { change: 'fixed' }
const filled: Member = { change: 'put', isFilled: true }
const or = (standard: unknown): Member => ({ change: 'put', standard })
const set: Member = { ...or([]), form: 'set' }
const metadata: Member = { change: 'metadata', standard: {} }
const active: Member = { change: 'switch', standard: true }
const assigned: Member = { change: 'rules', form: 'set', standard: [] }
const instant: Member = { change: 'put', form: 'instant' }
const definitions: Member = { change: 'definitions', form: 'definitions', standard: {}, isNeeded: true }
const off = or(false)

/** The words of a text. */
const words = (text: string) => text.split(' ')

const validity = {
  start_date: instant,
  expiration_date: instant,
  validity_timeframe: put,
  validity_day_of_week: { change: 'put', form: 'set' },
  validity_hours: put,
} as const

const isLoyalty = ({ campaign_type }: Record<string, unknown>) => campaign_type === 'LOYALTY_PROGRAM'
const isPromotion = ({ campaign_type }: Record<string, unknown>) => campaign_type === 'PROMOTION'

/** What answers repeat of the products of a discount. */
const discounted = (path: string) => words(`${path}.product ${path}.sku ${path}.units.*.product ${path}.units.*.sku`)
const discountReferences = (path: string) => ({
  [`${path}.unit_type`]: ['products'],
  [`${path}.units.*.unit_type`]: ['products'],
})

const stackedCategories = words(
  'exclusive_categories joint_categories no_effect_skip_categories no_effect_redeem_anyway_categories ' +
    'initial_amount_mode_categories discounted_amount_mode_categories',
)

/** Most kinds have neither computed members nor references. */
type Declared = Omit<Kind, 'computed' | 'references'> & Partial<Kind>

/** The kinds, in the order in which their objects are created. */
export const declaredKinds: readonly Declared[] = [
  {
    name: 'settings',
    noun: 'project settings',
    isSingle: true,
    calls: { list: projects.getProject, update: projects.updateProject },
    named: 'id',
    members: {
      description: put,
      timezone: filled,
      currency: put,
      dial_code: put,
      default_code_config: { change: 'put', form: 'codes' },
      webhook_version: filled,
      client_trusted_domains: set,
      client_redeem_enabled: off,
      client_publish_enabled: off,
      client_list_vouchers_enabled: off,
      client_create_customer_enabled: off,
      client_loyalty_events_enabled: off,
      client_set_voucher_expiration_date_enabled: off,
      webhooks_callout_notifications: put,
      api_usage_notifications: put,
    },
    // The name belongs to the project and not to its configuration: staging must not rename production.
    computed: words(
      'name is_sandbox case_sensitive_codes cluster_id api_version limits type webhook_token ' +
        'server_side_key client_side_key',
    ),
  },
  {
    name: 'metadata-schemas',
    noun: 'metadata schema',
    isUnique: true,
    calls: callsOf(schemas, 'project-metadata-schemas', ['list', 'create', 'update', 'delete']),
    named: 'related_object',
    members: { related_object: fixed, allow_defined_only: off, properties: definitions },
  },
  {
    name: 'event-schemas',
    noun: 'event schema',
    isUnique: true,
    calls: callsOf(events, 'event-schemas'),
    named: 'name',
    members: { name: fixed, 'schema.properties': definitions },
  },
  {
    name: 'categories',
    noun: 'category',
    takes: 'what was filed under it',
    isReplaced: true,
    calls: callsOf(categories, 'categories'),
    named: 'name',
    members: { name: put, hierarchy: put },
    computed: ['stacking_rules_type', 'metadata'],
  },
  {
    name: 'products',
    noun: 'product',
    takes: 'its SKUs, and its place in rules',
    binned: 'product',
    isCatalogue: true,
    isUnique: true,
    calls: callsOf(products, 'products'),
    named: 'source_id',
    members: { source_id: fixed, name: put, price: put, attributes: set, image_url: put, metadata },
    computed: ['skus'],
    lost: ({ source_id }) =>
      source_id == null ? 'it has no source_id, by which another project would know it' : undefined,
  },
  {
    name: 'product-collections',
    noun: 'product collection',
    calls: callsOf(collections, 'product-collections', ['list', 'get', 'create', 'delete']),
    named: 'name',
    members: { name: fixed, type: fixed, filter: fixed, products: { ...set, change: 'fixed' } },
    references: { 'products.*.id': ['products'], 'products.*.product_id': ['products'] },
    free: ['filter'],
  },
  {
    name: 'segments',
    noun: 'segment',
    takes: 'the customers of a static one',
    calls: callsOf(segments, 'segments', ['list', 'get', 'create', 'delete']),
    named: 'name',
    members: { name: fixed, type: { change: 'fixed', isFilled: true }, filter: fixed },
    computed: ['customers', 'initial_sync_status', 'metadata'],
    free: ['filter'],
    lost: ({ type }) => (type === 'static' ? 'its customers are data of this project and are not written' : undefined),
  },
  {
    name: 'rules',
    noun: 'validation rule',
    takes: 'what it was assigned to',
    calls: callsOf(rules, 'validation-rules'),
    named: 'name',
    members: {
      name: put,
      rules: { change: 'put', form: 'rules', standard: {} },
      bundle_rules: or({}),
      applicable_to: { change: 'put', form: 'targets', standard: { included: [], excluded: [], included_all: true } },
      error: put,
      type: or('expression'),
      context_type: or('global'),
    },
    computed: ['assignments_count'],
    free: ['rules', 'bundle_rules', 'applicable_to'],
  },
  {
    name: 'rewards',
    noun: 'reward',
    calls: callsOf(rewards, 'rewards'),
    named: 'name',
    members: {
      name: put,
      type: fixed,
      parameters: { change: 'put', standard: {}, isNeeded: true },
      stock: put,
      attributes: or({}),
      metadata,
    },
    computed: ['redeemed', 'parameters.campaign.type'],
    references: {
      'parameters.campaign.id': ['campaigns'],
      'parameters.product.id': ['products'],
      'parameters.product.sku_id': [],
    },
  },
  {
    name: 'campaigns',
    noun: 'campaign',
    takes: 'its codes, tiers and stacks',
    binned: 'campaign',
    holdsCodes: true,
    isUnique: true,
    calls: callsOf(campaigns, 'campaigns', [...crud, 'enable', 'disable']),
    named: 'name',
    ruled: 'campaign',
    members: {
      name: fixed,
      description: put,
      campaign_type: fixed,
      type: filled,
      'voucher.type': fixed,
      'voucher.discount': put,
      'voucher.gift': put,
      'voucher.loyalty_card': put,
      'voucher.redemption': or({}),
      'voucher.code_config': { change: 'fixed', isFilled: true, form: 'codes' },
      'voucher.is_referral_code': { change: 'fixed', isFilled: true },
      referral_program: put,
      ...validity,
      activity_duration_after_publishing: put,
      active,
      auto_join: filled,
      join_once: filled,
      use_voucher_metadata_schema: { change: 'fixed', isFilled: true },
      category_id: put,
      loyalty_tiers_expiration: put,
      metadata,
      validation_rules: assigned,
    },
    computed: [
      ...words(
        'category categories vouchers_count creation_status vouchers_generation_status protected ' +
          'readonly promotion validation_rules_assignments access_settings_assignments vouchers ' +
          'referral_program.custom_event.name voucher.code_config.initial_count ' +
          'referral_program.*.related_object_parent.name referral_program.*.related_object_parent.object',
      ),
      ...discounted('voucher.discount'),
    ],
    references: {
      category_id: ['categories'],
      'validation_rules.*': ['rules'],
      ...discountReferences('voucher.discount'),
      'referral_program.*.related_object_parent.id': ['campaigns'],
      'referral_program.custom_event.id': ['event-schemas'],
    },
  },
  {
    name: 'campaigns/tiers',
    noun: 'promotion tier',
    takes: 'its place in stacks',
    calls: callsOf(promotions, 'promotions.tiers', [...crud, 'enable', 'disable']),
    within: { parent: 'campaigns', as: 'list', isIn: isPromotion, field: 'campaign_id' },
    named: 'name',
    ruled: 'promotion_tier',
    members: {
      name: put,
      banner: put,
      action: put,
      hierarchy: { change: 'position' },
      ...validity,
      active,
      category_id: put,
      metadata,
      validation_rules: assigned,
    },
    computed: [
      ...words('campaign_id promotion_id campaign category categories summary'),
      ...words('validation_rule_assignments validation_rules_assignments'),
      ...discounted('action.discount'),
    ],
    references: {
      category_id: ['categories'],
      'validation_rules.*': ['rules'],
      ...discountReferences('action.discount'),
    },
  },
  {
    name: 'campaigns/stacks',
    noun: 'promotion stack',
    calls: callsOf(stacks, 'promotions.stacks'),
    within: { parent: 'campaigns', as: 'map', isIn: isPromotion, field: 'campaign_id' },
    named: 'name',
    members: { name: put, tiers: put, category_id: put },
    computed: ['campaign_id', 'category', 'categories', 'tiers.hierarchy_mode'],
    references: { 'tiers.ids.*': ['campaigns/tiers'], category_id: ['categories'] },
  },
  {
    name: 'campaigns/earning_rules',
    noun: 'earning rule',
    takes: 'its place in loyalty tiers',
    isArray: true,
    calls: callsOf(earning, 'loyalty.earning-rules', [...crud, 'enable', 'disable']),
    within: { parent: 'campaigns', as: 'map', isIn: isLoyalty },
    named: 'source.banner',
    orNamed: 'event',
    members: {
      event: fixed,
      'custom_event.schema_id': { change: 'fixed', isFilled: true },
      'segment.id': fixed,
      loyalty_tier: fixed,
      loyalty: put,
      'source.banner': put,
      pending_points: put,
      expiration_rules: put,
      ...validity,
      validation_rule_id: put,
      active,
      metadata,
    },
    computed: ['automation_id', 'campaign_id', 'source.object_id', 'source.object_type'],
    references: {
      'custom_event.schema_id': ['event-schemas'],
      'segment.id': ['segments'],
      'loyalty_tier.id': ['campaigns/loyalty_tiers'],
      validation_rule_id: ['rules'],
    },
    free: ['loyalty'],
  },
  {
    name: 'campaigns/offers',
    noun: 'offer of a reward',
    takes: 'its place in loyalty tiers',
    isArray: true,
    calls: {
      ...callsOf(rewards, 'loyalty.rewards', ['list', 'get', 'update']),
      create: rewards.assignRewards,
      delete: rewards.unassignReward,
    },
    within: { parent: 'campaigns', as: 'map', isIn: isLoyalty },
    named: 'reward_id',
    keyedBy: 'reward_id',
    members: { reward_id: { change: 'fixed', createdAs: 'reward' }, parameters: put },
    computed: ['related_object_id', 'related_object_type', 'validation_rule_id', 'validation_rules_assignments'],
    references: { reward_id: ['rewards'] },
  },
  // Created only: the service has no call that changes or removes one.
  {
    name: 'campaigns/loyalty_tiers',
    noun: 'loyalty tier',
    isArray: true,
    calls: callsOf(tiers, 'loyalty.tiers', ['list', 'get', 'create']),
    within: { parent: 'campaigns', as: 'map', isIn: isLoyalty },
    named: 'name',
    members: {
      name: fixed,
      points: fixed,
      earning_rules: { change: 'fixed', standard: {} },
      rewards: { change: 'fixed', standard: {} },
      metadata: { change: 'fixed', standard: {} },
    },
    computed: ['campaign_id', 'config', 'expiration'],
    references: { 'earning_rules.{}': ['campaigns/earning_rules'], 'rewards.{}': ['campaigns/offers'] },
  },
  {
    name: 'stacking-rules',
    noun: 'stacking rules',
    isSingle: true,
    calls: callsOf(stacking, 'stacking-rules', ['list', 'create', 'update', 'delete']),
    named: 'id',
    // The defaults that the service documents, and those that the embedded service chose (docs/service/choices.md).
    members: {
      redeemables_limit: or(30),
      applicable_redeemables_limit: or(5),
      applicable_redeemables_per_category_limit: or(1),
      applicable_redeemables_category_limits: or({}),
      applicable_exclusive_redeemables_limit: or(1),
      applicable_exclusive_redeemables_per_category_limit: or(1),
      ...Object.fromEntries(stackedCategories.map((name) => [name, set])),
      redeemables_application_mode: or('ALL'),
      redeemables_sorting_rule: or('REQUESTED_ORDER'),
      redeemables_no_effect_rule: or('REDEEM_ANYWAY'),
      redeemables_products_application_mode: or('STACK'),
      redeemables_rollback_order_mode: or('WITH_ORDER'),
      discount_calculation_mode: or('DISCOUNTED_AMOUNT'),
    },
    computed: ['grouped_redeemables_sorting_rule'],
    references: {
      'applicable_redeemables_category_limits.{}': ['categories'],
      ...Object.fromEntries(stackedCategories.map((name) => [`${name}.*`, ['categories']])),
    },
  },
  {
    name: 'webhooks',
    noun: 'webhook',
    isReplaced: true,
    calls: callsOf(webhooks, 'webhooks'),
    named: 'target_url',
    members: {
      target_url: put,
      events: { change: 'put', form: 'events' },
      active: { change: 'put', standard: true, isNeeded: true },
    },
    computed: ['secret'],
  },
]
