// What each tool returns, as short JSON schemas made from the complete forms of the answers. The build runs this: a bundle has
// only the schemas.
import { z } from 'zod'
import { campaign, campaignSummary } from '../../../contract/answers/campaigns.ts'
import { customer, segment } from '../../../contract/answers/customers.ts'
import { heldRedeemable, redemption, validation } from '../../../contract/answers/evaluations.ts'
import { order } from '../../../contract/answers/orders.ts'
import { transaction, voucher } from '../../../contract/answers/vouchers.ts'
import { cardBalanceColumns } from '../../../output/columns/balances.ts'
import { differenceColumns } from '../../../output/columns/differences.ts'
import { findingColumns } from '../../../output/columns/findings.ts'
import { historyColumns, jobColumns } from '../../../output/columns/jobs.ts'

/** The rows that promo makes itself, by their columns. */
function rowsBy({ columns }: { columns: readonly { name: string }[] }): JsonSchema {
  const names = columns.map(({ name }) => name).filter((name) => !name.includes('.'))
  return { type: 'array', items: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) } }
}

const texts: JsonSchema = { type: 'array', items: { type: 'string' } }
const anObject: JsonSchema = { type: 'object' }
const objects: JsonSchema = { type: 'array', items: anObject }
const page = { more: { type: 'string' }, cursor: { type: 'string' } }
const written = { exit_code: { type: 'number' }, rows: objects, summary: anObject }
const ofCustomer = customer.pick({ id: true, source_id: true, name: true, email: true, phone: true, loyalty: true })
const outlineOf = (form: z.ZodType): JsonSchema => outline(form)

/** The members of the structured content of each tool; all may be missing, and `notes` may be added. */
export const schemas: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  find: { customers: rowsOf(ofCustomer), voucher: outlineOf(voucher), order: outlineOf(order), redemption: anObject },
  show_customer: {
    customer: outlineOf(customer),
    segments: rowsOf(segment.pick({ id: true, name: true })),
    holdings: rowsOf(heldRedeemable),
    redemptions: objects,
    referrals: outlineOf(z.object({ referred_by: z.array(z.unknown()), referred: z.array(z.unknown()) })),
    more: texts,
    not_shown: objects,
  },
  show_voucher: { voucher: anObject, state: { type: 'string' } },
  list_transactions: { rows: rowsOf(transaction), adds_up: { type: 'boolean' }, ...page },
  list_redemptions: { rows: rowsOf(redemption), ...page },
  explain_validation: { valid: { type: 'boolean' }, explanation: { type: 'string' }, answer: outlineOf(validation) },
  qualify: { rows: rowsOf(campaign.pick({ id: true, name: true, campaign_type: true, active: true })), ...page },
  list_campaigns: { rows: rowsOf(campaign), campaign: anObject, summary: outlineOf(campaignSummary), ...page },
  check_project: { has_errors: { type: 'boolean' }, rows: rowsBy(findingColumns), ...page },
  balance_as_of: { rows: rowsBy(cardBalanceColumns), ...page },
  order_differences: { agrees: { type: 'boolean' }, rows: rowsBy(differenceColumns), ...page },
  history: { rows: rowsBy(historyColumns), ...page },
  jobs: { rows: rowsBy(jobColumns), job: anObject, report: objects, ...page },
  disable_vouchers: written,
  change_points: written,
  roll_back_redemption: written,
  publish_voucher: written,
  resume_job: written,
}

/** A JSON schema, of the few keywords that are used here. */
interface JsonSchema {
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

/**
 * Returns the schema of a form, `depth` objects deep. Nothing is required and members may be added: the service has versions.
 */
function outline(form: z.ZodType, depth = 1): JsonSchema {
  if (form instanceof z.ZodOptional || form instanceof z.ZodDefault) return outline(form.unwrap() as z.ZodType, depth)
  if (form instanceof z.ZodNullable) return orNull(outline(form.unwrap() as z.ZodType, depth))
  if (form instanceof z.ZodBoolean) return { type: 'boolean' }
  if (form instanceof z.ZodNumber) return { type: 'number' }
  if (form instanceof z.ZodArray) return { type: 'array' }
  if (form instanceof z.ZodObject && depth > 0) return { type: 'object', properties: membersOf(form, depth) }
  if (form instanceof z.ZodObject || form instanceof z.ZodRecord) return { type: 'object' }
  if (form instanceof z.ZodString || form instanceof z.ZodEnum || form instanceof z.ZodLiteral)
    return { type: 'string' }
  return {}
}

/** Returns the schema of rows of a form. */
function rowsOf(form: z.ZodType): JsonSchema {
  return { type: 'array', items: outline(form) }
}

function membersOf(form: z.ZodObject, depth: number): Record<string, JsonSchema> {
  const members = Object.entries(form.shape as Record<string, z.ZodType>)
  return Object.fromEntries(members.map(([name, member]) => [name, outline(member, depth - 1)]))
}

function orNull(schema: JsonSchema): JsonSchema {
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema
}
