// What is restricted by which rule, in names: an assignment has ids alone.
import { ownValue } from '../../../base/record.ts'
import { getCampaign, listCampaigns } from '../../../contract/campaigns.ts'
import { getPromotionTier, listPromotionTiers } from '../../../contract/promotions.ts'
import { getValidationRule, listValidationRules } from '../../../contract/validation-rules.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import type { Telling } from '../../declared.ts'
import { readById } from '../../result/read-by-id.ts'

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
export const assignmentLooks = Object.values(kinds).flatMap(({ get, list }) => [get, list])

/** Returns the function that adds the name of the rule, and what it restricts: `campaign "Spring mailing"`, `voucher BEANS10`. */
export function toldAssignment({ client, shows }: Telling): (assignment: object) => Promise<object> {
  const ruleOf = readById(client, kinds.rule)
  const voucherOf = readById(client, kinds.voucher)
  const campaignOf = readById(client, kinds.campaign)
  const tierOf = readById(client, kinds.promotion_tier)
  const namesOf: Readonly<Record<string, (id: string) => Promise<string | undefined>>> = {
    voucher: async (id) => (await voucherOf(id))?.code,
    campaign: async (id) => quoted((await campaignOf(id))?.name),
    promotion_tier: async (id) => quoted((await tierOf(id))?.name),
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

function quoted(name: unknown): string | undefined {
  return typeof name === 'string' ? JSON.stringify(name) : undefined
}
