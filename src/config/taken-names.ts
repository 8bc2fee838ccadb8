// Names that new objects could not have: what lies in the trash bin keeps its name taken. Source: docs/service/projects.md#trash-bin.

import type { Client } from '../api/client.ts'
import { shellWord } from '../base/shell-word.ts'
import { listBinEntries } from '../contract/trash-bin.ts'
import { EXIT, PromoError } from '../errors.ts'
import type { Divergence } from './compare.ts'

/**
 * Looks for the names of new objects in the trash bin, which is read only where something of its kinds would be created. Returns what it
 * says, as sentences.
 *
 * Keys that may not read it lead to a notice. Throws `CallError`.
 */
export async function takenNames(client: Client, divergences: readonly Divergence[]) {
  const taken = { problems: [] as string[], notices: [] as string[] }
  const created = divergences.filter(({ state, file }) => state === 'create' && file?.kind.binned !== undefined)
  const byKind = Map.groupBy(created, ({ file }) => file?.kind.binned as string)
  for (const [type, ours] of byKind) {
    const filters = { resource_type: { conditions: { $is: [type] } } }
    try {
      for await (const entry of client.items(listBinEntries, { query: { filters } })) {
        const [id, name] = [String(entry.id), String(entry.resource_name)]
        for (const { address, file } of ours) {
          const bin = `the trash bin (${id}); free it with: promo api DELETE ${shellWord(`/v1/trash-bin/${id}`)}`
          // The bin names a product by its name, and what is taken is its source id.
          if (type === 'product') {
            if ([file?.name, file?.members.get('name')].includes(name)) {
              taken.notices.push(`${address}: its source id may be taken by "${name}" in ${bin}`)
            }
          } else if (file?.name === name) {
            taken.problems.push(`${address}: the name "${name}" is taken by a ${type} in ${bin}`)
          }
        }
      }
    } catch (error) {
      if (!(error instanceof PromoError) || error.exitCode !== EXIT.auth) throw error
      taken.notices.push(`the trash bin cannot be read with these keys: a ${type} in it may have the name of a new one`)
    }
  }
  return taken
}
