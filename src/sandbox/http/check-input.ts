// Checks bodies and queries against the contract's schemas, as the service does, before a handler relies on them.

import type { z } from 'zod'
import { deepestNesting, isDeeperThan } from '../../base/nesting.ts'
import { ownValue } from '../../base/record.ts'
import { expectedAt, pathText, type Unasked, withoutUnasked } from '../../base/schema.ts'
import { isKept } from '../../base/strict-json.ts'
import { detailsOf } from './issues.ts'
import type { Query } from './query.ts'
import { invalidPayload, invalidQuery } from './refusal.ts'

/**
 * What null stands for where a member may be left out.
 *
 * `absent`: the member is not given, because published clients send every member they know. `cleared`: it clears, and is
 * refused where nothing can be cleared. `either`: it clears what can be cleared, and is not given elsewhere.
 */
export type Nulls = 'absent' | 'cleared' | 'either'

/** Checks a parsed body. Throws 400 `invalid_payload`. Source: docs/service/addresses.md#null-in-requests. */
export function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  nulls: Nulls = 'either',
): z.output<Schema> {
  return checkMembers(schema, body, nulls, { leaf: readLeaf })
}

/** Checks an object of a fixture like a body, but for the form of its values: it is stored as it is. Throws the same. */
export function checkWire<Schema extends z.ZodType>(
  schema: Schema,
  wire: unknown,
  nulls: Nulls = 'either',
): z.output<Schema> {
  return checkMembers(schema, wire, nulls, {})
}

function checkMembers<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  nulls: Nulls,
  forms: Pick<Unasked, 'leaf'>,
): z.output<Schema> {
  // ASSUMED A102: deeper nesting than 64 is refused as invalid_payload; no limit is published.
  if (isDeeperThan(body, deepestNesting)) throw tooDeep()
  mustBeStorable(body, invalidPayload)
  const given = nulls === 'absent' && holdsNull(body) ? withoutUnasked(schema, body, { nulls: 'all', ...forms }) : body
  const tolerance: Unasked = { unknown: true, ...forms, ...(nulls !== 'cleared' && { nulls: 'refused' }) }
  return checkWith(schema, given, invalidPayload, tolerance) as z.output<Schema>
}

function holdsNull(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null
  return Object.values(value).some(holdsNull)
}

/** 400, for a body whose objects and arrays nest too deeply. */
export function tooDeep(): Error {
  return invalidPayload(`Payload must NOT be nested deeper than ${deepestNesting} levels`)
}

/**
 * Checks a decoded query; texts become the numbers and booleans of the schema. Throws 400 `invalid_query_params`.
 *
 * With `isList` it reads what published clients send: page 0 is the first, and a number as order is none. Any other order that the
 * list does not know is refused, because rows in another order than was asked for look right.
 */
export function checkQuery(schema: z.ZodType, query: Query, { isList = false } = {}): Record<string, unknown> {
  mustBeStorable(query, invalidQuery)
  const coerced = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, coerceTo(expectedAt(schema, [name])?.type, value)]),
  )
  if (isList && coerced.page === 0) coerced.page = 1
  const isNumber = typeof query.order === 'string' && /^\d+$/.test(query.order)
  if (isList && isNumber && expectedAt(schema, ['order'])?.type === 'enum') delete coerced.order
  return checkWith(schema, coerced, invalidQuery, { unknown: true, leaf: readQueryLeaf }) as Record<string, unknown>
}

// ASSUMED A103: unknown names in a request are ignored, as the service is documented to do for updates and imports.
function checkWith(
  schema: z.ZodType,
  value: unknown,
  refusal: (details: string) => Error,
  unasked: Unasked,
  isReduced = false,
): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.filter((issue) => !isForTheHandler(issue))
  // The schemas do not transform accepted values, so the parsed output would equal the input.
  if (issues.length === 0) return value
  if (isReduced) throw refusal(detailsOf(schema, value, issues))
  // Only what was refused is walked: most requests have nothing to leave out, and are read once.
  return checkWith(schema, withoutUnasked(schema, value, unasked), refusal, unasked, true)
}

/**
 * Refuses what could not be stored as it was sent: a member named `__proto__` inside a member, where names are free,
 * because the schemas would drop it silently, so metadata would be lost and a filter would match everything; half of a
 * surrogate pair, which JSON can spell and UTF-8 cannot, so it would be stored as another text; and a number that was
 * rounded when it was read.
 *
 * ASSUMED A1301: the name is refused like one that the schema forbids; the service's own answer is not published.
 * ASSUMED A1261: half of a surrogate pair is refused as well.
 * ASSUMED A1503: and a whole number beyond 2^53 - 1, and one beyond all doubles.
 */
export function mustBeStorable(value: unknown, refusal: (details: string) => Error): void {
  const flaw = flawIn(value, false)
  if (flaw) throw refusal(`${flaw.path.length > 0 ? `Property ${pathText(flaw.path)}` : 'Payload'} ${flaw.must}`)
}

/**
 * Refuses a request from which a number was computed that JSON readers would not keep. Throws 400 `invalid_payload`.
 *
 * ASSUMED A1735: a product or a sum beyond 2^53 - 1, such as a price times a quantity, is refused as invalid_payload.
 */
export function mustBeCounted(computed: unknown): void {
  if (typeof computed !== 'object' || computed === null || 'next' in computed || computed instanceof Uint8Array) return
  if (hasKeptNumbers(computed)) return
  mustBeStorable(computed, (details) => invalidPayload(`${details}, which the numbers of the request exceed together`))
}

// Texts and names are those of a request, or stored, so that the numbers are all there is to look at.
function hasKeptNumbers(value: object): boolean {
  if (Array.isArray(value)) return value.every(isOfKeptNumbers)
  for (const name in value) if (!isOfKeptNumbers(value[name as keyof typeof value])) return false
  return true
}

function isOfKeptNumbers(value: unknown): boolean {
  if (typeof value === 'number') return isKept(value)
  return typeof value !== 'object' || value === null || hasKeptNumbers(value)
}

interface Flaw {
  path: PropertyKey[]
  must: string
}

const mustBeUnicode = 'must be Unicode without half of a surrogate pair'
const mustBeKept = 'must be a number that JSON readers keep exactly'

const reservedName: Flaw = { path: [], must: "must NOT have additional property '__proto__'" }

// Every request is walked: the path is only put together where something is refused.
function flawIn(value: unknown, isInside: boolean): Flaw | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { path: [], must: mustBeUnicode }
  if (typeof value === 'number') return isKept(value) ? undefined : { path: [], must: mustBeKept }
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const flaw = flawIn(value[at], true)
      if (flaw) return { ...flaw, path: [at, ...flaw.path] }
    }
    return undefined
  }
  // Twice as fast as for…in where an object was put together from others.
  const names = Object.keys(value)
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] as string
    if (isInside && name === '__proto__') return reservedName
    const flaw = flawIn(value[name as keyof typeof value], true) ?? flawIn(name, true)
    if (flaw)
      return isInside && names.includes('__proto__')
        ? reservedName
        : { ...flaw, path: [name.toWellFormed(), ...flaw.path] }
  }
  return undefined
}

/** Issues refused with a key of their own: the handler knows more, such as that a code and an id name the same object. */
function isForTheHandler(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.refused_as !== undefined
}

/** How a number may be spelt as text. */
const numberText = /^[+-]?\d{1,15}(\.\d+)?$/

// `customer` is the text of an id where it is no object.
const idName = /^(ids?|customer|\w+_ids?)$/

/**
 * Reads a value that its schema refuses as what it stands for: a text of digits where a number is asked for, a whole number where
 * an id is a text, and a fraction of money where it may be sent as text. Anything else stays as it is, and is refused.
 *
 * ASSUMED A1840: published clients send all three for some members; here every member is read so.
 * Source: docs/service/addresses.md#lenient-numbers.
 */
export function readLeaf(value: unknown, name: string, schema: z.ZodType): unknown {
  const accepts = (form: unknown) => schema.safeParse(form).success
  const form = otherForm(value, idName.test(name), accepts)
  return form === undefined || accepts(value) || !accepts(form) ? value : form
}

function otherForm(value: unknown, isId: boolean, accepts: (form: unknown) => boolean): unknown {
  if (typeof value === 'string' && numberText.test(value)) return Number(value)
  if (typeof value !== 'number') return undefined
  if (Number.isInteger(value)) return isId ? String(value) : undefined
  // With the digits that the text form of an amount may have; what takes numbers and texts takes 1.
  return accepts(1) ? value.toFixed(6) : undefined
}

// In a query everything is text, also inside its objects.
function readQueryLeaf(value: unknown, name: string, schema: z.ZodType): unknown {
  const flag = typeof value === 'string' ? ownValue(booleans, value) : undefined
  const isFlag = flag !== undefined && !schema.safeParse(value).success && schema.safeParse(flag).success
  return isFlag ? flag : readLeaf(value, name, schema)
}

// Clients that send integers for booleans are published (docs/service/lists.md#booleans).
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false }

function coerceTo(type: string | undefined, value: Query[string]): unknown {
  if (type === 'array') return Array.isArray(value) ? value : [value]
  // ASSUMED A1610: clients send `expand` as a list whatever the service takes; a list of one value is that value.
  if (Array.isArray(value) && new Set(value).size === 1) return coerceTo(type, value[0] as Query[string])
  if (typeof value !== 'string') return value
  if (type === 'number' && numberText.test(value)) return Number(value)
  if (type === 'boolean') return ownValue(booleans, value) ?? value
  return value
}
