// The template calls of both APIs.
// Source: docs/service/templates.md#copy; docs/service/templates.md#create; docs/service/templates.md#calls; docs/sandbox.md#fixtures.
import { z } from 'zod'
import { withoutUndefined } from '../../base/record.ts'
import * as contract from '../../contract/templates.ts'
import { existingById, routesFor } from '../answers/existing.ts'
import { checkWire } from '../http/check-input.ts'
import { identityOf } from '../http/fixture-object.ts'
import { invalidPayload } from '../http/refusal.ts'
import {
  type Context,
  type CursorQuery,
  cursorAnswer,
  type FixtureContext,
  type Resource,
  route,
} from '../http/route.ts'
import { checkNameIsFree, copyTemplate, createTemplate, updateTemplate } from '../resources/templates/create.ts'
import { campaignFromTemplate, tierFromTemplate } from '../resources/templates/set-up.ts'
import { type StoredTemplate, type TemplateContent, templates } from '../stores/templates.ts'

const routeFor = routesFor('campaignTemplateId', (id, context) => existingById(templates, id, context))

/** Templates, by id. They have no events (docs/service/templates.md#contents). */
export const templateResource: Resource = {
  collections: [templates],
  load: { templates: loadTemplate },
  routes: [
    route(contract.createTemplate, ({ body }, context) => templateAnswer(createTemplate(body, context))),
    route(contract.listTemplates, ({ query }, context) => listTemplates(query, context)),
    // A management call acts on the project of its path, so the listing is the same.
    route(contract.listProjectTemplates, ({ query }, context) => listTemplates(query, context)),
    routeFor(contract.copyTemplate, (template, context, { body }) =>
      templateAnswer(copyTemplate(template, body, context)),
    ),
    routeFor(contract.getTemplate, (template, _, { query }) =>
      query.expand === 'json_template' ? template : templateAnswer(template),
    ),
    routeFor(contract.updateTemplate, (template, context, { body }) =>
      templateAnswer(updateTemplate(template, body, context)),
    ),
    routeFor(contract.deleteTemplate, (template, context) => context.in(templates).remove(template.id)),
    routeFor(contract.setUpCampaign, (template, context, { body }) => campaignFromTemplate(template, body, context)),
    routeFor(contract.setUpTier, (template, context, { body }) => tierFromTemplate(template, body, context)),
  ],
}

function listTemplates(query: CursorQuery & { include_total?: boolean | undefined }, context: Context) {
  return cursorAnswer(templates, { order: 'id', ...withoutUndefined(query) }, context, {
    ref: 'campaign_templates',
    show: (items) => items.map(templateAnswer),
    isCounted: query.include_total === true,
  })
}

/** Shows a template without what it creates. */
function templateAnswer({ json_template: _template, ...template }: StoredTemplate) {
  return template
}

const wireTemplate = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  campaign_type: z.enum(['DISCOUNT_COUPONS', 'GIFT_VOUCHERS']),
  json_template: z.looseObject({
    object: z.enum(['campaign', 'promotion_tier']),
    active: z.boolean().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    validation_rules: z.array(z.looseObject({})).optional(),
  }),
})

/**
 * Reads a template. The shape of what it creates is checked here; the rest on use. Throws a refusal that
 * names the problem.
 */
function loadTemplate(wire: Record<string, unknown>, loading: FixtureContext): StoredTemplate {
  const { name, description, campaign_type, json_template } = checkWire(wireTemplate, wire)
  checkNameIsFree(name, loading)
  const contents = json_template.object === 'campaign' ? json_template.voucher : json_template.action
  if (typeof contents !== 'object' || contents === null)
    throw invalidPayload("Property .json_template should have required property 'voucher' or 'action'")
  return {
    name,
    description: description ?? null,
    campaign_type,
    json_template: { active: true, metadata: {}, validation_rules: [], ...json_template } as TemplateContent,
    object: 'campaign_template',
    ...identityOf(templates, wire, loading),
  }
}
