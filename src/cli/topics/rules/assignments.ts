// What is restricted by which rule, in names: an assignment has ids alone.
import { memoized } from '../../../base/memoized.ts'
import { ownValue } from '../../../base/record.ts'
import { getCampaign } from '../../../contract/campaigns.ts'
import { getPromotionTier } from '../../../contract/promotions.ts'
import { getValidationRule } from '../../../contract/validation-rules.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import type { Telling } from '../../declared.ts'
import { unlessRefused } from '../../result/unless-refused.ts'

interface Assignment {
  rule_id?: string
  related_object_type?: string
  related_object_id?: string
}

/** Returns the function that adds the name of the rule, and what it restricts: `campaign "Spring mailing"`, `voucher BEANS10`. */
export function toldAssignment({ client, shows }: Telling): (assignment: object) => Promise<object> {
  // What may not be read, or is gone, keeps its id.
  const named = (read: (id: string) => Promise<string | undefined>) =>
    memoized(
      async (id) =>
        (await unlessRefused(
          () => read(id),
          () => {},
        )) ?? id,
    )
  const ruleOf = named(
    async (validationRuleId) =>
      (await client.call(getValidationRule, { path: { validationRuleId } })).name ?? undefined,
  )
  const namesOf: Readonly<Record<string, (id: string) => Promise<string>>> = {
    voucher: named(async (code) => (await client.call(getVoucher, { path: { code } })).code),
    campaign: named(async (campaignId) => quoted((await client.call(getCampaign, { path: { campaignId } })).name)),
    promotion_tier: named(async (id) =>
      quoted((await client.call(getPromotionTier, { path: { promotionTierId: id } })).name),
    ),
  }
  return async (assignment) => {
    const { rule_id = '', related_object_type: type = '', related_object_id: id = '' } = assignment as Assignment
    return {
      ...(shows('rule') && { rule: await ruleOf(rule_id) }),
      ...(shows('restricts') && {
        restricts: `${type.replace('_', ' ')} ${(await ownValue(namesOf, type)?.(id)) ?? id}`,
      }),
    }
  }
}

function quoted(name: unknown): string | undefined {
  return typeof name === 'string' ? JSON.stringify(name) : undefined
}
