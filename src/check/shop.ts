// What the rules look at: the objects of a project, from files or from the service, in the one form in which src/config reads both.
import type { Kind } from '../model/kind.ts'
import { type Members, Reference, resolveReferences, valueAt } from '../model/value.ts'

/** An object of a folder, or of a project. */
export interface ShopObject {
  kind: Pick<Kind, 'name' | 'noun'>
  address: string
  name: string | undefined
  members: Members
  /** Of a part, the object that it is a part of. */
  parent?: string | undefined
  /** Its place among its siblings, where their order counts. */
  position?: number
  /** Of a campaign, how many codes it has, or is to have; absent where nobody knows. */
  count?: number
  /** How many of its codes, or uses, are gone; absent where nobody knows. */
  used?: number
  /** What it does not say stays as it is in the project. */
  isPartial?: boolean
  /** As the service returned it; absent for one of a file. */
  wire?: Readonly<Record<string, unknown>>
}

/** Everything that is known of a project. */
export interface Shop {
  objects: ReadonlyMap<string, ShopObject>
  nowMs: number
  /** The part of an order, in percent, that discounts together may not reach. */
  floor: number
  /** It was read from the service: what is not among the objects does not exist. */
  isOnline: boolean
  /** No product is missing, so that the cheapest of them is the cheapest there is. */
  hasAllProducts: boolean
  /** Kinds that the keys of the profile cannot read. */
  unreadable: readonly string[]
}

/** When an object can be used, beyond what its campaign says. */
export const windows = ['start_date', 'expiration_date', 'validity_timeframe', 'validity_day_of_week', 'validity_hours']

/** Returns the objects of a kind. */
export function objectsOf({ objects }: Shop, kind: string): readonly ShopObject[] {
  const known = byKind.get(objects) ?? Map.groupBy(objects.values(), (object) => object.kind.name)
  byKind.set(objects, known)
  return known.get(kind) ?? []
}

// Each rule asks for them.
const byKind = new WeakMap<Shop['objects'], Map<string, ShopObject[]>>()

/** Returns the value of a member, or of something in it, with addresses in place of references; undefined for null, too. */
export function memberAt({ members }: Pick<ShopObject, 'members'>, path: string): unknown {
  const names = path.split('.')
  for (let length = names.length; length > 0; length -= 1) {
    const value = members.get(names.slice(0, length).join('.'))
    if (value === undefined) continue
    const plain = plainValue(value)
    return (length === names.length ? plain : valueAt(plain, names.slice(length).join('.'))) ?? undefined
  }
  return undefined
}

/** Returns a value with addresses in place of references, and ids in place of what is elsewhere. */
function plainValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = plainValues.get(value) ?? resolveReferences(value, (address) => address)
  plainValues.set(value, known)
  return known
}

// Each rule asks for the same members.
const plainValues = new WeakMap<object, unknown>()

/** The same for a number; undefined for anything else. */
export function numberAt(object: ShopObject, path: string): number | undefined {
  const value = memberAt(object, path)
  return typeof value === 'number' ? value : undefined
}

/** The same for an instant, in milliseconds. */
export function instantAt(object: ShopObject, path: string): number | undefined {
  const ms = Date.parse(String(memberAt(object, path)))
  return Number.isNaN(ms) ? undefined : ms
}

/** Returns the validation rules that are assigned to an object and, of a tier, to its campaign. */
export function rulesOf(shop: Shop, object: ShopObject): ShopObject[] {
  const own = object.members.get('validation_rules')
  const rules = (Array.isArray(own) ? own : []).flatMap((one) =>
    one instanceof Reference ? (shop.objects.get(one.address) ?? []) : [],
  )
  const parent = parentOf(shop, object)
  return [...new Set([...rules, ...(parent === undefined ? [] : rulesOf(shop, parent))])]
}

/** Yields each two that follow one another of those with the same key: the later one first. */
export function* pairsOf<Item>(
  items: Iterable<Item>,
  key: (item: Item) => string,
): Generator<[later: Item, earlier: Item]> {
  const last = new Map<string, Item>()
  for (const item of items) {
    const earlier = last.get(key(item))
    if (earlier !== undefined) yield [item, earlier]
    last.set(key(item), item)
  }
}

/** Returns the object that another is a part of. */
export function parentOf({ objects }: Shop, { parent }: ShopObject): ShopObject | undefined {
  return parent === undefined ? undefined : objects.get(parent)
}

/** Says whether an object is switched on and not over, with what it is a part of. */
export function isOn(shop: Shop, object: ShopObject): boolean {
  const parent = parentOf(shop, object)
  const end = instantAt(object, 'expiration_date')
  const isOver = end !== undefined && end < shop.nowMs
  return memberAt(object, 'active') !== false && !isOver && (parent === undefined || isOn(shop, parent))
}

/** The name of an object in a sentence. */
export function nameOf(object: ShopObject): string {
  return JSON.stringify(memberAt(object, 'name') ?? object.name ?? object.address)
}

/** The same at the beginning of one: a code says what it is. */
export function subjectOf(object: ShopObject): string {
  return object.kind.name === 'codes' ? `The code ${nameOf(object)}` : nameOf(object)
}
