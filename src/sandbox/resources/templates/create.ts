// Templates: created from a campaign or from a promotion tier, copied and changed.
// Source: docs/service/templates.md#create; docs/service/templates.md#copy.

import type { z } from 'zod'
import type * as contract from '../../../contract/templates.ts'
import type { newTemplate } from '../../../contract/templates.ts'
import { existingById } from '../../answers/existing.ts'
import { duplicate, Refusal, refused } from '../../http/refusal.ts'
import type { BodyOf, Context, Tables } from '../../http/route.ts'
import { idOf, numberedRules } from '../../rules/conditions/context.ts'
import type { RuleTree } from '../../rules/conditions/rule.ts'
import { is, isIn } from '../../storage/conditions.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import { segments } from '../../stores/customers.ts'
import { installation, projects } from '../../stores/projects.ts'
import { promotionTiers } from '../../stores/promotions.ts'
import { type StoredTemplate, type TemplateContent, templates } from '../../stores/templates.ts'
import { assignments, type StoredRule, validationRules } from '../../stores/validation-rules.ts'
import { storeUpdate } from '../update.ts'
import { validityLimitsOf } from '../vouchers/parts.ts'

/** Creates a template; later changes of its origin do not affect it. Throws 400, 404 or 409. */
export function createTemplate(body: z.output<typeof newTemplate>, context: Context): StoredTemplate {
  const made =
    body.promotion_tier_id == null
      ? fromCampaign(body.campaign_id ?? '', context)
      : fromTier(body.promotion_tier_id, context)
  checkNameIsFree(body.name, context)
  return context.in(templates).insert({
    id: context.id(templates.prefix),
    name: body.name,
    description: body.description ?? null,
    ...made,
    created_at: context.now,
    updated_at: null,
    object: 'campaign_template',
  })
}

/** Refuses a name that another template of the project has. Throws 409. */
export function checkNameIsFree(name: string, context: Tables): void {
  if (context.in(templates).holdsKey(name)) throw duplicate(templates.type, name, 'name')
}

/** 400 for what cannot become a template. */
export function unsupportedTemplate(details: string) {
  return refused('campaign_type_is_not_supported_by_campaign_template', details)
}

type Made = Pick<StoredTemplate, 'campaign_type' | 'json_template'>

function fromCampaign(id: string, context: Context): Made {
  // ASSUMED A248: `campaign_id` is an id; a name, which other calls accept too, is not found.
  const campaign = existingById(campaigns, id, context)
  const { campaign_type, voucher } = campaign
  if (campaign_type !== 'DISCOUNT_COUPONS' && campaign_type !== 'GIFT_VOUCHERS')
    throw unsupportedTemplate(`Campaigns of type ${campaign_type} cannot become a template`)
  if (campaign.creation_status === 'DRAFT' || !voucher)
    throw unsupportedTemplate(`Campaign ${campaign.id} is a draft and cannot become a template`)
  return { campaign_type, json_template: campaignBlueprint({ ...campaign, voucher }, context) }
}

function campaignBlueprint(
  campaign: StoredCampaign & Required<Pick<StoredCampaign, 'voucher'>>,
  context: Context,
): TemplateContent {
  return {
    object: 'campaign',
    description: campaign.description ?? null,
    type: campaign.type,
    voucher: campaign.voucher,
    auto_join: campaign.auto_join ?? false,
    join_once: campaign.join_once ?? false,
    use_voucher_metadata_schema: campaign.use_voucher_metadata_schema ?? true,
    ...validityLimitsOf(campaign),
    activity_duration_after_publishing: campaign.activity_duration_after_publishing ?? null,
    active: campaign.active,
    metadata: campaign.metadata,
    validation_rules: rulesOn(campaign.id, context),
  }
}

function fromTier(id: string, context: Context): Made {
  const tier = existingById(promotionTiers, id, context)
  const json_template: TemplateContent = {
    object: 'promotion_tier',
    banner: tier.banner,
    action: tier.action,
    ...validityLimitsOf(tier),
    active: tier.active,
    metadata: tier.metadata,
    validation_rules: rulesOn(tier.id, context),
  }
  return { campaign_type: 'DISCOUNT_COUPONS', json_template }
}

/** Copies the rules of a thing; refuses one that a template cannot contain. */
function rulesOn(id: string, context: Context): Record<string, unknown>[] {
  const assigned = context.in(assignments).all([is(assignments, 'related_object_id', id)])
  const ids = assigned.map(({ rule_id }) => rule_id)
  return context
    .in(validationRules)
    .all([isIn(validationRules, 'id', ids)])
    .map((rule) => {
      const name = unsupportedPart(rule.rules, context)
      if (name !== undefined)
        throw unsupportedTemplate(`Validation rules with ${name} are not supported by campaign templates`)
      return contentOf(rule)
    })
}

function contentOf(rule: StoredRule): Record<string, unknown> {
  const { name, rules, bundle_rules, applicable_to, error, type, context_type } = rule
  return { name, rules, bundle_rules, applicable_to, error, type, context_type }
}

const untransferable = ['redemption.api_key', 'redemption.user', 'customer.loyalty.tier']

/** Names a part of a rule that cannot be copied; conditions on lines, the only ones with nested rules, all can. */
function unsupportedPart(tree: RuleTree | undefined, context: Context): string | undefined {
  const isStatic = (reference: unknown) => context.in(segments).get(idOf(reference) ?? '')?.type === 'static'
  return numberedRules(tree).flatMap(([, { name, conditions = {} }]) => {
    if (untransferable.includes(name)) return [name]
    return name === 'customer.segment' && Object.values(conditions).flat().some(isStatic) ? ['static segments'] : []
  })[0]
}

type Copy = BodyOf<typeof contract.copyTemplate>
type Update = BodyOf<typeof contract.updateTemplate>

/**
 * Copies a template to a project, its own included; what it creates is created there on use. Throws 404 for an unknown
 * project and 409 for a taken name, both in the form of the management API, without a key.
 */
export function copyTemplate(template: StoredTemplate, body: Copy, context: Context): StoredTemplate {
  const { name, description, destination_project_id } = body
  const destination = context.store.in(projects, installation).get(destination_project_id)
  if (!destination)
    throw new Refusal({
      code: 404,
      message: 'Resource not found',
      details: `Cannot find project with id ${destination_project_id}`,
    })
  const table = context.store.in(templates, destination.id)
  if (table.holdsKey(name))
    throw new Refusal({
      code: 409,
      message: 'Duplicated resource found',
      details: `Duplicated ${templates.type} exists with name ${name}`,
    })
  const copy: StoredTemplate = {
    ...template,
    id: context.id(templates.prefix),
    name,
    // ASSUMED A249: a copy keeps the description when none is sent; null removes it.
    description: description === undefined ? template.description : description,
    created_at: context.now,
    updated_at: null,
  }
  table.insert(copy)
  return copy
}

/** Changes name or description; null clears the description. Throws 409. */
export function updateTemplate(template: StoredTemplate, { name, description }: Update, context: Context) {
  if (name !== undefined && name !== template.name) checkNameIsFree(name, context)
  const next = { ...template, name: name ?? template.name, ...(description !== undefined && { description }) }
  return storeUpdate(templates, template, next, context).doc
}
