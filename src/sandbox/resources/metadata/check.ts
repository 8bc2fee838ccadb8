// Checks metadata against the project's schemas, wherever metadata is written. Source: docs/service/validations.md#metadata.
import { isRecord, ownValue } from '../../../base/record.ts'
import { isInstant } from '../../../contract/fields.ts'
import { invalidPayload, refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { type MetadataProperty, metadataSchemas, type StoredMetadataSchema } from '../../stores/metadata-schemas.ts'

type Collections = Pick<Context, 'in'>

/**
 * Checks the metadata of a new or changed object (all of it, as it will be stored) against the schema of its kind, such as
 * `voucher`; without a schema everything passes. Throws 400 `metadata_validation_failed`.
 */
export function checkMetadata(
  context: Collections,
  relatedObject: string,
  metadata: Readonly<Record<string, unknown>> | null | undefined,
): void {
  const schema = context.in(metadataSchemas).find(relatedObject)
  if (schema) checkProperties(context, schema, metadata)
}

/** Checks metadata against properties defined anywhere: an event has its own schema. Throws as checkMetadata does. */
export function checkProperties(
  context: Collections,
  schema: Pick<StoredMetadataSchema, 'properties'> & { allow_defined_only?: boolean },
  metadata: Readonly<Record<string, unknown>> | null | undefined,
): void {
  const problem = problemOf(context, schema, metadata ?? {}, '', 0)
  if (problem) throw refused('metadata_validation_failed', problem)
}

/** Refuses a schema that contains what the sandbox does not check. Throws 400 `invalid_payload`. */
export function checkDefinitions(properties: Readonly<Record<string, MetadataProperty>>, at: string): void {
  for (const [name, property] of Object.entries(properties)) {
    const problem = definitionProblem(property)
    if (problem) throw invalidPayload(`Property ${at}.${name}${problem}`)
  }
}

const nestingLimit = 8

function problemOf(
  context: Collections,
  schema: Pick<StoredMetadataSchema, 'properties'> & { allow_defined_only?: boolean },
  metadata: Readonly<Record<string, unknown>>,
  prefix: string,
  depth: number,
): string | undefined {
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = metadata[name] ?? undefined
    if (property.deleted || (value === undefined && property.optional)) continue
    const problem = valueProblem(property, value)
    if (problem) return worded(prefix + name, problem, property.optional ? 'optional' : 'required', value)
    if (property.objectType === undefined || depth === nestingLimit) continue
    const nested = context.in(metadataSchemas).find(property.objectType)
    for (const one of nested ? [value].flat() : []) {
      if (!nested || !isRecord(one)) continue
      const inner = problemOf(context, nested, one, `${prefix}${name}.`, depth + 1)
      if (inner) return inner
    }
  }
  const isDefined = (name: string) => Object.hasOwn(schema.properties, name) && !schema.properties[name]?.deleted
  const unknown = Object.keys(metadata).find((name) => !isDefined(name))
  // ASSUMED A140: the message of the refusal of an undefined property.
  if (schema.allow_defined_only && unknown !== undefined)
    return worded(prefix + unknown, 'must be defined in the schema', 'not defined', metadata[unknown])
  return undefined
}

function worded(name: string, problem: string, need: string, value: unknown): string {
  const actual = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return `${name}: ${problem}, property is ${need} (actual value is '${actual}')`
}

type Fits = (value: unknown) => boolean

/** Each type with its words in a refusal, singular and plural. */
const types: Record<string, { one: string; many: string; fits: Fits }> = {
  string: { one: 'a string', many: 'strings', fits: (value) => typeof value === 'string' },
  number: { one: 'a number', many: 'numbers', fits: (value) => typeof value === 'number' },
  boolean: { one: 'a boolean', many: 'booleans', fits: (value) => typeof value === 'boolean' },
  date: {
    one: 'a date',
    many: 'dates',
    fits: (value) => isText(value, (text) => isInstant(text) && text.length === 10),
  },
  datetime: { one: 'a datetime', many: 'datetimes', fits: (value) => isText(value, (text) => isInstant(text)) },
  image_url: { one: 'an image url', many: 'image urls', fits: (value) => isText(value, (text) => URL.canParse(text)) },
  geopoint: { one: 'a geopoint', many: 'geopoints', fits: (value) => isText(value, isGeopoint) },
  object: { one: 'an object', many: 'objects', fits: isRecord },
}

type Condition = (value: unknown, wanted: unknown) => boolean

// ASSUMED A139: these types and conditions; a schema with anything else is refused, not ignored.
const conditions: Record<string, { words: string; holds: Condition }> = {
  eq: { words: 'equal to one of', holds: (value, wanted) => listed(wanted).includes(value) },
  ne: { words: 'none of', holds: (value, wanted) => !listed(wanted).includes(value) },
  lengthEq: { words: 'of length', holds: (value, wanted) => lengthOf(value) === wanted },
  lengthGte: { words: 'at least of length', holds: (value, wanted) => lengthOf(value) >= Number(wanted) },
  lengthLt: { words: 'shorter than', holds: (value, wanted) => lengthOf(value) < Number(wanted) },
  gt: { words: '>', holds: (value, wanted) => Number(value) > Number(wanted) },
  gte: { words: '>=', holds: (value, wanted) => Number(value) >= Number(wanted) },
  lt: { words: '<', holds: (value, wanted) => Number(value) < Number(wanted) },
  lte: { words: '<=', holds: (value, wanted) => Number(value) <= Number(wanted) },
}

const settings = ['type', 'array', 'optional', 'objectType', 'deleted']

/** Returns the problem of a definition; undefined when every member of it is supported. */
function definitionProblem(property: MetadataProperty): string | undefined {
  if (!Object.hasOwn(types, property.type))
    return `.type must be equal to one of the allowed values: ${Object.keys(types).join(', ')}`
  const unknown = Object.keys(property).find((name) => !settings.includes(name) && !Object.hasOwn(conditions, name))
  return unknown === undefined ? undefined : ` must NOT have additional property '${unknown}'`
}

/** Returns what a value must be, such as `must be a string`; undefined when it fits. */
function valueProblem(property: MetadataProperty, value: unknown): string | undefined {
  const type = ownValue(types, property.type)
  if (!type) return undefined
  const values = property.array ? value : [value]
  if (!Array.isArray(values) || !values.every(type.fits))
    return `must be ${property.array ? `array of ${type.many}` : type.one}`
  for (const [name, { words, holds }] of Object.entries(conditions)) {
    const wanted = property[name]
    if (wanted === undefined || wanted === null) continue
    if (!values.every((one) => holds(one, wanted))) return `must be ${words} ${listed(wanted).join(', ')}`
  }
  return undefined
}
function isText(value: unknown, fits: (text: string) => boolean): boolean {
  return typeof value === 'string' && fits(value)
}

/** Latitude and longitude: `48.85,2.35`. */
function isGeopoint(text: string): boolean {
  const [latitude, longitude, ...rest] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (latitude === undefined || longitude === undefined || rest.length > 0) return false
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : Number.NaN
}

function listed(wanted: unknown): unknown[] {
  return Array.isArray(wanted) ? wanted : [wanted]
}
