// What a property of a metadata schema says about a value: its type and its conditions. Source: docs/service/projects.md#properties.
import { isRecord, ownValue } from '../base/record.ts'
import { isInstant } from './fields.ts'

/** One property. Besides these, conditions by name. */
export interface MetadataProperty {
  type: string
  array?: boolean
  /** Required unless true. */
  optional?: boolean
  /** For the type `object`: the custom schema its members follow. */
  objectType?: string
  [condition: string]: unknown
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

const conditions: Record<string, { words: string; holds: Condition }> = {
  eq: { words: 'equal to one of', holds: (value, wanted) => asList(wanted).includes(value) },
  ne: { words: 'none of', holds: (value, wanted) => !asList(wanted).includes(value) },
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
export function definitionProblem(property: MetadataProperty): string | undefined {
  if (!Object.hasOwn(types, property.type))
    return `.type must be equal to one of the allowed values: ${Object.keys(types).join(', ')}`
  const unknown = Object.keys(property).find((name) => !settings.includes(name) && !Object.hasOwn(conditions, name))
  return unknown === undefined ? undefined : ` must NOT have additional property '${unknown}'`
}

/** Returns what a value must be, such as `must be a string`; undefined when it fits. */
export function valueProblem(property: MetadataProperty, value: unknown): string | undefined {
  const type = ownValue(types, property.type)
  if (!type) return undefined
  const values = property.array ? value : [value]
  if (!Array.isArray(values) || !values.every(type.fits))
    return `must be ${property.array ? `array of ${type.many}` : type.one}`
  for (const [name, { words, holds }] of Object.entries(conditions)) {
    const wanted = property[name]
    if (wanted === undefined || wanted === null) continue
    if (!values.every((one) => holds(one, wanted))) return `must be ${words} ${asList(wanted).join(', ')}`
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

function asList(wanted: unknown): unknown[] {
  return Array.isArray(wanted) ? wanted : [wanted]
}
