// What proves a publication after its answer was lost: one with its source id, which no other publication may have.
import type { Client } from '../../../api/client.ts'
import { listPublications } from '../../../contract/publications.ts'
import type { AppliedProof, Found } from '../../request/proof.ts'

/** Returns how a publication is recognized; undefined without a source id, where a lost answer leaves the outcome unknown. */
export function publicationProof(sourceId: unknown): AppliedProof | undefined {
  if (typeof sourceId !== 'string' || sourceId === '') return undefined

  async function found(client: Client): Promise<Found | undefined> {
    const query = { source_id: sourceId as string, result: 'SUCCESS' }
    for await (const value of client.items(listPublications, { query }, { limit: 1, pageSize: 1 })) return { value }
    return undefined
  }
  return {
    evidence: sourceId,
    // One that was there before proves nothing.
    before: async (client) => ((await found(client)) ? undefined : 'none'),
    find: found,
  }
}
