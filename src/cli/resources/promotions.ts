// The commands of promotion tiers and stacks.
import { callsOf } from '../../contract/calls-about.ts'
import * as stacks from '../../contract/promotion-stacks.ts'
import * as promotions from '../../contract/promotions.ts'
import { stackColumns, tierColumns } from '../../output/columns/resources/promotions.ts'
import { resourceCommands } from '../resource.ts'
import { discountFlags, partsOfAmounts, rulesFlag, validityFlags } from '../topics/vouchers/members.ts'

const within = {
  name: 'campaign',
  about: 'a promotion campaign, by id or name',
  example: '"Terrace season"',
  path: 'campaignId',
}
const category = {
  about: 'the category, by id or name',
  path: 'category_id',
  value: 'ID',
  names: 'category',
  mayBeNone: true,
} as const
const tier = {
  name: 'tier',
  about: 'a promotion tier, by id or name',
  example: 'promo_19b8d627a800000001',
  names: 'tier',
} as const

const discounts = discountFlags('action.')

/** The commands of promotion tiers. */
export const tierCommands = resourceCommands('promotions tiers', 'promotion tier', {
  columns: tierColumns,
  calls: callsOf(promotions, 'promotions.tiers', ['create', 'update', 'delete']),
  elsewhere: {
    list: promotions.listCampaignTiers,
    get: promotions.getPromotionTier,
    words: (parent) => `promotions list --campaign ${parent}`,
  },
  within,
  named: tier,
  members: {
    name: { about: 'the name', isNeeded: true },
    banner: { about: 'the name that customers see' },
    hierarchy: { about: 'the place; lower numbers come first', value: 'N' },
    ...discounts,
    'percent-off': {
      ...discounts['percent-off'],
      about: 'discount: a percentage',
      isNeeded: { or: ['amount-off', 'fixed-amount', 'unit-off'], unless: partsOfAmounts },
    },
    active: { about: 'switched on', takes: 'switch' },
    category,
    ...validityFlags,
    rules: { ...rulesFlag.rules, isFixed: true },
  },
  texts: {
    create: {
      description: 'Without --hierarchy it comes last. It applies at once unless --no-active is given.',
      examples: [
        '--name "Ten percent" --percent-off 10',
        '{"name":"Three euros","action":{"discount":{"type":"AMOUNT","amount_off":300}}}',
      ],
    },
    update: {
      description: 'The discount is replaced as a whole. Rules are changed by promo rules assign and unassign.',
      examples: ['--banner "Ten percent off"', '{"metadata":{"shelf":"front"}}'],
    },
    delete: { description: 'promo promotions disable switches it off instead. Asks for confirmation.' },
  },
})

/** The commands that name a promotion tier without its campaign. */
export const knownTierCommands = resourceCommands('promotions', 'promotion tier', {
  columns: tierColumns,
  calls: callsOf(promotions, 'promotions.tiers', ['get', 'enable', 'disable']),
  named: tier,
  members: {},
})

/** The commands of promotion stacks. */
export const stackCommands = resourceCommands('promotions stacks', 'promotion stack', {
  columns: stackColumns,
  calls: callsOf(stacks, 'promotions.stacks', ['get', 'create', 'update', 'delete']),
  elsewhere: {
    list: stacks.listCampaignStacks,
    get: stacks.getPromotionStack,
    words: (parent) => `promotions stacks --campaign ${parent}`,
  },
  within,
  named: {
    name: 'stack',
    about: 'a promotion stack, by id or name',
    example: 'stack_19b8d627a800000001',
    names: 'stack',
  },
  members: {
    name: { about: 'the name', isNeeded: true },
    tiers: {
      about: 'its tiers, by id or name, in the order in which they apply',
      names: 'tier',
      path: 'tiers.ids',
      takes: 'many',
      isNeeded: true,
    },
    category,
  },
  texts: {
    create: {
      examples: [
        '--name Both --tiers promo_19b8d627a800000001,promo_19b8d627a800000002',
        '{"name":"Both","tiers":{"ids":["promo_19b8d627a800000001"],"hierarchy_mode":"MANUAL"}}',
      ],
    },
    update: {
      examples: [
        '--name "Terrace and news"',
        '{"tiers":{"ids":["promo_19b8d627a800000002","promo_19b8d627a800000001"]}}',
      ],
    },
    delete: { description: 'Its tiers stay. Asks for confirmation.' },
  },
})
