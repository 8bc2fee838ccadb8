// The demo project as it is stored: loaded object by object, its thousand vouchers were most of what the start of a sandbox
// cost. The bundle holds what this module exports, not how it is made (bin/quick-start.ts), so it exports data alone.

import { collectionsOf } from '../../http/route.ts'
import { timeOrderedIds } from '../../id.ts'
import { credentialsOf } from '../../resources/projects/credentials.ts'
import { resources } from '../../resources.ts'
import type { Declaration } from '../../storage/collection.ts'
import { openStore, type Store } from '../../storage/store.ts'
import { mainProject, type Project } from '../../stores/projects.ts'
import { loadFixture } from '../fixture.ts'
import { demoFixture } from './demo.ts'

/** A project without its own record: what `putStored` (data-file.ts) puts into another one. */
export interface StoredProject {
  /** The documents of each collection, oldest first, as the text of a JSON array. */
  collections: Readonly<Record<string, string>>
  /** Work that is due at an instant, in milliseconds since 1970. */
  jobs: ReadonlyArray<{ kind: string; payload: unknown; dueMs: number }>
}

/** Every member of the demo project has an id and its times, so it is the same whenever it is made. */
export const storedDemo: StoredProject = asStored(demoFixture())

function asStored(fixture: unknown): StoredProject {
  const store = openStore(':memory:', collectionsOf(resources))
  const id = timeOrderedIds(
    () => 0,
    () => 0,
  )
  const now = new Date(0).toISOString()
  const orders = new Map<Declaration, string[]>()
  const jobs: Array<StoredProject['jobs'][number]> = []
  const watched: Store = {
    ...store,
    in: (declared, projectId) => {
      const table = store.in(declared, projectId)
      const order = orders.get(declared) ?? []
      orders.set(declared, order)
      const insert: typeof table.insert = (doc) => {
        order.push(doc.id)
        return table.insert(doc)
      }
      return { ...table, insert }
    },
    jobs: { ...store.jobs, add: ({ kind, payload }, dueMs) => void jobs.push({ kind, payload, dueMs }) },
  }
  try {
    store.transaction(() => credentialsOf(store, id, now))
    const project = mainProject(store) as Project
    loadFixture(watched, fixture, { resources, project, now, id })
    // Not as they were inserted: what comes later changes some, such as the points of a card.
    const filled = [...orders].filter(([, ids]) => ids.length > 0)
    const texts = filled.map(([declared, ids]) => {
      const table = store.in(declared, project.id)
      return [declared.name, JSON.stringify(ids.map(table.get))]
    })
    return { collections: Object.fromEntries(texts), jobs }
  } finally {
    store.close()
  }
}
