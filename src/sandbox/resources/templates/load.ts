// A template from a fixture, in the form that `expand=json_template` shows. Source: docs/sandbox.md#fixtures.
import { z } from 'zod'
import { checkedBody } from '../../http/check-input.ts'
import { invalidPayload } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/resource.ts'
import { identityOf } from '../../seed/fixture-object.ts'
import { checkNameIsFree } from './create.ts'
import { type StoredTemplate, type TemplateContent, templates } from './store.ts'

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
export function loadTemplate(wire: Record<string, unknown>, loading: FixtureContext): StoredTemplate {
  const { name, description, campaign_type, json_template } = checkedBody(wireTemplate, wire) as z.output<
    typeof wireTemplate
  >
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
