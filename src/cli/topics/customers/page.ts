// The page about a customer, for people: who it is, and what they hold, redeemed and recommended.
import { formatCount } from '../../../base/numbers.ts'
import type { Column } from '../../../output/column.ts'
import type { Section } from '../../../output/emit.ts'
import { told } from '../redemptions/told.ts'
import type { VoucherDates } from '../vouchers/state.ts'
import { nameOf } from './names.ts'
import { limits, type Overview } from './overview.ts'

/** Returns the sections of the page, at most 80 columns wide for ordinary names and codes. */
export async function sectionsOf(
  { customer, segments, holdings, redemptions, referrals, more, not_shown }: Overview,
  stateOf: (voucher: VoucherDates) => Promise<string>,
): Promise<Section[]> {
  const { id, source_id, name, email, phone, address, country, metadata, summary, loyalty, created_at } =
    customer as typeof customer & { [member: string]: unknown }
  const why = (part: string) => not_shown.find((missing) => missing.part === part)?.why
  const nothing = (part: string) => (why(part) === undefined ? 'none' : `not shown: ${why(part)}`)
  const titleOf = (title: string, part: string, most: number) =>
    more.includes(part) ? `${title} (the newest ${most})` : title
  const where = address as { city?: unknown; country?: unknown } | undefined
  const place = [where?.city, where?.country ?? country].filter((one) => typeof one === 'string').join(', ')
  const orders = summary?.orders
  const who = {
    name,
    email,
    phone,
    source_id,
    id,
    place,
    metadata: Object.keys(metadata ?? {}).length > 0 ? JSON.stringify(metadata) : '',
    segments: segments.map((segment) => (segment as { name?: string; id: string }).name ?? '').join(', '),
    spent: orders && `${orders.total_amount} in ${formatCount(orders.total_count, 'order')}`,
    points: loyalty?.points,
    created_at,
  }
  return [
    { title: 'Customer', content: who, columns: columnsOf(who), nothing: 'nothing is known' },
    ...(why('segments') === undefined
      ? []
      : [{ title: 'Segments', content: [], columns: [], nothing: nothing('segments') }]),
    {
      title: titleOf('Vouchers and cards', 'holdings', limits.holdings),
      content: await Promise.all(holdings.map((holding) => holdingRow(holding, stateOf))),
      columns: [
        { name: 'code', kind: 'identifier' },
        { name: 'type', kind: 'text' },
        { name: 'state', kind: 'state' },
        { name: 'balance', kind: 'number' },
        { name: 'campaign', kind: 'text' },
      ],
      nothing: nothing('holdings'),
    },
    {
      title: titleOf('Last redemptions', 'redemptions', limits.redemptions),
      content: redemptions.map(redemptionRow),
      columns: [
        { name: 'created_at', kind: 'time', stays: true },
        { name: 'code', kind: 'identifier', stays: true },
        { name: 'outcome', kind: 'state', stays: true },
        { name: 'to_pay', kind: 'number', stays: true },
        { name: 'reason', kind: 'text' },
        { name: 'order', kind: 'identifier', stays: true },
        { name: 'id', kind: 'identifier', stays: true },
      ],
      nothing: nothing('redemptions'),
    },
    {
      title: titleOf('Referrals', 'referrals', limits.friends),
      content: [
        ...referrals.referred_by.map((person) => ({ how: 'referred by', who: nameOf(person), email: person.email })),
        ...referrals.referred.map((person) => ({
          how: 'referred',
          who: nameOf(person),
          email: person.email,
          code: person.code,
        })),
      ],
      columns: [
        { name: 'how', kind: 'identifier' },
        { name: 'who', kind: 'text' },
        { name: 'email', kind: 'text' },
        { name: 'code', kind: 'identifier' },
      ],
      nothing: nothing('referrals'),
    },
  ]
}

function columnsOf(content: object): Column[] {
  return Object.keys(content).map((name) => ({ name, kind: name === 'created_at' ? 'time' : 'text' }))
}

/** The part of a voucher that is read here; every member may be missing. */
interface HeldVoucher extends VoucherDates {
  code?: string
  campaign?: string | null
  gift?: { balance?: number } | null
  loyalty_card?: { balance?: number } | null
}

async function holdingRow(holding: object, stateOf: (voucher: VoucherDates) => Promise<string>) {
  const { redeemable, redeemable_id, voucher_type, holder_role } = holding as {
    redeemable?: { voucher?: HeldVoucher }
    redeemable_id: string
    voucher_type?: string
    holder_role?: string
  }
  const voucher = redeemable?.voucher
  return {
    code: voucher?.code ?? redeemable_id,
    type: holder_role === 'REFERRER' ? 'REFERRAL_CODE' : voucher_type,
    state: voucher && (await stateOf(voucher)),
    balance: voucher?.gift?.balance ?? voucher?.loyalty_card?.balance,
    campaign: voucher?.campaign,
  }
}

function redemptionRow(redemption: object) {
  const { id, date, created_at, order, reason, voucher, promotion_tier, related_object_type, related_object_id } =
    redemption as {
      id: string
      date?: string
      created_at?: string
      order?: { total_amount?: number; source_id?: string | null; id?: string } | null
      reason?: string | null
      voucher?: { code?: string }
      promotion_tier?: { name?: string }
      related_object_type?: string
      related_object_id?: string
    }
  return {
    created_at: created_at ?? date,
    // What was redeemed together has a row for each, and one of its own, which is about no code.
    code:
      voucher?.code ?? promotion_tier?.name ?? (related_object_type === 'redemption' ? undefined : related_object_id),
    outcome: told(redemption).outcome,
    to_pay: order?.total_amount,
    reason,
    order: order?.source_id ?? order?.id,
    id,
  }
}
