// Request bodies with more fields than flags: --body for an entire document, --set for single fields, CSV cells for rows.

import { z } from 'zod'
import { memoize, memoizeFor } from '../../base/memoized.ts'
import { listNames, mostNamed } from '../../base/name-list.ts'
import { ownValue } from '../../base/record.ts'
import { withoutUnasked } from '../../base/schema.ts'
import { truthOf } from '../../base/spreadsheet-shapes.ts'
import { edgeOfDay, isDay } from '../../base/time/day.ts'
import { timeZoneOf } from '../../base/time/time-zone.ts'
import { inputError } from '../../bulk/input/input-error.ts'
import { isMoney } from '../../contract/bulk.ts'
import { PromoError, usageError } from '../../errors.ts'
import type { bodyFlags, globalFlags, serviceFlags, typeOfFlag } from '../flags/flags.ts'
import type { ValuesOf } from '../flags/kinds.ts'
import type { Clock } from '../flags/time.ts'
import { type Messages, messagesTo } from '../result/messages.ts'
import type { Asker, Input, Keeper } from '../run/host.ts'
import { clockOf, edgeAt } from './days.ts'
import { jsonOf, jsonOfBody } from './json-file.ts'
import { listedKinds } from './listed-key.ts'
import { flagFor, type WrittenForms, writtenValues } from './written-values.ts'

/** Flags that say what texts mean; the project of the profile has the time zone in which days are meant. */
export type ValueFlags = ValuesOf<typeof typeOfFlag & Pick<typeof serviceFlags, 'profile'> & typeof globalFlags>

/** The part of a run that reads what texts mean. */
export interface Reader {
  host: Input
  show: Pick<Messages, 'say'>
  clock: () => Promise<Clock>
}

/** Reads while a question is open, before the command line is complete. */
export function readerAt(host: Asker & Keeper): Reader {
  return { host, show: messagesTo(host, {}), clock: () => clockOf({}, host) }
}

export type BodyFlags = ValueFlags & ValuesOf<typeof bodyFlags> & { 'allow-unknown'?: boolean }

/** Turns texts into the values that a schema requires at a path like `discount.percent_off`. */
export interface FieldReader {
  /** Throws `usage` for a text that the schema does not allow there. */
  valueAt: (path: readonly string[], text: string) => unknown
  /** Returns the only texts that are allowed there; undefined where others are. */
  choicesAt: (path: readonly string[]) => readonly unknown[] | undefined
}

type JsonSchema = {
  format?: string
  type?: string | string[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
}

/** Made once for each schema: a command that reads rows asks for it three times. */
const jsonSchemaOf = memoizeFor(
  (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
)

/**
 * Makes a reader of field texts for a body schema.
 *
 * A text becomes a number, a boolean, null, an object or an array only where the schema allows one; where it allows a
 * string, the text is kept. Where any type is allowed, as in metadata, JSON is parsed and everything else is text, unless
 * `--type-of` says what it is. `forms` says how a file writes days and numbers; only there TRUE in metadata is a truth value, which
 * is said once for each path. A day where an instant is taken means its end or its beginning in the project's time zone; what
 * that is, is said once for each path.
 */
export async function fieldReader(
  schema: z.ZodType,
  flags: ValueFlags,
  { show, clock }: Reader,
  forms?: WrittenForms,
): Promise<FieldReader> {
  const file = forms && { forms, ...writtenValues(forms) }
  const root = jsonSchemaOf(schema)
  const typed = typesGiven(flags['type-of'])
  const hasInstants = JSON.stringify(root).includes('"date-time"')
  const timeZone = hasInstants || forms?.dates !== undefined ? (await clock()).timeZone : 'UTC'
  const said = new Set<string>()
  // Every cell of a column has the same.
  const formAt = memoize((name) => {
    const places = placesAt([root], name.split('.'))
    return { places, types: new Set(places.flatMap(typesOf)) }
  })
  return {
    choicesAt(path) {
      const places = placesAt([root], path).filter(({ type }) => type !== 'null')
      const choices = places.map(({ enum: values, const: only }) => values ?? (only === undefined ? [] : [only]))
      return choices.length > 0 && choices.every((some) => some.length > 0) ? choices.flat() : undefined
    },
    valueAt(path, text) {
      const name = path.join('.')
      const type = typed.get(name)
      if (type !== undefined) return typedValue(text, type, name)
      const { places, types } = formAt(name)
      const written = file ? meaningOf(text, name, { places, types }) : text
      if (isDay(written) && places.some(({ format }) => format === 'date-time')) return instantOf(path, written)
      try {
        return fieldValue(written, types, name)
      } catch (error) {
        throw file && error instanceof PromoError ? withFlag(error, text, name) : error
      }
    },
  }

  /** Returns what a text of a file means, as it would be typed. */
  function meaningOf(
    text: string,
    name: string,
    { places, types }: { places: JsonSchema[]; types: Set<string> },
  ): string {
    const isAny = types.size === 0 || types.has('any')
    const takesDay = places.some(({ format = '' }) => ['date', 'date-time'].includes(format))
    if (takesDay || isAny) {
      const day = file?.day(text)
      // Of a birthday the day counts, in no zone.
      if (places.some(({ format }) => format === 'date') && day !== undefined) return day.slice(0, 10)
      if (day !== undefined) return isDay(day) ? day : instantOfClock(name, text, day)
      if (takesDay && flagFor(text, name, true) !== undefined)
        throw withFlag(usageError(`"${name}" takes a day like 2026-12-31, not "${text}"`), text, name, true)
    }
    if (isAny && /^(?:true|false)$/i.test(text) && text !== text.toLowerCase()) {
      sayOnce(name, `${name}: ${text} is read as ${text.toLowerCase()}; --type-of ${name}=string keeps the text`)
      return text.toLowerCase()
    }
    if (!isAny && !types.has('integer') && !types.has('number')) return text
    const number = file?.number(text, isMoney(name)) ?? text
    // As with a point, a number in metadata is one only if it prints back the same.
    return isAny && String(Number(number)) !== number ? text : number
  }

  function sayOnce(name: string, sentence: string): void {
    if (!said.has(name)) show.say(sentence)
    said.add(name)
  }

  /** Returns the instant at which the clocks of the project show a time. */
  function instantOfClock(name: string, text: string, shown: string): string {
    const wallMs = Date.parse(`${shown}Z`)
    // Date rolls a day that does not exist over; the contract refuses the text.
    if (Number.isNaN(wallMs) || Number.isNaN(edgeOfDay(shown.slice(0, 10), 'start', 'UTC'))) return text
    const instant = new Date(timeZoneOf(timeZone).instantAt(wallMs)).toISOString()
    sayOnce(`${name} at`, `${name}: a time is one in ${timeZone}, ${text} is sent as ${instant}`)
    return instant
  }

  function instantOf(path: readonly string[], day: string): string {
    const edge = edgeAt(path)
    const atMs = edgeOfDay(day, edge, timeZone)
    // The contract refuses a day that does not exist.
    if (Number.isNaN(atMs)) return day
    const [name, instant] = [path.join('.'), new Date(atMs).toISOString()]
    sayOnce(name, `${name}: a day is sent as its ${edge} in ${timeZone}, ${day} as ${instant}`)
    return instant
  }
}

/** Adds the flag that would read a text of a file. */
function withFlag(error: PromoError, text: string, name: string, isDay = false): PromoError {
  const flag = flagFor(text, name, isDay)
  return flag === undefined ? error : new PromoError(error.kind, error.message, { ...error.facts, hint: flag })
}

const typeNames = ['string', 'number', 'boolean', 'json'] as const

type TypeName = (typeof typeNames)[number]

/** Reads `metadata.zip=string`. Throws `usage`. */
function typesGiven(texts: readonly string[] = []): Map<string, TypeName> {
  return new Map(
    texts.map((text) => {
      const [, path, type] = /^(.+)=([a-z]+)$/.exec(text) ?? []
      if (path !== undefined && typeNames.includes(type as TypeName)) return [path, type as TypeName]
      throw usageError(
        `--type-of "${text}" does not have the form path=${typeNames.join('|')}`,
        '--type-of metadata.zip=string',
      )
    }),
  )
}

function typedValue(text: string, type: TypeName, name: string): unknown {
  if (type === 'string') return text
  if (type === 'json') return jsonOf(text, name)
  return fieldValue(text, new Set([type]), name)
}

/** Returns the function that says whether a body of this schema may have a value at a path. */
export function pathsOf(schema: z.ZodType): (path: readonly string[]) => boolean {
  const root = jsonSchemaOf(schema)
  return (path) => placesAt([root], path).length > 0
}

/** Returns the function that says whether a value of any type may be at a path of such a body, as in metadata. */
export function openPathsOf(schema: z.ZodType): (path: readonly string[]) => boolean {
  const root = jsonSchemaOf(schema)
  return (path) => placesAt([root], path).flatMap(typesOf).includes('any')
}

/** Returns every member of a body of this schema by its path, with what it may be; `NAME` stands for any. */
export function memberTypes(schema: z.ZodType): Map<string, string[]> {
  const found = new Map<string, string[]>()
  visit([jsonSchemaOf(schema)], [])
  return found

  function visit(from: readonly JsonSchema[], path: readonly string[]): void {
    const places = alternatives(from)
    const parts = new Map<string, JsonSchema[]>()
    for (const { properties = {}, additionalProperties } of places) {
      const open = typeof additionalProperties === 'object' ? { NAME: additionalProperties } : {}
      for (const [name, part] of Object.entries({ ...properties, ...open }))
        parts.set(name, [...(parts.get(name) ?? []), part])
    }
    for (const [name, some] of parts) visit(some, [...path, name])
    const types = places.flatMap((place) => place.format ?? choicesOf(place) ?? typesOf(place))
    if (parts.size === 0 || types.includes('string')) found.set(path.join('.'), [...new Set(types)])
  }
}

function choicesOf({ enum: values, const: only }: JsonSchema): string[] | undefined {
  const choices = values ?? (only === undefined ? [] : [only])
  return choices.length === 0 ? undefined : choices.map(String)
}

/** All schemas that may apply at a path; none where the schema does not know the path. */
function placesAt(from: readonly JsonSchema[], path: readonly string[]): JsonSchema[] {
  let places = alternatives(from)
  for (const name of path) {
    places = alternatives(
      places.flatMap(({ properties, additionalProperties }) => {
        const known = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
        if (known) return [known]
        return typeof additionalProperties === 'object' ? [additionalProperties] : []
      }),
    )
  }
  return places
}

function alternatives(schemas: readonly JsonSchema[]): JsonSchema[] {
  return schemas.flatMap((schema) => {
    const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    return inner.length === 0 ? [schema] : alternatives(inner)
  })
}

function typesOf({ type, const: only, enum: values, format }: JsonSchema): string[] {
  // A number that the service also takes as text is a number: 50.00 on a command line would be taken for 50 cents.
  if (format === 'decimal') return []
  if (type !== undefined) return [type].flat()
  const listed = values ?? (only === undefined ? [] : [only])
  return listed.length === 0 ? ['any'] : listed.map((value) => typeof value)
}

function fieldValue(text: string, types: ReadonlySet<string>, name: string): unknown {
  if (types.size === 0 || types.has('any')) return jsonOrText(text)
  const decimals = types.has('number') ? /^-?(0|[1-9]\d{0,15})(\.\d+)?$/ : /^-?(0|[1-9]\d{0,15})$/
  if ((types.has('integer') || types.has('number')) && decimals.test(text)) return Number(text)
  const truth = types.has('string') ? ownValue({ true: true, false: false }, text) : truthOf(text)
  if (types.has('boolean') && truth !== undefined) return truth
  if (types.has('null') && text === 'null') return null
  if ((types.has('array') && text.startsWith('[')) || (types.has('object') && text.startsWith('{'))) {
    return jsonOf(text, name)
  }
  if (types.has('string')) return text
  const wanted = [...types].map((type) => ownValue(kinds, type) ?? type).join(' or ')
  throw usageError(`"${name}" takes ${wanted}, not "${text}"${isMoney(name) ? inSmallestUnit(text) : ''}`)
}

const kinds: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  string: 'text',
  array: 'a list',
  object: 'an object',
}

/** An addition to the refusal of an amount like `50.00`, which is to be in the smallest unit of its currency. */
export function inSmallestUnit(text: string): string {
  const [, whole, cents] = /^(\d+)\.(\d\d)$/.exec(text) ?? []
  return whole === undefined ? '' : `; amounts are in the smallest unit of the currency: ${Number(`${whole}${cents}`)}`
}

function jsonOrText(text: string): unknown {
  // A version, an article number or an amount with its cents would come back as another text.
  if (/^-?\d/.test(text) && String(Number(text)) !== text) return text
  return /^(-?(0|[1-9]\d{0,14})(\.\d+)?|true|false|null|\{.*\}|\[.*\]|".*")$/s.test(text) ? jsonOf(text, 'value') : text
}

/** Returns the body that --body and --set describe together; --set overrides the same field in --body. */
export async function bodyFrom(
  { body, set = [], ...flags }: BodyFlags,
  schema: z.ZodType,
  run: Reader,
): Promise<Record<string, unknown>> {
  const document = body === undefined ? {} : sendableOf(await documentFrom(body, run.host), schema, flags, run.show)
  mustBeGiven(flags, set)
  if (set.length === 0) return document
  const reader = await fieldReader(schema, flags, run)
  for (const assignment of set) {
    const equals = assignment.indexOf('=')
    if (equals < 1)
      throw usageError(`--set "${assignment}" does not have the form path=value`, '--set metadata.source=mail')
    const path = assignment.slice(0, equals).split('.')
    put(document, path, reader.valueAt(path, assignment.slice(equals + 1)))
  }
  return document
}

/** Returns a document as the call takes it: of an object that the service answered, what the call does not take is left out, which is said. */
function sendableOf(
  document: Record<string, unknown>,
  schema: z.ZodType,
  flags: { 'allow-unknown'?: boolean },
  { say }: Pick<Messages, 'say'>,
): Record<string, unknown> {
  const { object } = document
  if (!listedKinds.includes(String(object)) || flags['allow-unknown']) return document
  const sendable = withoutUnasked(schema, document, { unknown: true, nulls: 'refused' }) as Record<string, unknown>
  const left = Object.keys(document).filter((name) => !Object.hasOwn(sendable, name) && document[name] !== null)
  say(
    `of the ${String(object).replaceAll('_', ' ')}, what the call does not take is left out: ${listNames(left, mostNamed)}`,
  )
  return sendable
}

/** Throws `usage` for a type of what nothing gives; the columns of a file and other flags give more than --set. */
function mustBeGiven(
  flags: ValueFlags & { from?: unknown; metadata?: unknown; customer?: unknown; 'order-metadata'?: unknown },
  set: string[],
): void {
  if ((flags.from ?? flags.metadata ?? flags.customer ?? flags['order-metadata']) !== undefined) return
  for (const path of typesGiven(flags['type-of']).keys()) {
    if (!set.some((assignment) => assignment.startsWith(`${path}=`))) {
      throw usageError(`--type-of names "${path}", which nothing gives a value`, `--set ${path}=VALUE`)
    }
  }
}

async function documentFrom(given: string, host: Reader['host']): Promise<Record<string, unknown>> {
  const document = await jsonOfBody(given, host)
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) {
    return document as Record<string, unknown>
  }
  throw inputError('--body is not a JSON object', `--body '{"active":true}'`)
}

/** Puts a value at a path and creates missing objects. Throws `usage` where the path leads through anything else. */
export function put(document: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let place = document
  for (const [at, name] of path.entries()) {
    if (name === '' || name === '__proto__') throw usageError(`"${path.join('.')}" is not a path of names`)
    if (at === path.length - 1) {
      place[name] = value
      return
    }
    const next = (Object.hasOwn(place, name) ? place[name] : undefined) ?? {}
    if (typeof next !== 'object' || Array.isArray(next)) {
      throw usageError(`"${path.join('.')}" leads through "${name}", which is not an object`)
    }
    place[name] = next
    place = next as Record<string, unknown>
  }
}
