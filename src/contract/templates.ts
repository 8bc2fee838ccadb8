// Campaign templates.
// Source: docs/service/templates.md#fields; docs/service/templates.md#copy; docs/service/templates.md#create; docs/service/templates.md#calls.
import { z } from 'zod'
import { byId, callsAbout, cursorListing, filters } from './calls-about.ts'
import { listCampaigns } from './campaigns.ts'
import { endpoint } from './endpoint.ts'
import { newCampaign } from './new-campaign.ts'
import { listCampaignTiers, newPromotionTier } from './promotions.ts'

const name = z.string().min(1)
const id = z.string().min(1)

/** A template to create, from a campaign or from a promotion tier: exactly one of the two ids is given. */
export const newTemplate = z
  .strictObject({
    name,
    campaign_id: id.nullish(),
    promotion_tier_id: id.nullish(),
    description: z.string().nullish(),
  })
  .refine((body) => (body.campaign_id == null) !== (body.promotion_tier_id == null), {
    error: "must contain exactly one of 'campaign_id', 'promotion_tier_id'",
  })

/** A template as the service returns it. */
export const template = z.looseObject({
  id: z.string(),
  object: z.literal('campaign_template'),
  name: z.string(),
  description: z.string().nullish(),
  campaign_type: z.string().optional(),
})

export type Template = z.output<typeof template>

const listedTemplates = {
  ...cursorListing,
  query: z.strictObject({ ...byId, include_total: z.boolean().optional(), filters: filters.optional() }),
  source: 'docs/service/templates.md#list',
} as const

// What overrides the template of either is named, so that it is refused in the other and not dropped as unknown.
const ofTiers = ['banner', 'hierarchy', 'action'] as const
const ofCampaigns = [
  'description',
  'type',
  'voucher',
  'vouchers_count',
  'activity_duration_after_publishing',
  'auto_join',
  'join_once',
  'use_voucher_metadata_schema',
] as const

const { voucher } = newCampaign.shape
const ownOfTiers = { banner: true, hierarchy: true, action: true } as const
const rulesOfTiers = { validation_rules: true, validation_rule_assignments: true } as const
const common = newPromotionTier.omit({ ...ownOfTiers, ...rulesOfTiers }).shape

/** A campaign to create from a template: overrides of the template, and its own values. */
export const campaignSetup = z.strictObject({
  ...common,
  ...pick(newCampaign.shape, ofCampaigns),
  voucher: voucher.unwrap().pick({ discount: true, gift: true, redemption: true, code_config: true }).optional(),
  ...refusedMembers(ofTiers, 'a campaign'),
})

/** A promotion tier to create from a template: overrides of the template, and its own values. */
export const tierSetup = z.strictObject({
  ...common,
  campaign_id: id,
  ...newPromotionTier.pick({ banner: true, hierarchy: true }).shape,
  action: newPromotionTier.shape.action.optional(),
  ...refusedMembers(ofCampaigns, 'a promotion tier'),
})

function pick<Shape extends object, Name extends keyof Shape>(shape: Shape, names: readonly Name[]): Pick<Shape, Name> {
  return Object.fromEntries(names.map((one) => [one, shape[one]])) as Pick<Shape, Name>
}

function refusedMembers<Name extends string>(
  names: readonly Name[],
  owner: string,
): Record<Name, z.ZodOptional<z.ZodUnknown>> {
  const none = z.unknown().refine((given) => given === undefined, { error: `must NOT be given: ${owner} has none` })
  return Object.fromEntries(names.map((one) => [one, none.optional()])) as Record<Name, z.ZodOptional<z.ZodUnknown>>
}

/** What was created along, besides the answer's own object. */
const createdResources = z.array(z.looseObject({ id: z.string(), object: z.string() })).optional()

const calls = callsAbout('templates', '/v1/templates/campaigns/{campaignTemplateId}', {
  response: template,
  source: 'docs/service/templates.md',
})

/** Copies a template to another project, under a name that is free there. Answers with the copy. */
export const copyTemplate = endpoint('templates.copy', 'Copy a campaign template to a project', {
  call: 'POST /management/v1/projects/{projectId}/templates/campaigns/{campaignTemplateId}/copy',
  credential: 'management',
  body: z.strictObject({ name, destination_project_id: id, description: z.string().nullish() }),
  response: template,
  repeat: 'key',
  proof: { by: 'list', read: { call: () => listProjectTemplates, path: { projectId: 'body.destination_project_id' } } },
  source: 'docs/service/templates.md#copy',
})

/** Creates a template from a discount or gift card campaign, or from a promotion tier. */
export const createTemplate = calls.create(
  newTemplate,
  { repeat: 'key', proof: { by: 'list', read: { call: () => listTemplates } } },
  'Create a campaign template',
  'create',
)

/** Lists templates; the service counts them only with `include_total`. */
export const listTemplates = calls.list(listedTemplates, 'List campaign templates')

/** Lists the templates of any project of the organisation. */
export const listProjectTemplates = endpoint('templates.list-of-project', 'List the campaign templates of a project', {
  ...listedTemplates,
  call: 'GET /management/v1/projects/{projectId}/templates/campaigns',
  credential: 'management',
})

/** Reads one template; with `expand` also its contents. */
export const getTemplate = calls.get('Get a campaign template', 'get', {
  query: z.strictObject({ expand: z.enum(['json_template']).optional() }),
})

/** Changes the name or the description of a template. */
export const updateTemplate = calls.update(
  z.strictObject({ name: name.optional(), description: z.string().nullish() }),
  'Update a campaign template',
  'update',
)

/** Removes a template; what was created from it stays. */
export const deleteTemplate = calls.delete('Delete a campaign template', 'delete')

/** Creates a campaign, with its rules and products, from a template. The campaign's name is unique. */
export const setUpCampaign = calls.act('campaign-setup', 'Create a campaign from a template', 'campaign-setup', {
  body: campaignSetup,
  response: z.looseObject({
    object: z.literal('campaign_setup'),
    campaign: z.looseObject({ id: z.string() }),
    created_resources: createdResources,
  }),
  repeat: 'key',
  proof: { by: 'list', read: { call: () => listCampaigns }, as: 'campaign' },
})

export const setUpTier = calls.act('tier-setup', 'Create a promotion tier from a template', 'tier-setup', {
  body: tierSetup,
  response: z.looseObject({
    object: z.literal('promotion_tier_setup'),
    promotion_tier: z.looseObject({ id: z.string() }),
    created_resources: createdResources,
  }),
  repeat: 'reconcile',
  proof: {
    by: 'list',
    read: { call: () => listCampaignTiers, path: { campaignId: 'body.campaign_id' } },
    as: 'promotion_tier',
  },
})
