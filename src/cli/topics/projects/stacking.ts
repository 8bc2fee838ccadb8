// The stacking rules of a project: there are those of its own, or the defaults of the service.
import type { Client } from '../../../api/client.ts'
import { listStackingRules } from '../../../contract/stacking-rules.ts'

/** Reads the rules of a project; the defaults, while they apply, have no id. */
export async function rulesOfProject(client: Client, projectId: string): Promise<{ id?: string } | undefined> {
  for await (const item of client.items(listStackingRules, { path: { projectId } })) return item
  return undefined
}
