// Whether the service accepts the keys of a profile, asked with one read call.
import type { Client } from '../../../api/client.ts'
import { listProjects } from '../../../contract/projects.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import type { Resolved } from '../../../profiles/resolve.ts'

/** The calls that `acceptedKeys` may make. */
export const acceptedCalls = [listVouchers, listProjects]

/** Makes a read call with the application keys of a profile, or with its management keys if it has no others. */
export async function acceptedKeys(client: Client & { profile: Resolved }): Promise<'application' | 'management'> {
  const isSet = new Map(
    (await client.profile.credentialValues()).map(({ setting, value }) => [setting, value === 'set']),
  )
  if (!isSet.get('management_token') || isSet.get('app_token') || isSet.get('access_token')) {
    await client.call(listVouchers, { query: { limit: 1 } })
    return 'application'
  }
  await client.call(listProjects)
  return 'management'
}
