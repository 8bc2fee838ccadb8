// Which column of a file has the key: by its name, or by a heading that other systems have for it.

/** A heading is the same whatever its case, spaces and punctuation; the first list of which one fits decides. */
export type Headings = readonly (readonly string[])[]

const ofCodes: Headings = [
  ['voucher code', 'coupon code', 'promo code', 'discount code', 'gift card number', 'gift card code'],
]
const ofCustomers: Headings = [
  ['source id', 'customer id', 'customer source id', 'customer'],
  ['email', 'email address'],
]

const ofOrders: Headings = [['order id', 'order number', 'order no']]

/** Returns what other systems call the key of a command, after what promo calls it. */
export function headingsFor(noun: string, key: string): Headings {
  const others =
    key.toLowerCase() === 'code'
      ? ofCodes
      : /^(?:customer\.)?source_id$/.test(key)
        ? ofCustomers
        : key === 'order'
          ? ofOrders
          : []
  return [[key, `${noun} ${key}`], ...(noun === 'product' || noun === 'SKU' ? [] : others)]
}

/** Returns the column whose title is one of these headings; undefined where there is none, or more than one. */
export function findKey(titles: readonly string[], headings: Headings): string | undefined {
  for (const heading of headings) {
    const folded = heading.map(foldTitle).filter((one) => one !== '')
    const [only, ...others] = titles.filter((title) => folded.includes(foldTitle(title)))
    if (only !== undefined) return others.length === 0 ? only : undefined
  }
  return undefined
}

/** Returns the letters and digits of a title: `Customer ID`, `customer_id` and `customerId` are the same heading. */
export function foldTitle(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
