// Why a voucher can be used now or not, and by whom it was used and when: what --explain says of it.

import type { Client } from '../../api/client.ts'
import { refusalWords } from '../../api/outcome/refusal-words.ts'
import { formatCount, formatNumber } from '../../base/numbers.ts'
import { argumentWords } from '../../base/shell-word.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { listRedemptions } from '../../contract/redemptions.ts'
import type { Explains } from '../declared/command.ts'
import { allOf } from '../result/all-of.ts'
import { partReader } from '../result/try-read.ts'
import { nameOf } from '../topics/customers/names.ts'
import { told } from '../topics/redemptions/told.ts'
import { type CampaignDates, type VoucherDates, voucherState, whichIsOff } from '../topics/vouchers/state.ts'

/** How many uses are shown, the newest first. */
const mostUses = 5

type TimeOf = (instant: unknown) => string

interface Voucher extends VoucherDates {
  code: string
  gift?: { amount?: number; balance?: number } | null
}

/** The members of a redemption, rollback or failed attempt that are read here; every one but the id may be missing. */
export interface Use {
  id: string
  created_at?: string
  object?: string
  result?: string
  status?: string
  failure_code?: string | null
  failure_message?: string | null
  reason?: string | null
  customer?: { id: string; source_id?: string | null; name?: string | null } | null
  order?: { id?: string; source_id?: string | null } | null
}

/** Explains a voucher. */
export const explainVoucher: Explains =
  ({ client, nowMs, timeOf }) =>
  async (object) => {
    const voucher = object as Voucher
    const { code, gift, campaign_id } = voucher
    const unknown: string[] = []
    const part = partReader((what, why) => unknown.push(`unknown: ${what}: ${why}`))
    const campaign = (await part('whether its campaign is on', undefined, async () =>
      campaign_id == null ? undefined : await client.call(getCampaign, { path: { campaignId: campaign_id } }),
    )) as CampaignDates | undefined
    const off = whichIsOff(voucher, campaign, nowMs)
    const left = gift && `${formatNumber(gift.balance ?? 0)} of ${formatCount(gift.amount ?? 0, 'credit')} are left`
    return [
      `${code}: ${voucherState(voucher, campaign, nowMs)}`,
      ...(off === undefined ? [] : [off]),
      ...(left ? [left] : []),
      ...unknown,
      ...(await usesOf(client, voucher, timeOf)),
    ]
  }

/** Says how often a voucher was used, and each use: when, by whom, and for which order. */
export async function usesOf(
  client: Client,
  { code, redemption }: Pick<Voucher, 'code' | 'redemption'>,
  timeOf: TimeOf,
): Promise<string[]> {
  const { quantity, redeemed_quantity: used = 0 } = redemption ?? {}
  const lines = [`used ${formatCount(used, 'time')}${quantity == null ? '' : ` of ${formatNumber(quantity)}`}`]
  const part = partReader((what, why) => lines.push(`unknown: ${what}: ${why}`))
  const found = await part('by whom and when', undefined, async () => {
    const query = { order: '-created_at' as const, filters: { voucher_code: { conditions: { $is: code } } } }
    return await allOf<Use>(client.items(listRedemptions, { query }, { limit: mostUses + 1 }))
  })
  if (found === undefined) return lines
  lines.push(...found.slice(0, mostUses).map((use) => useInWords(use, timeOf)))
  if (found.length > mostUses) return [...lines, `all: promo redemptions list --voucher ${argumentWords(code)} --all`]
  const seen = found.filter((use) => told(use).kind === 'redemption' && use.status !== 'ROLLED_BACK').length
  const unseen = used - seen
  return unseen > 0 ? [...lines, `unknown: ${formatCount(unseen, 'use')} not in the list of redemptions`] : lines
}

/** `2026-03-16 12:00:00 UTC: 500 off, Ada Okafor (shop-1001), order northlight-2001, r_1`. */
export function useInWords(use: Use, timeOf: TimeOf): string {
  const { created_at, customer, order, id, failure_code, reason } = use
  const { kind, outcome } = told(use)
  const why = kind === 'refused' ? refusalWords(failure_code ?? undefined) : reason
  const who = customer && `${nameOf(customer)}${customer.source_id ? ` (${customer.source_id})` : ''}`
  const bought = order && (order.source_id ?? order.id)
  const parts = [outcome, why, who, bought && `order ${bought}`, id].filter((text) => text != null && text !== '')
  return `${timeOf(created_at)}: ${parts.join(', ')}`
}
