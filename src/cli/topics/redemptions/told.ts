// A redemption in the words of support: what it was, and what it took off or paid.

/** The members of a redemption or a rollback that are read here; every one may be missing. */
interface Redemption {
  object?: string
  result?: string
  amount?: number
  gift?: { amount?: number } | null
  loyalty_card?: { points?: number } | null
  voucher?: { type?: string; gift?: unknown; loyalty_card?: unknown } | null
  order?: { total_applied_discount_amount?: number; total_discount_amount?: number } | null
}

/** `taken` is a whole number with its unit, negative where it was returned: credits and amounts are in the smallest currency unit. */
export interface Told {
  kind: 'redemption' | 'rollback' | 'refused' | 'refused rollback'
  taken?: string
}

/** Returns what a redemption, a rollback or a failed attempt was, and what it took: credits, points, or an amount off. */
export function told(redemption: object): Told {
  const { object, result, ...rest } = redemption as Redemption
  const isRollback = object === 'redemption_rollback'
  const isRefused = result === 'FAILURE'
  const taken = isRefused ? undefined : takenBy(rest, isRollback)
  return {
    kind: isRefused ? (isRollback ? 'refused rollback' : 'refused') : isRollback ? 'rollback' : 'redemption',
    ...(taken !== undefined && { taken }),
  }
}

function takenBy({ amount, gift, loyalty_card, voucher, order }: Redemption, isRollback: boolean): string | undefined {
  const credits = gift?.amount ?? (voucher?.type === 'GIFT_VOUCHER' || voucher?.gift ? amount : undefined)
  if (credits !== undefined) return `${credits} credits`
  const points =
    loyalty_card?.points ?? (voucher?.type === 'LOYALTY_CARD' || voucher?.loyalty_card ? amount : undefined)
  if (points !== undefined) return `${points} points`
  const off = order?.total_applied_discount_amount ?? order?.total_discount_amount
  if (off !== undefined) return `${isRollback && off > 0 ? -off : off} off`
  return amount === undefined ? undefined : `${amount} off`
}
