// What a filter of a list names must exist: a list that is empty because of a typing mistake looks like one that is empty.
import type { Client } from '../../api/client.ts'
import { CallError } from '../../api/outcome/call-error.ts'
import { listNames, mostNamed } from '../../base/name-list.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { listCategories } from '../../contract/categories.ts'
import { getPromotionTier } from '../../contract/promotions.ts'
import { getSegment } from '../../contract/segments.ts'
import { getValidationRule } from '../../contract/validation-rules.ts'
import { getVoucher } from '../../contract/vouchers.ts'
import { PromoError } from '../../errors.ts'

/** Reads what a flag names. Throws `api` (exit 3) where it does not exist. */
export type Named = (client: Client, name: string) => Promise<unknown>

/** A voucher or card, by code or id. */
export const namedVoucher: Named = (client, code) => client.call(getVoucher, { path: { code } })

/** A campaign, by id or name. */
export const namedCampaign: Named = (client, campaignId) => client.call(getCampaign, { path: { campaignId } })

/** What a rule is assigned to, by its id. */
export const namedTarget: Named = async (client, id) =>
  id.startsWith('v_')
    ? await namedVoucher(client, id)
    : id.startsWith('camp_')
      ? await namedCampaign(client, id)
      : id.startsWith('promo_') && (await client.call(getPromotionTier, { path: { promotionTierId: id } }))

/** A validation rule, by id. */
export const namedRule: Named = (client, validationRuleId) =>
  client.call(getValidationRule, { path: { validationRuleId } })

/** A segment, by id. */
export const namedSegment: Named = (client, segmentId) => client.call(getSegment, { path: { segmentId } })

/** A category, by name: the service finds them by id alone. */
export const namedCategory: Named = async (client, name) => {
  const names: string[] = []
  for await (const category of client.items(listCategories)) {
    const { name: one } = category as { name?: string }
    if (one === name) return
    names.push(JSON.stringify(one))
  }
  const there = names.length === 0 ? 'there are none' : `there are ${listNames(names, mostNamed)}`
  throw new PromoError('api', `there is no category ${JSON.stringify(name)}; ${there}`, {
    hint: 'promo categories list',
  })
}

/**
 * Passes the pages of a list on; where there was no row, reads what its flags name. Throws `api` (exit 3) for what does not
 * exist; what the key may not read is taken to exist.
 */
export async function* unlessUnknown(
  pages: AsyncIterable<object[]>,
  reads: readonly (() => Promise<unknown>)[],
): AsyncGenerator<object[]> {
  let isEmpty = true
  for await (const page of pages) {
    if (page.length === 0) continue
    isEmpty = false
    yield page
  }
  for (const read of isEmpty ? reads : []) {
    try {
      await read()
    } catch (error) {
      if (!(error instanceof CallError && error.phase === 'rejected') || error.status === 404) throw error
    }
  }
}
