// The custom events of a project, with the metadata each carries.
import type { MetadataProperty } from '../../contract/metadata-property.ts'
import { collection, type Stored } from '../storage/collection.ts'

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
