// The project of a profile, asked of the service where the management keys allow it.
import type { Client } from '../../../api/client.ts'
import { listed, mostNamed } from '../../../base/listed.ts'
import { isTimeZone } from '../../../base/time/time-zone.ts'
import { listProjects } from '../../../contract/projects.ts'
import { PromoError } from '../../../errors.ts'

/**
 * Asks the service which project the management keys belong to: the only one of the organisation.
 *
 * Undefined with the reason when the service names several, or does not answer; a profile is stored all the same.
 */
export async function projectOfKeys(client: Client): Promise<{ id: string; timezone?: string } | { unknown: string }> {
  try {
    const found: { id: string; timezone?: string }[] = []
    for await (const { id, timezone } of client.items(listProjects)) {
      if (typeof id === 'string') found.push({ id, ...(isTimeZone(timezone) && { timezone: timezone as string }) })
    }
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    const ids = found.map(({ id }) => id)
    return {
      unknown:
        ids.length === 0
          ? 'the service names no project'
          : `the keys open ${ids.length} projects: ${listed(ids, mostNamed)}`,
    }
  } catch (error) {
    if (!(error instanceof PromoError)) throw error
    return { unknown: error.message }
  }
}
