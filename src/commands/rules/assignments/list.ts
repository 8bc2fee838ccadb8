import type { Client } from '../../../api/client.ts'
import { CallError } from '../../../api/outcome/call-error.ts'
import { ownValue } from '../../../base/record.ts'
import type { RowContext } from '../../../cli/declared/command.ts'
import { listCommand } from '../../../cli/declared/list.ts'
import { namingFlag, textFlag } from '../../../cli/flags/kinds.ts'
import { orderFlag } from '../../../cli/flags/order.ts'
import { namedRule, namedTarget } from '../../../cli/result/named.ts'
import { readById } from '../../../cli/result/read-by-id.ts'
import { getCampaign, listCampaigns } from '../../../contract/campaigns.ts'
import { getPromotionTier, listPromotionTiers } from '../../../contract/promotions.ts'
import { getValidationRule, listAssignments, listValidationRules } from '../../../contract/validation-rules.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { assignmentColumns } from '../../../output/columns/resources/rules.ts'

interface Assignment {
  rule_id?: string
  related_object_type?: string
  related_object_id?: string
}

const kinds = {
  rule: { get: getValidationRule, list: listValidationRules },
  voucher: { get: getVoucher, list: listVouchers, takesIds: true },
  campaign: { get: getCampaign, list: listCampaigns },
  promotion_tier: { get: getPromotionTier, list: listPromotionTiers },
}

/** The calls that it makes. */
const assignmentLooks = Object.values(kinds).flatMap(({ get, list }) => [get, list])

/** Returns the function that adds the name of the rule, and what it restricts: `campaign "Spring mailing"`, `voucher BEANS10`. */
function toldAssignment({ client, shows }: RowContext): (assignment: object) => Promise<object> {
  const ruleOf = readById(client, kinds.rule)
  const voucherOf = readById(client, kinds.voucher)
  const campaignOf = readById(client, kinds.campaign)
  const tierOf = readById(client, kinds.promotion_tier)
  const namesOf: Readonly<Record<string, (id: string) => Promise<string | undefined>>> = {
    voucher: async (id) => (await voucherOf(id))?.code,
    campaign: async (id) => quote((await campaignOf(id))?.name),
    promotion_tier: async (id) => quote((await tierOf(id))?.name),
  }
  // What may not be read, or is gone, keeps its id.
  return async (assignment) => {
    const { rule_id = '', related_object_type: type = '', related_object_id: id = '' } = assignment as Assignment
    const [rule, name] = await Promise.all([
      shows('rule') ? ruleOf(rule_id) : undefined,
      shows('restricts') ? ownValue(namesOf, type)?.(id) : undefined,
    ])
    return {
      ...(shows('rule') && { rule: rule?.name ?? rule_id }),
      ...(shows('restricts') && { restricts: `${type.replace('_', ' ')} ${name ?? id}` }),
    }
  }
}

function quote(name: unknown): string | undefined {
  return typeof name === 'string' ? JSON.stringify(name) : undefined
}

export default listCommand('List what validation rules are assigned to', {
  examples: [
    'promo rules assignments list --profile sandbox',
    'promo rules assignments list --rule val_19b8d627a800000001 --json --profile sandbox',
  ],
  calls: [listAssignments, ...assignmentLooks],
  named: { rule: namedRule, object: namedTarget },
  columns: assignmentColumns,
  told: toldAssignment,
  noun: 'assignments',
  flags: {
    rule: namingFlag('rule', 'only of this validation rule, by id or name'),
    object: textFlag('only of this campaign (id or name), tier (id) or voucher (id or code)', 'ID'),
    ...orderFlag(listAssignments),
  },
  request: async ({ flags: { rule, object, order } }, client) => ({
    query: { rule, related_object_id: object && (await idOfTarget(client, object)), order },
  }),
})

/** The service filters by ids alone; people know codes and names. */
async function idOfTarget(client: Client, text: string): Promise<string> {
  if (/^[a-z]+_/.test(text)) return text
  try {
    return (await client.call(getVoucher, { path: { code: text } }, { mayBeRefused: true })).id
  } catch (error) {
    if (!(error instanceof CallError && error.status === 404)) throw error
    return (await client.call(getCampaign, { path: { campaignId: text } })).id
  }
}
