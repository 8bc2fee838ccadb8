// The metadata that each kind of object of a project may have.
import type { MetadataProperty } from '../../contract/metadata-property.ts'
import { collection, type Stored } from '../storage/collection.ts'

export interface StoredMetadataSchema extends Stored {
  /** A kind of object of the service, such as `voucher`, or the name of a custom schema that properties refer to. */
  related_object: string
  allow_defined_only: boolean
  properties: Record<string, MetadataProperty>
  updated_at: string | null
  object: 'metadata_schema'
}

/** Metadata schemas, by id or the kind of object. */
export const metadataSchemas = collection<StoredMetadataSchema>('metadata_schemas', 'metadata_schema', 'ms_', {
  cached: true,
  key: 'related_object',
})

// The custom events of a project, with the metadata each carries.

export interface StoredEventSchema extends Stored {
  name: string
  schema: { properties: Record<string, MetadataProperty> }
  updated_at: string | null
  object: 'custom-event-schema'
}

/** Custom event schemas, by id or name. */
export const eventSchemas = collection<StoredEventSchema>('event_schemas', 'custom_event_schema', 'ms_', {
  key: 'name',
})
