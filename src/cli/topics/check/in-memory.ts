// A project as the embedded service evaluates it in memory: what can be redeemed in it, what there is to buy, and who buys.
import { ownValue } from '../../../base/record.ts'
import type { Redeemable, Sellable, Shopper } from '../../../check/baskets.ts'
import { type Offer, offersOf } from '../../../check/discounts.ts'
import { memberAt, numberAt, objectsOf, type Shop, type ShopObject } from '../../../check/shop.ts'
import { limitsOf } from '../../../check/stacking.ts'
import { addressesIn, Reference, resolveReferences, setAt } from '../../../model/value.ts'
import { collections } from '../sandbox/copy.ts'

type Wire = Record<string, unknown>

/** What the search reads of a project besides its configuration; for a folder it is made up. */
export interface Source {
  /** Is told how many requests there will be. */
  announce: (requests: number) => void
  /** Codes of a campaign, at most so many. */
  codesOf: (campaign: ShopObject, most: number) => Promise<Wire[]>
  skusOf: (product: ShopObject) => Promise<Wire[]>
  /** A customer who is in a segment, and the ids of all segments that the customer is in. */
  memberOf: (segment: string) => Promise<{ customer: Wire; segments: string[] } | undefined>
}

/** A project that is evaluated. */
export interface InMemory {
  fixture: Wire
  redeemables: Redeemable[]
  sellables: Sellable[]
  shoppers: Shopper[]
}

const prefixes: Readonly<Record<string, string>> = {
  categories: 'cat_',
  products: 'prod_',
  'product-collections': 'pc_',
  segments: 'seg_',
  rules: 'val_',
  campaigns: 'camp_',
  'campaigns/tiers': 'promo_',
  codes: 'v_',
}

/** The kinds that an evaluation looks at; of them those that a rule is assigned to. */
const evaluated = ['categories', 'products', 'product-collections', 'segments', 'rules', 'campaigns', 'campaigns/tiers']
const assignable: Readonly<Record<string, string>> = { campaigns: 'campaign', 'campaigns/tiers': 'promotion_tier' }

/** Prepares a project for its evaluation. */
export async function inMemory(shop: Shop, source: Source | undefined): Promise<InMemory> {
  const ids = new Map<string, string>()
  for (const { address, kind, wire } of shop.objects.values()) {
    const made = `${ownValue(prefixes, kind.name) ?? 'id_'}${ids.size.toString(16).padStart(18, '0')}`
    ids.set(address, typeof wire?.id === 'string' ? wire.id : made)
  }
  const idOf = (address: string) => ids.get(address) ?? address
  const fixture: Record<string, Wire[]> = { validation_rules_assignments: [] }
  const into = (collection: string, wire: Wire) => {
    fixture[collection] = [...(fixture[collection] ?? []), wire]
  }
  const assign = ({ members }: ShopObject, id: unknown, type: string) => {
    for (const address of addressesIn(members.get('validation_rules')))
      into('validation_rules_assignments', {
        id: `asgm_${fixture.validation_rules_assignments?.length}`,
        rule_id: idOf(address),
        related_object_id: id,
        related_object_type: type,
      })
  }
  const wireOf = (object: ShopObject): Wire => {
    const wire: Wire = { id: idOf(object.address) }
    for (const [path, value] of object.members)
      if (path !== 'validation_rules' && value !== undefined) setAt(wire, path, resolveReferences(value, idOf))
    return wire
  }
  const offers = offersOf(shop)
  const segments = segmentsOf(offers)
  const products = source === undefined ? [] : productsOf(shop, offers)
  const issuers = new Set(offers.filter(({ isCode }) => isCode).map(({ object }) => object))
  source?.announce(issuers.size + 2 * segments.length + products.length)
  const { members, shoppers } = await shoppersOf(segments, source, idOf)
  const skus = new Map<ShopObject, Wire[]>()
  for (const product of products) skus.set(product, (await source?.skusOf(product)) ?? [])
  for (const kind of evaluated)
    for (const object of objectsOf(shop, kind)) {
      const wire = wireOf(object)
      const type = ownValue(assignable, kind)
      if (type !== undefined) assign(object, wire.id, type)
      into(ownValue(collections, kind) ?? kind, { ...wire, ...ofKind(object, wire) })
      for (const sku of skus.get(object) ?? []) into('skus', sku)
    }
  for (const customer of members) into('customers', customer)
  // A referrer does not redeem the own code.
  into('customers', { id: 'cust_friend', source_id: 'promo-check-friend' })
  const redeemables: Redeemable[] = []
  for (const offer of offers) {
    const { object, isCode } = offer
    if (!isCode) {
      redeemables.push({ offer, object: 'promotion_tier', id: idOf(object.address) })
      continue
    }
    for (const voucher of await vouchersOf(offer)) {
      const id = `v_${redeemables.length.toString(16).padStart(18, '0')}`
      const isReferral = memberAt(offer.campaign, 'campaign_type') === 'REFERRAL_PROGRAM'
      const referral = isReferral ? { is_referral_code: true, holder_id: 'cust_friend' } : {}
      into('vouchers', { id, ...voucher, ...referral, publish: { count: 1 } })
      if (object.kind.name === 'codes') assign(object, id, 'voucher')
      redeemables.push({ offer, object: 'voucher', id: String(voucher.code) })
    }
  }
  const [settings] = objectsOf(shop, 'settings')
  const [stacking] = objectsOf(shop, 'stacking-rules')
  const timezone = settings && memberAt(settings, 'timezone')
  return {
    fixture: {
      ...(timezone !== undefined && { settings: { timezone } }),
      ...(stacking && { stacking_rules: wireOf(stacking) }),
      ...fixture,
    },
    redeemables,
    sellables: sellablesOf(shop, idOf, skus),
    shoppers,
  }

  function ofKind(object: ShopObject, { id }: Wire): Wire {
    switch (object.kind.name) {
      case 'campaigns':
        return { creation_status: 'DONE', referral_program: undefined }
      case 'campaigns/tiers':
        return { campaign_id: idOf(object.parent ?? ''), hierarchy: (object.position ?? 0) + 1 }
      case 'segments': {
        if (source !== undefined && memberAt(object, 'filter') !== undefined) return {}
        const customers = members.filter((_, at) => shoppers[at]?.isIn(object.address)).map((one) => one.id)
        return { id, type: 'static', filter: undefined, customers }
      }
      default:
        return {}
    }
  }

  async function vouchersOf({ object, discount, quantity }: Offer): Promise<Wire[]> {
    const redemption = { quantity: quantity ?? null, redeemed_quantity: 0 }
    const form = { type: 'DISCOUNT_VOUCHER', discount: resolveReferences(discount, idOf), redemption }
    if (object.kind.name === 'codes') {
      const category = object.members.get('category_id')
      const dates = ['start_date', 'expiration_date'].map((name) => [name, memberAt(object, name) ?? null])
      const filed = category instanceof Reference ? { category_id: idOf(category.address) } : {}
      return [{ ...form, ...Object.fromEntries(dates), code: object.name, ...filed }]
    }
    const campaign_id = idOf(object.address)
    const copies = Math.min(limitsOf(shop).all, 3)
    const known = (await source?.codesOf(object, copies + 5))?.filter(isUsable).slice(0, copies)
    return (known ?? madeUpCodes(object, copies)).map(({ code }) => ({ ...form, code, campaign_id }))
  }
}

function madeUpCodes(campaign: ShopObject, copies: number): Wire[] {
  const pattern = memberAt(campaign, 'voucher.code_config.pattern')
  if (typeof pattern === 'string' && !pattern.includes('#')) return [{ code: pattern }]
  const name = campaign.address.replace('campaigns/', '').toUpperCase()
  return Array.from({ length: copies }, (_, index) => ({ code: `${name}-${index + 1}` }))
}

/** A code that was not used, and is on. */
function isUsable({ active, redemption, discount }: Wire): boolean {
  const { quantity, redeemed_quantity: used } = (redemption ?? {}) as {
    quantity?: number | null
    redeemed_quantity?: number
  }
  return active !== false && discount != null && (quantity == null || (used ?? 0) < quantity)
}

/** The segments that rules ask for. */
function segmentsOf(offers: readonly Offer[]): string[] {
  const asked = offers.flatMap(({ ways = [] }) => ways.flat().filter(({ name }) => name === 'customer.segment'))
  return [...new Set(asked.flatMap(({ conditions }) => Object.values(conditions).flat()).map(String))]
}

const mostWithSkus = 20

/** The products whose SKUs are read, a request each: those that rules name, and as many others. */
function productsOf(shop: Shop, offers: readonly Offer[]): ShopObject[] {
  const named = JSON.stringify(
    offers.map(({ rules, discount }) => [rules.map(({ members }) => [...members]), discount]),
  )
  const isNamed = ({ address, wire }: ShopObject) =>
    named.includes(`"${address}"`) || named.includes(JSON.stringify(wire?.id))
  return objectsOf(shop, 'products')
    .toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)))
    .slice(0, mostWithSkus)
}

/** Customers who are in segments, and last one who is in none. */
async function shoppersOf(segments: readonly string[], source: Source | undefined, idOf: (address: string) => string) {
  const members: Wire[] = []
  const shoppers: Shopper[] = []
  const add = (customer: Wire, isIn: Shopper['isIn']) => {
    members.push(customer)
    shoppers.push({ source_id: String(customer.source_id), isIn })
  }
  const madeUpCustomer = (name: string) => ({
    id: `cust_${name.replaceAll(/\W/g, '_')}`,
    source_id: `promo-check-${name}`,
  })
  if (source === undefined && segments.length > 1) add(madeUpCustomer('everywhere'), () => true)
  for (const segment of segments) {
    const member = await source?.memberOf(idOf(segment))
    if (source === undefined) add(madeUpCustomer(segment.replace('segments/', '')), (one) => one === segment)
    else if (typeof member?.customer.source_id === 'string')
      add(member.customer, (one) => member.segments.includes(idOf(one)))
  }
  shoppers.push({ source_id: 'promo-check', isIn: () => false })
  return { members, shoppers }
}

function sellablesOf(shop: Shop, idOf: (address: string) => string, skus: ReadonlyMap<ShopObject, Wire[]>): Sellable[] {
  const groups = objectsOf(shop, 'product-collections').map((collection) => ({
    names: [collection.address, idOf(collection.address)],
    members: addressesIn(collection.members.get('products')),
    isAll: memberAt(collection, 'type') === 'AUTO_UPDATE',
  }))
  return objectsOf(shop, 'products').flatMap((product) => {
    const id = idOf(product.address)
    const around = groups.filter(({ members, isAll }) => isAll || members.includes(product.address))
    const names = [product.address, id, ...around.flatMap((group) => group.names)]
    const own = numberAt(product, 'price')
    const sold = (line: Sellable['line'], price: unknown, ...more: string[]): Sellable[] =>
      typeof price === 'number' && price > 0 ? [{ line, price, names: [...more, ...names] }] : []
    return [
      ...sold({ product_id: id }, own, String(memberAt(product, 'source_id'))),
      ...(skus.get(product) ?? []).flatMap(({ id, source_id, price }) =>
        sold({ sku_id: String(id) }, price ?? own, String(id), String(source_id)),
      ),
    ]
  })
}
