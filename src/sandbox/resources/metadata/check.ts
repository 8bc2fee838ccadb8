// Checks metadata against the project's schemas, wherever metadata is written. Source: docs/service/validations.md#metadata.
import { isRecord } from '../../../base/record.ts'
import { definitionProblem, type MetadataProperty, valueProblem } from '../../../contract/metadata-property.ts'
import { invalidPayload, refused } from '../../http/refusal.ts'
import type { Tables } from '../../http/route.ts'
import { metadataSchemas, type StoredMetadataSchema } from '../../stores/schemas.ts'

/**
 * Checks the metadata of a new or changed object (all of it, as it will be stored) against the schema of its kind, such as
 * `voucher`; without a schema everything passes. Throws 400 `metadata_validation_failed`.
 */
export function checkMetadata(
  context: Tables,
  relatedObject: string,
  metadata: Readonly<Record<string, unknown>> | null | undefined,
): void {
  const schema = context.in(metadataSchemas).find(relatedObject)
  if (schema) checkProperties(context, schema, metadata)
}

/** Checks metadata against properties defined anywhere: an event has its own schema. Throws as checkMetadata does. */
export function checkProperties(
  context: Tables,
  schema: Pick<StoredMetadataSchema, 'properties'> & { allow_defined_only?: boolean },
  metadata: Readonly<Record<string, unknown>> | null | undefined,
): void {
  const problem = problemOf(context, schema, metadata ?? {}, '', 0)
  if (problem) throw refused('metadata_validation_failed', problem)
}

// ASSUMED A139: these types and conditions; a schema with anything else is refused, not ignored.
/** Refuses a schema that contains what the sandbox does not check. Throws 400 `invalid_payload`. */
export function checkDefinitions(properties: Readonly<Record<string, MetadataProperty>>, at: string): void {
  for (const [name, property] of Object.entries(properties)) {
    const problem = definitionProblem(property)
    if (problem) throw invalidPayload(`Property ${at}.${name}${problem}`)
  }
}

const nestingLimit = 8

function problemOf(
  context: Tables,
  schema: Pick<StoredMetadataSchema, 'properties'> & { allow_defined_only?: boolean },
  metadata: Readonly<Record<string, unknown>>,
  prefix: string,
  depth: number,
): string | undefined {
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = metadata[name] ?? undefined
    if (property.deleted || (value === undefined && property.optional)) continue
    const problem = valueProblem(property, value)
    if (problem) return describeProblem(prefix + name, problem, property.optional ? 'optional' : 'required', value)
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
    return describeProblem(prefix + unknown, 'must be defined in the schema', 'not defined', metadata[unknown])
  return undefined
}

function describeProblem(name: string, problem: string, need: string, value: unknown): string {
  const actual = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return `${name}: ${problem}, property is ${need} (actual value is '${actual}')`
}
