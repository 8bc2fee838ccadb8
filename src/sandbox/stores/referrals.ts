// Who holds a referral code, and customers who converted on a referral code. At most one entry per code and customer: its id is derived from the two.
import { collection, type Stored } from '../storage/collection.ts'
import type { Table } from '../storage/table.ts'

export interface StoredConversion extends Stored {
  voucher_id: string
  customer_id: string
  campaign_id: string
  /** The customer whose code it was. */
  referrer_id: string
  /** What converted: a redemption, or an event. */
  related_object_id: string
  related_object_type: 'redemption' | 'event'
}

/** Conversions of referrals. */
export const referralConversions = collection<StoredConversion>(
  'referral_conversions',
  'referral_conversion',
  'conv_',
  { indexed: { voucher_id: 'text', customer_id: 'text', referrer_id: 'text' } },
)

type Pair = Pick<StoredConversion, 'voucher_id' | 'customer_id'>

/** Returns whether a customer converted on a code before. */
export function hasConverted(table: Table<StoredConversion>, pair: Pair): boolean {
  return table.get(idOf(pair)) !== undefined
}

/** Records that a customer converted on a code. */
export function storeConversion(table: Table<StoredConversion>, conversion: Omit<StoredConversion, 'id'>): void {
  table.insert({ id: idOf(conversion), ...conversion })
}

function idOf({ voucher_id, customer_id }: Pair): string {
  return `${referralConversions.prefix}${voucher_id}/${customer_id}`
}

export interface StoredRedeemableHolder extends Stored {
  /** Voucher id. */
  redeemable_id: string
  redeemable_object: 'voucher'
  campaign_id: string | null
  campaign_type: 'REFERRAL_PROGRAM'
  voucher_type: string
  customer_id: string
  /** Publication creates the `REFERRER`, the holder calls create `REFEREE`s. */
  holder_role: 'REFERRER' | 'REFEREE'
  metadata: Record<string, unknown>
  object: 'redeemable_holder'
}

/** Holders of referral codes. */
export const redeemableHolders = collection<StoredRedeemableHolder>('redeemable_holders', 'redeemable_holder', 'rh_', {
  indexed: { redeemable_id: 'text', customer_id: 'text' },
  filterable: { holder_role: 'text', campaign_id: 'text' },
})
