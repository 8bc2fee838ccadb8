// The JSON Schema of the files of a kind, by which an editor completes and checks them. It is made from the declaration of the kind and from what
// its calls take.
import { z } from 'zod'
import { isRecord } from '../base/record.ts'
import type { Kind } from '../model/kind.ts'
import { partName, partsOf } from '../model/kinds.ts'
import { setAt, valueAt } from '../model/value.ts'
import { keyGrammar } from './names.ts'

type Schema = Record<string, unknown>

const key: Schema = {
  type: 'string',
  pattern: keyGrammar.source.replace('[a-z0-9]', '[A-Za-z0-9]').replace('[a-z0-9_-]', '[A-Za-z0-9_-]'),
}
/** What is not in the folder is named by its id. */
const reference: Schema = {
  anyOf: [
    key,
    { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false },
  ],
}
const placeholder: Schema = { type: 'string', pattern: '\\$\\{[A-Za-z_]' }

/**
 * Returns the JSON Schema of the files of a kind. A member that is absent has its standard value, so few are required.
 *
 * `unknown` are members that the service returned and promo does not know: anything may be in them.
 */
export function fileSchema(kind: Kind, unknown: readonly string[] = []): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind.noun,
    ...objectSchema(kind, {
      ...Object.fromEntries(unknown.map((path) => [path.split('.')[0] as string, {}])),
      partial: { type: 'boolean', description: 'says nothing about the members that it does not have' },
      ...(kind.name === 'campaigns' && {
        generate: { type: 'integer', minimum: 1, description: 'the number of codes to generate for a new campaign' },
      }),
    }),
  }
}

function objectSchema(kind: Kind, more: Record<string, Schema> = {}): Schema {
  const created = bodySchema(kind.calls.create?.body)
  const updated = bodySchema(kind.calls.update?.body)
  const required = Array.isArray(created?.required) ? (created.required as string[]) : []
  const properties: Record<string, Schema> = { ...more }
  for (const [path, { createdAs, change, standard }] of Object.entries(kind.members)) {
    if (change === 'position') continue
    const found = schemaAt(created, createdAs ?? path) ?? schemaAt(updated, path) ?? {}
    const described = { ...found, ...(change === 'fixed' && { description: 'cannot be changed once it is created' }) }
    const member = standard === undefined ? described : { ...described, default: standard }
    const whole = orPlaceholder(withReferences(member, kind, path))
    const isCleared = change === 'put' && !required.includes(path)
    setAt(properties, path.replaceAll('.', '.properties.'), isCleared ? { anyOf: [whole, { type: 'null' }] } : whole)
  }
  const needed = required.filter((name) => kind.members[name]?.isNeeded !== true && Object.hasOwn(properties, name))
  for (const part of partsOf(kind)) properties[partName(part)] = partsSchema(part)
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, container(inner)])),
    additionalProperties: false,
    ...(needed.length > 0 && {
      if: { properties: { partial: { const: true } }, required: ['partial'] },
      else: { required: needed },
    }),
  }
}

/** The objects around a member like `voucher.discount`: nothing else is in them. */
function container(schema: Schema): Schema {
  if (schema.type !== undefined || !isRecord(schema.properties) || Object.keys(schema).length > 1) return schema
  const inner = Object.entries(schema.properties).map(([name, one]) => [name, container(one as Schema)])
  return { type: 'object', properties: Object.fromEntries(inner), additionalProperties: false }
}

function partsSchema(part: Kind): Schema {
  if (part.within?.as !== 'list') return { type: 'object', propertyNames: key, additionalProperties: nullable(part) }
  const { properties, ...others } = objectSchema(part, { key }) as { properties: Schema }
  return { type: 'array', items: { ...others, properties, required: ['key'] } }
}

/** A part that has nothing but its key may be left empty. */
function nullable(part: Kind): Schema {
  const schema = objectSchema(part)
  return schema.else === undefined ? { anyOf: [schema, { type: 'null' }] } : schema
}

function bodySchema(body: z.ZodType | undefined): Schema | undefined {
  if (body === undefined) return undefined
  const { $schema: _, ...schema } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema
  return isRecord(schema.items) ? schema.items : schema
}

function schemaAt(schema: Schema | undefined, path: string): Schema | undefined {
  let place: Schema | undefined = schema
  for (const name of path.split('.')) {
    const one: unknown =
      place &&
      alternatives(place)
        .map(({ properties }) => valueAt(properties, name))
        .find(isRecord)
    place = isRecord(one) ? one : undefined
  }
  return place
}

function alternatives(schema: Schema): Schema[] {
  const inner = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  return inner.length === 0 ? [schema] : inner.flatMap(alternatives)
}

/** Puts keys where the service has ids. */
function withReferences(schema: Schema, kind: Kind, path: string): Schema {
  if (kind.free?.includes(path))
    return isRecord(schema) ? { description: schema.description ?? 'references are !ref kind/key' } : schema
  return Object.keys(kind.references).reduce((changed, pattern) => {
    if (pattern === path) return reference
    return pattern.startsWith(`${path}.`) ? changedIn(changed, pattern.slice(path.length + 1).split('.')) : changed
  }, schema)
}

function changedIn(schema: Schema, [name, ...rest]: string[]): Schema {
  if (name === undefined) return reference
  if (name === '{}') return schema
  if (Array.isArray(schema.anyOf)) {
    return { ...schema, anyOf: (schema.anyOf as Schema[]).map((one) => changedIn(one, [name, ...rest])) }
  }
  if (name === '*' && isRecord(schema.items)) return { ...schema, items: changedIn(schema.items, rest) }
  if (!isRecord(schema.properties)) return schema
  const names = name === '*' ? Object.keys(schema.properties) : [name]
  const properties = Object.entries(schema.properties).map(([one, inner]) => [
    one,
    names.includes(one) ? changedIn(inner as Schema, rest) : inner,
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Any value may come from a placeholder; a text that may be anything already takes one. */
function orPlaceholder(schema: Schema): Schema {
  if (schema === reference) return schema
  const changed = Object.fromEntries(
    Object.entries(schema).map(([name, inner]) => {
      if (name === 'properties' && isRecord(inner)) {
        return [name, Object.fromEntries(Object.entries(inner).map(([one, of]) => [one, orPlaceholder(of as Schema)]))]
      }
      if ((name === 'items' || name === 'additionalProperties') && isRecord(inner)) return [name, orPlaceholder(inner)]
      return [name, inner]
    }),
  )
  const { type, description, default: standard, ...facts } = changed
  const isText = type === 'string' && !['enum', 'const', 'format', 'pattern'].some((name) => name in facts)
  if (type === undefined || type === 'object' || type === 'array' || isText) return changed
  const about = {
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
  }
  return { anyOf: [{ type, ...facts }, placeholder], ...about }
}
