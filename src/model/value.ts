// Values of members: paths into them, references between objects, and the one form in which two values are compared.
import { createHash } from 'node:crypto'
import { isRecord, ownValue } from '../base/record.ts'
import { defaultCharset } from '../contract/new-voucher.ts'
import { acceptedSpelling } from '../contract/webhook-events.ts'
import type { Form, Kind, Member } from './kind.ts'

/** A reference to an object of the folder, by its address: `rules/orders-above-20`. */
export class Reference {
  readonly address: string
  constructor(address: string) {
    this.address = address
  }
}

/** An id where a reference belongs, of something that is not in the folder. */
export class ForeignId {
  readonly id: string
  constructor(id: string) {
    this.id = id
  }
}

/** A text with values from the environment, which a plan does not keep. */
export class FromEnvironment {
  readonly text: string
  readonly value: string
  constructor(text: string, value: string) {
    this.text = text
    this.value = value
  }
}

/** The members of an object by their paths. */
export type Members = Map<string, unknown>

/** Returns the value at a path like `voucher.discount`; undefined for null, too. */
export function valueAt(object: unknown, path: string): unknown {
  return nullableAt(object, path) ?? undefined
}

/** Returns the value at a path, also null; undefined where there is none. */
export function nullableAt(object: unknown, path: string): unknown {
  let place: unknown = object
  for (const name of path.split('.')) {
    if (!isRecord(place) || !Object.hasOwn(place, name)) return undefined
    place = place[name]
  }
  return place
}

/** Returns a text; an empty one for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Sets the value at a path, in objects that are made where they are missing. */
export function setAt(object: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() as string
  let place = object
  for (const name of names) {
    const next = Object.hasOwn(place, name) && isRecord(place[name]) ? place[name] : {}
    define(place, name, next)
    place = next
  }
  define(place, last, value)
}

/** `__proto__` is an ordinary name in what comes from outside. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Returns a copy in which `change` was applied to everything at a pattern (kind.ts); undefined removes it. */
export function changedAt(value: unknown, pattern: string, change: (found: unknown) => unknown): unknown {
  const [name = '', ...rest] = pattern.split('.')
  if (name === '') return change(value)
  const next = (inner: unknown) => (rest.length === 0 ? change(inner) : changedAt(inner, rest.join('.'), change))
  if (Array.isArray(value)) return name === '*' ? value.map(next).filter((item) => item !== undefined) : value
  if (!isPlain(value)) return value
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (name === '{}') return [[String(change(key)), inner]]
    if (name !== '*' && name !== key) return [[key, inner]]
    const changed = next(inner)
    return changed === undefined ? [] : [[key, changed]]
  })
  return Object.fromEntries(entries)
}

/**
 * Returns a copy in which `change` was applied to every text and every other value that is neither an object nor a list, and `rename` to
 * every name.
 */
export function changedLeaves(
  value: unknown,
  change: (leaf: unknown) => unknown,
  rename = (name: string) => name,
): unknown {
  if (Array.isArray(value)) return value.map((item) => changedLeaves(item, change, rename))
  if (!isPlain(value)) return change(value)
  const changed = Object.entries(value).map(([name, inner]) => [rename(name), changedLeaves(inner, change, rename)])
  return Object.fromEntries(changed)
}

/** Returns the addresses that a value refers to, in names too. */
export function addressesIn(value: unknown): string[] {
  const found: (string | undefined)[] = []
  changedLeaves(
    value,
    (leaf) => found.push(leaf instanceof Reference ? leaf.address : undefined),
    (name) => {
      found.push(addressInName(name))
      return name
    },
  )
  return found.filter((address) => address !== undefined)
}

/** Names and values of metadata may look like `promo_summer2026`; an id has no such words. */
const idForm =
  /^(?:camp|cat|cust|ern|loc|lotier|ltr|pc|prod|promo|rew|rewa|seg|sku|val)_(?:[0-9a-f]{12,}|(?=.*[A-Z])(?=.*\d)[0-9A-Za-z]{12,})$/

/** Says whether a text is what the service gives objects as their ids. */
export function isId(text: string): boolean {
  return idForm.test(text)
}

/** Returns each id in the members of an object of files: files have keys of what is in them, so it is of something that they do not have. */
export function foreignIds({ free = [], references }: Kind, members: Members): { member: string; id: string }[] {
  const named = Object.keys(references).filter((path) => path.endsWith('{}'))
  return [...members].flatMap(([member, value]) => {
    const ids = new Set<string>()
    changedLeaves(value, (leaf) => {
      if (leaf instanceof ForeignId) ids.add(leaf.id)
      if (free.includes(member) && typeof leaf === 'string' && isId(leaf)) ids.add(leaf)
      return leaf
    })
    if (named.includes(`${member}.{}`) && isPlain(value)) for (const id of Object.keys(value)) if (isId(id)) ids.add(id)
    return [...ids].map((id) => ({ member, id }))
  })
}

/** Returns a value of files in which each id of an object that they have is a reference to it. */
export function recognizeReferences(
  { free = [], references }: Kind,
  member: string,
  value: unknown,
  addressOf: ReadonlyMap<string, string>,
): unknown {
  const reference = (id: unknown) => {
    const address = typeof id === 'string' ? addressOf.get(id) : undefined
    return address === undefined ? undefined : new Reference(address)
  }
  const keyed = Object.hasOwn(references, `${member}.{}`)
    ? changedAt(value, '{}', (name) => {
        const found = reference(name)
        return found === undefined ? name : referenceName(found.address)
      })
    : value
  return changedLeaves(keyed, (leaf) => {
    if (leaf instanceof ForeignId) return reference(leaf.id) ?? leaf
    return free.includes(member) ? (reference(leaf) ?? leaf) : leaf
  })
}

/** A name that is a reference is kept as this text, because the name of a member cannot be anything else. */
export function referenceName(address: string): string {
  return `!ref ${address}`
}

/** Returns the address in such a name; undefined for any other. */
export function addressInName(name: string): string | undefined {
  return /^!ref (.*)$/s.exec(name)?.[1]
}

/** Returns a value in which every reference was replaced, in names too. */
export function resolveReferences(value: unknown, resolve: (address: string) => unknown): unknown {
  return changedLeaves(
    value,
    (leaf) => {
      if (leaf instanceof Reference) return resolve(leaf.address)
      if (leaf instanceof ForeignId) return leaf.id
      return leaf instanceof FromEnvironment ? leaf.value : leaf
    },
    (name) => {
      const address = addressInName(name)
      return address === undefined ? name : String(resolve(address))
    },
  )
}

/** An object of JSON, and none of the classes of this file. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  return !(value instanceof Reference || value instanceof ForeignId || value instanceof FromEnvironment)
}

/** Returns what a member has beyond what the service filled in or leaves out: the form in which it is written to a file. */
export function tidyValue(value: unknown, form?: Form, isMetadata = false): unknown {
  const whole = isMetadata ? value : withoutNulls(value)
  return form === undefined ? whole : (tidyForms[form]?.(whole) ?? whole)
}

const tidyForms: Partial<Record<Form, (value: unknown) => unknown>> = {
  events: (names) => (Array.isArray(names) ? names.map((name) => acceptedSpelling(String(name))) : names),
  rules: tidyRules,
  definitions: withoutDeleted,
  codes: tidyCodes,
  targets: (targets) => changedAt(changedAt(targets, 'included.*', tidyTarget), 'excluded.*', tidyTarget),
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isPlain(value)) return value
  const kept = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined)
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]))
}

/** A removed definition stays as one that is marked. */
function withoutDeleted(value: unknown): unknown {
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, one]) => !isPlain(one) || one.deleted !== true))
}

/** The service adds empty nested rules to each condition; logic that is a number was written without quotes. */
function tidyRules(value: unknown): unknown {
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, rule]) => {
      if (name === 'logic') return [name, String(rule)]
      if (!isPlain(rule)) return [name, rule]
      const { rules, ...others } = rule
      const isEmpty = rules === undefined || (isPlain(rules) && Object.keys(rules).length === 0)
      return [name, isEmpty ? others : { ...others, rules: tidyRules(rules) }]
    }),
  )
}

function tidyTarget(target: unknown): unknown {
  if (!isPlain(target)) return target
  const { strict, effect, ...others } = target
  return {
    ...others,
    ...(strict === true && { strict }),
    ...(effect !== 'APPLY_TO_EVERY' && effect != null && { effect }),
  }
}

/** The service completes how codes look: the parts, the pattern that follows from them, and its own charset. Parts or pattern are written. */
function tidyCodes(value: unknown): unknown {
  if (!isPlain(value)) return value
  const { length, charset, prefix = '', postfix = '', pattern, ...others } = value
  const ofParts = `${String(prefix)}${'#'.repeat(Math.min(Number(length ?? 8), 1000))}${String(postfix)}`
  const set = charset === undefined || charset === defaultCharset ? {} : { charset }
  if (pattern !== undefined && pattern !== ofParts) return { ...others, pattern, ...set }
  const parts = { length: length ?? 8, ...set, ...(prefix !== '' && { prefix }), ...(postfix !== '' && { postfix }) }
  return { ...others, ...parts }
}

/** Returns the text that is the same for two values exactly if they mean the same. */
function canonical(value: unknown, form?: Form): string {
  const tidy = tidyValue(value, form)
  if (form === 'instant' && typeof tidy === 'string') {
    const at = Date.parse(tidy)
    return JSON.stringify(Number.isNaN(at) ? tidy : new Date(at).toISOString())
  }
  if ((form === 'set' || form === 'events') && Array.isArray(tidy)) {
    return `[${tidy
      .map((item) => canonical(item))
      .toSorted()
      .join()}]`
  }
  return canonicalJson(tidy)
}

function canonicalJson(value: unknown): string {
  if (value instanceof FromEnvironment) return JSON.stringify(value.value)
  if (value instanceof Reference) return JSON.stringify({ $ref: value.address })
  if (value instanceof ForeignId) return JSON.stringify({ $id: value.id })
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const names = Object.keys(value).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join()}}`
}

/** Says whether two values of a member mean the same; an absent one means its standard. */
export function isSame({ standard, form }: Pick<Member, 'standard' | 'form'>, one: unknown, other: unknown): boolean {
  return canonical(one ?? standard, form) === canonical(other ?? standard, form)
}

/** A fingerprint of a value in its one form. */
export function fingerprint(value: unknown, form?: Form): string {
  return createHash('sha256').update(canonical(value, form)).digest('hex').slice(0, 24)
}

/** What the declaration says about a member; one that it does not know is sent as it is. */
export function memberOf({ members }: Kind, path: string): Member {
  return ownValue(members, path) ?? { change: 'put' }
}

/** The member of a kind that is changed in a way of which a kind has one; undefined where it has none. */
export function memberChangedBy({ members }: Kind, way: 'position' | 'switch'): string | undefined {
  return Object.keys(members).find((path) => members[path]?.change === way)
}

const marks = ['$ref', '$id', '$env', '$plain']

/** The JSON of a value in a plan: references and values of the environment by name. */
export function encodeValue(value: unknown): unknown {
  if (value instanceof Reference) return { $ref: value.address }
  if (value instanceof ForeignId) return { $id: value.id }
  if (value instanceof FromEnvironment) return { $env: value.text }
  if (Array.isArray(value)) return value.map(encodeValue)
  if (!isPlain(value)) return value ?? null
  const inner = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encodeValue(member)]))
  return Object.keys(value).some((name) => marks.includes(name)) ? { $plain: inner } : inner
}

/** The value of which a plan has the JSON. `fromEnvironment` completes a text; throws what it throws. */
export function decodeValue(json: unknown, fromEnvironment: (text: string) => unknown): unknown {
  if (Array.isArray(json)) return json.map((item) => decodeValue(item, fromEnvironment))
  if (!isPlain(json)) return json
  if (typeof json.$ref === 'string') return new Reference(json.$ref)
  if (typeof json.$id === 'string') return new ForeignId(json.$id)
  if (typeof json.$env === 'string') return fromEnvironment(json.$env)
  const members = isPlain(json.$plain) ? json.$plain : json
  return Object.fromEntries(Object.entries(members).map(([key, inner]) => [key, decodeValue(inner, fromEnvironment)]))
}
