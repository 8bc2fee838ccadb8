// Where the jobs of this computer lie.
import { join } from 'node:path'
import { folders } from '../../profiles/folders.ts'
import type { Host } from '../run/host.ts'

/** The folder of the jobs in the state folder. */
export function jobsFolder(host: Host): string {
  return join(folders(host.env, host.platform, host.home).state, 'jobs')
}
