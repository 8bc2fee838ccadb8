// The cart of a validation or qualification: customer, order lines and metadata, from flags or a body.

import { Flags } from '@oclif/core'
import type { z } from 'zod'
import { usageError } from '../../errors.ts'
import { asSourceIdFlag, groupFlags } from '../flags/flags.ts'
import { naming, repeatable, setting, type ValuesOf } from '../flags/kinds.ts'
import { wholeNumber } from '../flags/values.ts'
import { assign, assignmentsIn } from './assignments.ts'
import { type BodyFlags, bodyFrom, fieldReader, inSmallestUnit, type Reader } from './body.ts'

/** Flags that describe a cart. They override --set, and --set overrides --body. */
export const cartFlags = groupFlags('CART', {
  customer: repeatable(
    'the customer: an id, source id, e-mail, phone, or fields like name=Ann',
    'WHO|path=value,…',
    naming('customer'),
  ),
  item: repeatable('one order line; product and sku stand for product_id and sku_id', 'product=ID,quantity=N,price=N'),
  ...asSourceIdFlag,
  amount: Flags.custom<number>({ parse: async (text) => amountOf(text) })({
    description: 'the order amount in minor units (cents); overrides the order lines',
    helpValue: 'N',
    ...setting('order.amount'),
  }),
  metadata: repeatable('one metadata field', 'name=value'),
  'order-metadata': repeatable('one metadata field of the order', 'name=value'),
})

/** The cart flags as parsed. */
export type CartFlags = BodyFlags & ValuesOf<typeof cartFlags>

/** A request being built: its fields by name, to be checked by the contract. */
export type Draft = Record<string, unknown>

/**
 * Builds the part of a body that is the cart, on top of --body and --set.
 *
 * Lines of --item replace those of a body; everything else is added to what is there. Throws `usage` for a
 * flag that the contract does not allow there, before anything is sent.
 */
export async function cartFrom(flags: CartFlags, schema: z.ZodType, run: Reader): Promise<Draft> {
  const draft = await bodyFrom(flags, schema, run)
  const { customer, item, amount, metadata } = flags
  if (customer !== undefined || metadata !== undefined) {
    const reader = await fieldReader(schema, flags, run)
    if (customer !== undefined) {
      const about = assign(customer.flatMap(assignmentsIn), '--customer', reader, ['customer'])
      draft.customer = mergeDraft(draft.customer, about)
    }
    if (metadata !== undefined) {
      draft.metadata = mergeDraft(draft.metadata, assign(metadata, '--metadata', reader, ['metadata']))
    }
  }
  const noted = flags['order-metadata']
  if (item === undefined && amount === undefined && noted === undefined) return draft
  const { orderItem } = await import('../../contract/order.ts')
  const reader = await fieldReader(orderItem, flags, run)
  draft.order = mergeDraft(draft.order, {
    ...(item !== undefined && { items: item.map((line) => assign(fullNames(line), '--item', reader)) }),
    ...(amount !== undefined && { amount }),
    ...(noted !== undefined && {
      metadata: assign(noted, '--order-metadata', await fieldReader(schema, flags, run), ['order', 'metadata']),
    }),
  })
  return draft
}

// `product` alone is the id that almost every line has; the object of that name is reached by its paths.
function fullNames(line: string): string[] {
  return assignmentsIn(line).map((text) => text.replace(/^(product|sku)=/, '$1_id='))
}

/** Overlays fields on those of a body: the body's other fields stay, also in metadata. */
function mergeDraft(under: unknown, over: Draft): Draft {
  if (!isObject(under)) return over
  const { metadata } = over
  const isBoth = isObject(under.metadata) && isObject(metadata)
  return { ...under, ...over, ...(isBoth && { metadata: mergeDraft(under.metadata, metadata) }) }
}

function isObject(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an amount in the smallest currency unit. Throws `usage`; for a text like `50.00`, with the number that is meant. */
export function amountOf(text: string, least = 0): number {
  const aside = inSmallestUnit(text)
  if (aside !== '') throw usageError(`"${text}" is not a whole number${aside}`)
  return wholeNumber(text, least, Number.MAX_SAFE_INTEGER)
}
