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
  failure_code?: string | null
  related_object_type?: string
  status?: string
}

/** `taken` is a whole number with its unit, negative where it was returned: credits and amounts are in the smallest currency unit. */
export interface Told {
  kind: 'redemption' | 'rollback' | 'refused' | 'refused rollback'
  taken?: string
  /** Both in one, with the code of the failure: what a narrow table has room for. */
  outcome: string
}

/** Returns what a redemption, a rollback or a failed attempt was, and what it took: credits, points, or an amount off. */
export function told(redemption: object): Told {
  const { object, result, failure_code, ...rest } = redemption as Redemption
  const isRollback = object === 'redemption_rollback'
  if (result === 'FAILURE') {
    const kind = isRollback ? 'refused rollback' : 'refused'
    return { kind, outcome: joined(isRollback ? 'rollback refused' : kind, failure_code ?? undefined) }
  }
  const taken = takenBy(rest, isRollback)
  const some = taken !== undefined && { taken }
  if (isRollback) return { kind: 'rollback', ...some, outcome: joined('rolled back', taken) }
  const outcome = taken ?? 'redeemed'
  return { kind: 'redemption', ...some, outcome: rest.status === 'ROLLED_BACK' ? `${outcome}, rolled back` : outcome }
}

function joined(what: string, more: string | undefined): string {
  return more === undefined ? what : `${what}: ${more}`
}

function takenBy(redemption: Redemption, isRollback: boolean): string | undefined {
  const { amount, gift, loyalty_card, voucher, order } = redemption
  const credits = gift?.amount ?? (voucher?.type === 'GIFT_VOUCHER' || voucher?.gift ? amount : undefined)
  if (credits !== undefined) return `${credits} credits`
  const points =
    loyalty_card?.points ?? (voucher?.type === 'LOYALTY_CARD' || voucher?.loyalty_card ? amount : undefined)
  if (points !== undefined) return `${points} points`
  const off = order?.total_applied_discount_amount ?? order?.total_discount_amount
  // The total of what was redeemed together may be credits and an amount off: the rows of its parts say which.
  const unit = redemption.related_object_type === 'redemption' ? 'in all' : 'off'
  if (off !== undefined) return `${isRollback && off > 0 ? -off : off} ${unit}`
  return amount === undefined ? undefined : `${amount} off`
}
