// Which project a run writes to, as a sum: a job must never be continued in another one.

import type { Credentials } from '../../api/connection.ts'
import { sumOfJson } from '../../bulk/journal/input-checksum.ts'
import type { Resolved } from '../../profiles/resolve.ts'

/**
 * Gives the SHA-256 over the service and the project of a profile.
 *
 * ASSUMED A534: where no project id is known the id of the key stands for it. Another key may belong to another project, so a
 * job whose key was changed is not continued. Nothing secret goes into it.
 */
export function projectSum(profile: Pick<Resolved, 'isSandbox' | 'origin' | 'projectId'>, keys: Credentials): string {
  // The sandbox chooses its port at every start.
  const service = profile.isSandbox ? 'sandbox' : profile.origin
  const project = profile.projectId ?? keys.application?.id ?? keys.management?.id ?? keys.client?.id ?? ''
  return sumOfJson([service, project])
}
