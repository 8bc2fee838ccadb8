// What stands for the people of a project in a copy of it: the same for the same value everywhere in one copy, and different in the next.
import { createHmac, randomBytes } from 'node:crypto'
import { isRecord, ownValue } from '../../../base/record.ts'

/** Replaces what objects say about people. */
export interface Pseudonyms {
  /** A customer; what it says is replaced wherever `ofData` finds it later. */
  ofCustomer: (wire: Record<string, unknown>) => Record<string, unknown>
  /** A code, card or order: people in it, and values of customers in its metadata. */
  ofData: (wire: Record<string, unknown>) => Record<string, unknown>
  /** A configured object: e-mail addresses, as in a rule about one. */
  ofConfiguration: (wire: Record<string, unknown>) => Record<string, unknown>
}

/** Replaces nothing. */
export const noPseudonyms: Pseudonyms = {
  ofCustomer: (wire) => wire,
  ofData: (wire) => wire,
  ofConfiguration: (wire) => wire,
}

/** Members of a customer that say nothing about the person; what is computed from orders is not copied. */
const kept = new Set(['id', 'object', 'created_at', 'updated_at', 'country', 'assets'])
/** Members that hold a customer, and those that people write into. */
const people = new Set(['customer', 'referrer', 'holder'])
const written = new Set(['metadata', 'additional_info'])

// Bounded, so that a long text without an address is read once.
const address = /[^\s@<>()[\]"',;:/\\]{1,64}@[^\s@<>()[\]"',;:/\\]{1,255}/gu

const dayForm = /^\d{4}-\d\d-\d\d(T[\d:.]{1,20}(Z|[+-][\d:]{1,6})?)?$/

/** What the pseudonyms of a member begin with, where not with its name. */
const forms: Readonly<Record<string, string>> = {
  source_id: 'person',
  metadata: 'text',
  birthday: 'text',
  birthdate: 'text',
}

/** Makes pseudonyms by a key that nobody keeps. */
export function pseudonyms(key: Buffer = randomBytes(32)): Pseudonyms {
  const known = new Map<string, string>()
  const digest = (form: string, value: string) => createHmac('sha256', key).update(`${form}\0${value}`).digest('hex')
  const addressFor = (value: string) => `person-${digest('email', value).slice(0, 16)}@example.com`
  const email = (value: string) => addressFor(value.toLowerCase())
  const withoutAddresses = (text: string) => (text.includes('@') ? text.replace(address, email) : text)

  function textOf(value: string, form = 'text'): string {
    if (value === '') return value
    const replaced = pseudonymOf(value, form)
    known.set(value, replaced)
    return replaced
  }

  function pseudonymOf(value: string, form: string): string {
    const isAddress = withoutAddresses(value) !== value
    // Source ids differ by case, and no two may become one.
    if (form === 'person') return isAddress ? addressFor(value) : `person-${digest(form, value).slice(0, 16)}`
    if (form === 'email' || (form !== 'phone' && isAddress)) return email(value.trim())
    if (dayForm.test(value)) return `${dayOf(value.slice(0, 10))}${value.slice(10)}`
    const hex = digest(form, value).slice(0, 16)
    if (form === 'phone')
      return `+999${String(BigInt(`0x${hex}`))
        .padStart(12, '0')
        .slice(-12)}`
    return `${form}-${hex}`
  }

  /** A day of the same half century, so that it is one wherever a day is needed. */
  function dayOf(day: string): string {
    const number = Number.parseInt(digest('day', day).slice(0, 8), 16) % (50 * 365)
    const first = Number(day.slice(0, 4)) < 2000 ? Date.UTC(1950, 0, 1) : Date.UTC(2000, 0, 1)
    return new Date(first + number * 86_400_000).toISOString().slice(0, 10)
  }

  function numberOf(value: number): number {
    const size = 10 ** Math.min(15, Math.abs(Math.trunc(value)).toString().length)
    const other = Number(BigInt(`0x${digest('number', String(value)).slice(0, 16)}`) % BigInt(size))
    return value < 0 ? -other : other
  }

  const replaceValue = (value: unknown, form: string): unknown => {
    if (typeof value === 'string') return textOf(value, form)
    return typeof value === 'number' ? numberOf(value) : value
  }

  function ofCustomer(wire: Record<string, unknown>): Record<string, unknown> {
    return mapMembers(wire, (value, name) => {
      if (kept.has(name)) return value
      const form = ownValue(forms, name) ?? name
      return replaceLeaves(value, (leaf) => replaceValue(leaf, form))
    })
  }

  function ofData(wire: Record<string, unknown>): Record<string, unknown> {
    return withPeople(wire, false) as Record<string, unknown>
  }

  function withPeople(value: unknown, isWritten: boolean): unknown {
    if (typeof value === 'string') return (isWritten ? known.get(value) : undefined) ?? withoutAddresses(value)
    if (Array.isArray(value)) return value.map((item) => withPeople(item, isWritten))
    if (!isRecord(value)) return value
    return mapMembers(value, (inner, name) =>
      people.has(name) && isRecord(inner) ? ofCustomer(inner) : withPeople(inner, isWritten || written.has(name)),
    )
  }

  return {
    ofCustomer,
    ofData,
    ofConfiguration: (wire) =>
      replaceLeaves(wire, (leaf) => (typeof leaf === 'string' ? withoutAddresses(leaf) : leaf)) as Record<
        string,
        unknown
      >,
  }
}

function replaceLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceLeaves(item, change))
  return isRecord(value) ? mapMembers(value, (inner) => replaceLeaves(inner, change)) : change(value)
}

function mapMembers(
  value: Record<string, unknown>,
  change: (inner: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner, name)]))
}
