// The vouchers a campaign generates: what they take from it, one at once, many in slices.
// Source: docs/service/campaigns.md#generate-codes; docs/service/campaigns.md#add-a-voucher.
import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { withoutNull } from '../../../base/record.ts'
import type { newCampaignVoucher } from '../../../contract/new-campaign.ts'
import { duplicate, refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { type CodeConfig, type CodeSequence, completeCodeConfig, drawCodes } from '../../rules/codes.ts'
import type { StoredCampaign } from '../../stores/campaigns.ts'
import { ignoresCodeCase } from '../../stores/projects.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { checkMetadata } from '../metadata/check.ts'
import { buildVoucher, checkCode } from '../vouchers/create.ts'
import { checkVoucherType, validityLimitsOf } from '../vouchers/parts.ts'
import { invalidCampaign } from './programs.ts'

/** What vouchers of a campaign may override. */
export type VoucherOverrides = z.output<typeof newCampaignVoucher>

// A thousand times the codes of a three-digit pattern; no request waits longer for one code.
const singleCodeEffort = 1_000_000

/** Adds one voucher, under the given or a generated code. Throws 400, 404 or 409. */
export function addVoucher(
  campaign: StoredCampaign,
  code: string | undefined,
  differences: VoucherOverrides,
  context: Context,
): StoredVoucher {
  const model = checkedVoucherTemplate(campaign, differences, context)
  if (code !== undefined) {
    checkCode(code)
    if (context.in(vouchers).holdsKey(code)) throw duplicate('voucher', code)
  }
  return context.in(vouchers).insert({ ...model, code: code ?? freeCode(formOf(campaign, differences), context) })
}

/** Adds up to `count` vouchers, trying at most `effort` codes; returns where to resume, and whether all codes are taken. */
export function addVouchers(
  campaign: StoredCampaign,
  differences: VoucherOverrides,
  draw: { count: number; effort: number; walk?: CodeSequence | undefined },
  context: Context,
): { added: number; walk?: CodeSequence; isExhausted: boolean } {
  const model = voucherTemplate(campaign, differences, context)
  const { codes, ...rest } = newCodes(formOf(campaign, differences), draw, context)
  for (const code of codes) context.in(vouchers).insert({ ...model, id: context.id(vouchers.prefix), code })
  return { added: codes.length, ...rest }
}

/** Builds a voucher as `voucherTemplate` does, and checks the metadata of the request. Throws 400 or 404. */
export function checkedVoucherTemplate(
  campaign: StoredCampaign,
  differences: VoucherOverrides,
  context: Context,
): StoredVoucher {
  if (differences?.metadata) checkMetadata(context, 'voucher', differences.metadata)
  return voucherTemplate(campaign, differences, context)
}

/** Builds a voucher as the campaign generates them, without a code; stores nothing. Throws 400 or 404. */
export function voucherTemplate(
  campaign: StoredCampaign,
  differences: VoucherOverrides,
  context: Pick<Context, 'id' | 'in' | 'now'>,
): StoredVoucher {
  const { voucher, category, category_id } = campaign
  if (!voucher) throw invalidCampaign('This campaign has no vouchers')
  checkVoucherType(campaign.campaign_type, voucher.type)
  const { code_config: _, ...own } = differences ?? {}
  const named = own.category != null || own.category_id != null
  return buildVoucher(
    '',
    voucher.type,
    {
      ...(voucher.discount && { discount: voucher.discount }),
      ...(voucher.gift && { gift: voucher.gift }),
      ...(voucher.loyalty_card && { loyalty_card: { points: voucher.loyalty_card.points } }),
      ...validityLimitsOf(campaign),
      // ASSUMED A233: vouchers start with the metadata of their campaign unless they have their own.
      metadata: campaign.metadata,
      redemption: voucher.redemption,
      ...withoutNull(own),
      ...(!named && { category, category_id }),
    } as Parameters<typeof buildVoucher>[2],
    campaign,
    context,
  )
}

/** The message that a pattern is used up. */
export function codesExhaustedText(form: CodeConfig): string {
  return `All codes of the pattern ${completeCodeConfig(form).pattern} are taken`
}

/** Draws a code of a form that no voucher has. Throws 400 `invalid_code_config` when none is left. */
export function freeCode(form: CodeConfig, context: Context): string {
  const [code] = newCodes(form, { count: 1, effort: singleCodeEffort }, context).codes
  if (code === undefined) throw refused('invalid_code_config', codesExhaustedText(form))
  return code
}

function newCodes(
  form: CodeConfig,
  draw: { count: number; effort: number; walk?: CodeSequence | undefined },
  context: Context,
) {
  const { holdsKey } = context.in(vouchers)
  return drawCodes(form, {
    ...draw,
    random: (below) => randomInt(below),
    isTaken: holdsKey,
    // As SQLite compares when ignoring case: ASCII letters only.
    keyOf: ignoresCodeCase(context.project)
      ? (code) => code.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
      : undefined,
  })
}

/** The form of the codes of a campaign, unless a request has its own. */
export function formOf(campaign: StoredCampaign, differences: VoucherOverrides): CodeConfig {
  return differences?.code_config ?? campaign.voucher?.code_config ?? {}
}
