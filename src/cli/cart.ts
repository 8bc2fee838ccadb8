// The cart that validations and qualifications are asked about: customer, order lines and metadata, from flags or a body.
import { Flags } from '@oclif/core'
import type { z } from 'zod'
import { usageError } from '../errors.ts'
import { type BodyFlags, bodyFrom, type FieldReader, fieldReader, put } from './body.ts'
import { wholeNumber } from './grammar.ts'
import type { Host } from './host.ts'

/** Flags that describe a cart. They win over --set, and --set wins over --body. */
export const cartFlags = {
  customer: Flags.string({
    description: 'who buys: wire paths of a customer, such as source_id=shop-1001,metadata.tier=gold',
    helpGroup: 'CART',
    helpValue: 'path=value,…',
  }),
  item: Flags.string({
    description: 'one order line; product and sku are short for product_id and sku_id, a comma in a value is \\,',
    helpGroup: 'CART',
    helpValue: 'product=ID,quantity=N,price=N',
    multiple: true,
    multipleNonGreedy: true,
  }),
  amount: Flags.custom<number>({ parse: async (text) => wholeNumber(text, 0, Number.MAX_SAFE_INTEGER) })({
    description: 'the amount of the order, in the smallest currency unit; wins over the lines',
    helpGroup: 'CART',
    helpValue: 'N',
  }),
  metadata: Flags.string({
    description: 'one custom field of the request; JSON is JSON, everything else is text',
    helpGroup: 'CART',
    helpValue: 'name=value',
    multiple: true,
    multipleNonGreedy: true,
  }),
}

/** The cart flags as parsed. */
export interface CartFlags extends BodyFlags {
  customer?: string | undefined
  item?: string[] | undefined
  amount?: number | undefined
  metadata?: string[] | undefined
}

/** How a request is built: its fields by name, to be checked by the contract. */
export type Draft = Record<string, unknown>

/**
 * Builds the part of a body that is the cart, on top of --body and --set.
 *
 * Throws `usage` for a flag that cannot be what the contract wants there, before anything is sent.
 */
export async function cartFrom(flags: CartFlags, schema: z.ZodType, host: Host): Promise<Draft> {
  const draft = await bodyFrom(flags, schema, host)
  const { customer, item, amount, metadata = [] } = flags
  if (customer === undefined && item === undefined && amount === undefined && metadata.length === 0) return draft
  const [{ customer: customerSchema }, { orderItem }] = await Promise.all([
    import('../contract/customer.ts'),
    import('../contract/order.ts'),
  ])
  if (customer !== undefined) {
    putAll(draft, ['customer'], fieldsFrom(customer, '--customer', await fieldReader(customerSchema)))
  }
  if (item !== undefined) {
    const reader = await fieldReader(orderItem)
    put(
      draft,
      ['order', 'items'],
      item.map((line) => nested(fieldsFrom(line, '--item', reader, shortNames))),
    )
  }
  if (amount !== undefined) put(draft, ['order', 'amount'], amount)
  const reader = await fieldReader(schema)
  for (const assignment of metadata) {
    const [[path, value]] = fieldsFrom(assignment.replaceAll(',', '\\,'), '--metadata', prefixed(reader)) as [Field]
    put(draft, ['metadata', ...path], value)
  }
  return draft
}

type Field = [path: string[], value: unknown]

// `product` alone is the id that nearly every line has; the object of that name is reached by its paths.
const shortNames: Readonly<Record<string, string>> = { product: 'product_id', sku: 'sku_id' }

const examples: Readonly<Record<string, string>> = {
  '--customer': '--customer source_id=shop-1001,metadata.tier=gold',
  '--item': '--item product=prod_1,quantity=2,price=1500',
  '--metadata': '--metadata till=4',
}

function fieldsFrom(text: string, flag: string, reader: FieldReader, short: Readonly<Record<string, string>> = {}) {
  return text.split(/(?<!\\),/).map((part): Field => {
    const pair = part.replaceAll('\\,', ',')
    const equals = pair.indexOf('=')
    if (equals < 1) throw usageError(`${flag} "${text}" is not like path=value`, examples[flag])
    const name = pair.slice(0, equals).trim()
    const path = (Object.hasOwn(short, name) ? (short[name] as string) : name).split('.')
    return [path, reader.valueAt(path, pair.slice(equals + 1))]
  })
}

function prefixed(reader: FieldReader): FieldReader {
  return { valueAt: (path, text) => reader.valueAt(['metadata', ...path], text) }
}

function nested(fields: readonly Field[]): Draft {
  const object: Draft = {}
  putAll(object, [], fields)
  return object
}

function putAll(draft: Draft, at: readonly string[], fields: readonly Field[]): void {
  for (const [path, value] of fields) put(draft, [...at, ...path], value)
}
