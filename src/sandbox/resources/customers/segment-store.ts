// Segments: customers listed explicitly.
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredSegment extends Stored {
  name: string
  type: 'static'
  /** Ids of customers, each once. */
  customers: string[]
  filter: null
  updated_at: string | null
  object: 'segment'
}

/** Segments, by id. */
export const segments = collection<StoredSegment>({
  name: 'segments',
  prefix: 'seg_',
  type: 'segment',
})
