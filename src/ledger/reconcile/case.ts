// One order with what the shop and the service know of it. Money is in the smallest currency unit, instants are ISO 8601 in UTC.
import type { OrderState } from './states.ts'

/** An order as its shop has it. Null: the shop did not say. */
export interface ShopOrder {
  number: string
  /** Where it is in the input. */
  line: number
  /** The shop's word for its state; empty: it has none. */
  word: string
  state: OrderState
  /** Before discounts. */
  amount: number | null
  /** After discounts. */
  total: number | null
  discount: number | null
  refunded: number | null
  codes: readonly string[] | null
  at: string | null
}

/** A successful redemption of one code or tier for an order. */
export interface Use {
  id: string
  at: string
  /** The code, or the id of a tier. */
  code: string
  object: string
  /** `voucher`, or `promotion_tier`. */
  of: string
  /** The type of the voucher, as far as the copy has it. */
  type: string | null
  /** The redemption of several that it is part of: these are rolled back together. */
  parent: string | null
  discount: number | null
  credits: number | null
  points: number | null
  rolledBackAt: string | null
  /** It is a use beyond the limit of its voucher. */
  isBeyond: boolean
}

/** Points that an order earned. */
export interface Earned {
  id: string
  at: string
  card: string | null
  points: number
}

/** An order as the service has it. */
export interface ServiceOrder {
  id: string
  status: string | null
  amount: number | null
  total: number | null
}

/** What is compared. Without a number the service knows none. */
export interface Case {
  number: string | null
  /** Undefined: the input does not have the order, although it should. */
  shop: ShopOrder | undefined
  order: ServiceOrder | undefined
  uses: readonly Use[]
  earned: readonly Earned[]
  /** The shop's codes that are of the project, in the shop's writing, with their type. */
  ours: ReadonlyMap<string, string | null>
}
