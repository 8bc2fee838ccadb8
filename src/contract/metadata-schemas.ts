// Metadata schemas: which metadata a kind of object may carry. Source: docs/service/projects.md#metadata-schemas.
import { z } from 'zod'
import { callsAbout, listing } from './calls-about.ts'

/** A schema to store. With `allow_defined_only`, undefined keys are refused. */
export const newMetadataSchema = z.strictObject({
  related_object: z.string().min(1),
  allow_defined_only: z.boolean().optional(),
  properties: z.record(z.string(), z.looseObject({ type: z.string() })).optional(),
})

/** A schema as the service returns it. */
export const metadataSchema = z.looseObject({ id: z.string(), related_object: z.string().optional() })

const projectless = callsAbout('metadata-schemas', '/v1/metadata-schemas/{resource}', {
  response: metadataSchema,
  source: 'docs/service/projects.md#metadata-schemas',
})

/** Lists all metadata schemas of the key's project. */
export const listMetadataSchemas = projectless.list(listing, 'List metadata schemas')

/** Reads the schema of one kind of object, such as `voucher`. */
export const getMetadataSchema = projectless.get('Get the metadata schema of a kind of object')

const calls = callsAbout(
  'project-metadata-schemas',
  '/management/v1/projects/{projectId}/metadata-schemas/{metadataSchemaId}',
  {
    credential: 'management',
    response: metadataSchema,
    source: 'docs/service/projects.md#metadata-schemas',
  },
)

export const listProjectMetadataSchemas = calls.list(listing, 'List the metadata schemas of a project')

/** Creates the schema of a kind of object. Refused when it exists. */
export const createMetadataSchema = calls.create(
  newMetadataSchema,
  { repeat: 'key', proof: { by: 'list', read: { call: () => listProjectMetadataSchemas } } },
  'Create a metadata schema',
)

/** Reads one metadata schema of a project, by id. */
export const getProjectMetadataSchema = calls.get('Get a metadata schema')

/** Changes the definitions that are named; one with `deleted: true` is no longer followed. */
export const updateMetadataSchema = calls.update(
  newMetadataSchema.omit({ related_object: true }),
  'Update a metadata schema',
)

export const deleteMetadataSchema = calls.delete('Delete a metadata schema')
