// Metadata schemas: read with an application's keys, managed with the management keys.
// Source: docs/service/projects.md#metadata-schemas.
import type { z } from 'zod'
import { withoutUndefined } from '../../base/record.ts'
import type { MetadataProperty } from '../../contract/metadata-property.ts'
import * as contract from '../../contract/metadata-schemas.ts'
import { findOr404, routesFor } from '../answers/existing.ts'
import { identityOf, requestOf } from '../http/fixture-object.ts'
import { duplicate, invalidPayload } from '../http/refusal.ts'
import { type Resource, route, wholeList } from '../http/route.ts'
import { checkDefinitions } from '../resources/metadata/check.ts'
import { storeUpdate } from '../resources/update.ts'
import { metadataSchemas, type StoredMetadataSchema } from '../stores/schemas.ts'

const routeFor = routesFor('metadataSchemaId', (id, context) => findOr404(metadataSchemas, id, context))

/** Metadata schemas, by id or kind of object. */
export const metadataSchemaResource: Resource = {
  collections: [metadataSchemas],
  load: {
    metadata_schemas: (wire, loading) => ({
      ...schemaOf(requestOf(contract.newMetadataSchema, wire)),
      ...identityOf(metadataSchemas, wire, loading),
    }),
  },
  routes: [
    route(contract.listMetadataSchemas, (_, context) => wholeList(context.in(metadataSchemas).all(), 'schemas')),
    // ASSUMED A141: a kind of object without a schema is a 404.
    route(contract.getMetadataSchema, ({ path }, context) => findOr404(metadataSchemas, path.resource, context)),
    route(contract.listProjectMetadataSchemas, (_, context) => wholeList(context.in(metadataSchemas).all())),
    routeFor(contract.getProjectMetadataSchema, (schema) => schema),
    route(contract.createMetadataSchema, ({ body }, context) => {
      if (context.in(metadataSchemas).holdsKey(body.related_object))
        throw duplicate('metadata_schema', body.related_object, 'name')
      const identity = { id: context.id(metadataSchemas.prefix), created_at: context.now, updated_at: null }
      return context.in(metadataSchemas).insert({ ...identity, ...schemaOf(body) })
    }),
    routeFor(contract.updateMetadataSchema, (before, context, { body }) => {
      const properties = mergedProperties(before.properties, body.properties ?? {})
      const asked = { ...before, ...withoutUndefined(body), properties }
      return storeUpdate(metadataSchemas, before, { ...before, ...schemaOf(asked) }, context).doc
    }),
    routeFor(contract.deleteMetadataSchema, (schema, context) => context.in(metadataSchemas).remove(schema.id)),
  ],
}

type Given = z.output<typeof contract.newMetadataSchema>

function schemaOf(body: Given): Omit<StoredMetadataSchema, 'id' | 'created_at' | 'updated_at'> {
  const { related_object, allow_defined_only = false, properties = {} } = body
  checkDefinitions(properties, '.properties')
  return { related_object, allow_defined_only, properties, object: 'metadata_schema' }
}

/** Replaces the definitions that an update names and keeps the others. Throws 400 where the type of one would change. */
function mergedProperties(
  before: Readonly<Record<string, MetadataProperty>>,
  given: Readonly<Record<string, MetadataProperty>>,
): Record<string, MetadataProperty> {
  for (const [name, { type }] of Object.entries(given)) {
    const known = Object.hasOwn(before, name) ? before[name] : undefined
    // ASSUMED A142: the wording of this refusal; only that a type cannot change is published.
    if (known && known.type !== type)
      throw invalidPayload(`Property .properties.${name}.type cannot change from ${known.type} to ${type}`)
  }
  return { ...before, ...given }
}
