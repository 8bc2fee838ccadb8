// The tiers of loyalty programs: ranges of points, and what points and prices become for those who reached them.
// Source: docs/service/loyalty-tiers.md.
import { z } from 'zod'
import { bothWays, callsAbout, listing, pageListing } from './calls-about.ts'
import { endpoint } from './endpoint.ts'
import { metadata, pageSize } from './fields.ts'

const points = z.strictObject({ from: z.int().min(0), to: z.int().min(0).nullish() })

const multiplied = z.strictObject({ type: z.literal('MULTIPLY'), multiplier: z.number().positive() })
const replaced = z.strictObject({ type: z.literal('CUSTOM'), points: z.int().min(0) })

/** What the points of a rule, or the price of a reward, become for the members of a tier. */
const mapping = z.discriminatedUnion('type', [multiplied, replaced])

export type TierMapping = z.output<typeof mapping>

/** A tier to create. The keys of the mappings are ids of earning rules, and of the program's offers of rewards. */
export const newLoyaltyTier = z.strictObject({
  name: z.string().min(1),
  points,
  earning_rules: z.record(z.string().min(1), mapping).nullish(),
  rewards: z.record(z.string().min(1), mapping).nullish(),
  metadata: metadata.nullish(),
})

/** A tier as the service returns it. */
const loyaltyTier = z.looseObject({ id: z.string(), name: z.string().optional() })

const units = ['MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR'] as const
const span = z.string().min(1)

const rounding = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(units), strategy: z.literal('END').optional() }),
  z.strictObject({
    type: z.literal('CUSTOM'),
    unit: z.literal('MONTH').optional(),
    value: z.int().min(0).max(11),
    strategy: z.literal('END').optional(),
  }),
])

/** By which points a member is in a tier, from when and until when. */
export const tierSettings = z.discriminatedUnion('qualification_type', [
  z.strictObject({
    qualification_type: z.literal('BALANCE'),
    start_date: z.strictObject({ type: z.literal('IMMEDIATE') }).optional(),
    expiration_date: z.discriminatedUnion('type', [
      // One published schema requires `extend` here too, where it has no effect.
      z.strictObject({ type: z.literal('BALANCE_DROP'), extend: span.nullish() }),
      z.strictObject({ type: z.literal('CUSTOM'), extend: span, rounding: rounding.nullish() }),
    ]),
  }),
  z.strictObject({
    qualification_type: z.literal('POINTS_IN_PERIOD'),
    qualification_period: z.enum(units),
    start_date: z.strictObject({ type: z.enum(['IMMEDIATE', 'NEXT_PERIOD']) }).optional(),
    expiration_date: z.strictObject({ type: z.enum(['END_OF_PERIOD', 'END_OF_NEXT_PERIOD']), extend: span.nullish() }),
  }),
])

export type TierSettings = z.output<typeof tierSettings>

/** The events of a member's tier, by the last word of their names. */
export const tierChanges = ['joined', 'left', 'upgraded', 'downgraded', 'prolonged'] as const

export type TierChange = (typeof tierChanges)[number]

const calls = callsAbout('loyalty.tiers', '/v1/loyalties/{campaignId}/tiers/{loyaltyTierId}', {
  response: loyaltyTier,
  source: 'docs/service/loyalty-tiers.md#calls',
})

/** Lists the tiers of a program, newest first; there are no pages. */
export const listLoyaltyTiers = calls.list(
  {
    ...listing,
    paging: { style: 'none', isLimited: true },
    query: z.strictObject({ limit: pageSize.optional(), order: bothWays('created_at', 'updated_at').optional() }),
  },
  'List the tiers of a loyalty program',
)

/** Adds tiers to a program. Answers with an array of them. */
export const createLoyaltyTiers = endpoint('loyalty.tiers.create', 'Create tiers of a loyalty program', {
  call: 'POST /v1/loyalties/{campaignId}/tiers',
  body: z.array(newLoyaltyTier).min(1),
  response: z.array(loyaltyTier),
  repeat: 'reconcile',
  proof: { by: 'list', read: { call: () => listLoyaltyTiers } },
  source: 'docs/service/loyalty-tiers.md#create',
})

export const getLoyaltyTier = calls.get('Get a tier of a loyalty program')

/** Lists the earning rules of a program with the points that the members of a tier earn. */
export const listTierEarningRules = calls.listOf(
  'earning-rules',
  pageListing,
  'List the earning rules of a loyalty tier',
)

export const listTierRewards = calls.listOf('rewards', listing, 'List the rewards of a loyalty tier')

/** Lists the tier of a card's holder, with the days on which it began and ends; empty without one. */
export const listMemberTiers = endpoint('loyalty.members.tiers.list', "List the tiers of a loyalty card's holder", {
  ...listing,
  call: 'GET /v1/loyalties/members/{memberId}/tiers',
  source: 'docs/service/loyalty-tiers.md#the-tier-of-a-member',
})
