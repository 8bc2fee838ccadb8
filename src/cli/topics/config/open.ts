// A folder of files and the project of a profile, both read: what diff, plan and pull begin with.
import { resolve } from 'node:path'
import type { Client } from '../../../api/client.ts'
import { type Folder, mustBeValid, readFolder, wantedOf } from '../../../config/folder.ts'
import { fileKinds } from '../../../config/kinds.ts'
import { type Identified, identified, type Read, readProject } from '../../../config/project.ts'
import { type Records, readRecords } from '../../../config/records.ts'
import { EXIT, PromoError } from '../../../errors.ts'
import type { Resolved } from '../../../profiles/resolve.ts'
import type { Messages } from '../../result/messages.ts'
import type { Host } from '../../run/host.ts'
import { projectOf } from '../../session/project.ts'

/** A folder and the project it is compared with. */
export interface OpenProject {
  root: string
  projectId: string
  folder: Folder
  records: Records
  read: Read
  project: Identified
  /** The kinds that were read. */
  managed: readonly string[]
  whole: readonly string[]
}

/** What the commands of this topic are run with. */
export interface Surrounding {
  client: Client & { profile: Resolved }
  host: Host
  messages: Messages
}

/**
 * Reads a folder and the project of the profile. `only` names the kinds; absent: those that the folder manages.
 *
 * Throws `input` (exit 2) for files that cannot be used, and `config` where the profile names no project.
 */
export async function openProject(
  dir: string,
  { client, host, messages }: Surrounding,
  { only, isNew = false }: { only?: readonly string[] | undefined; isNew?: boolean } = {},
): Promise<OpenProject> {
  const root = resolve(dir)
  const { profile } = client
  const projectId = projectOf({}, profile)
  const folder = await readFolder(root, { profile: profile.name, projectId, env: host.env })
  if (!isNew) mustBeProject(folder, dir)
  mustBeValid(folder, { isPulled: isNew })
  const records = readRecords(root, projectId)
  const managed = only ?? folder.kinds ?? fileKinds
  const whole = [...new Set([...folder.whole, ...(only ?? []).filter((kind) => kind === 'products')])]
  const wanted = wantedOf(folder, records.ids)
  const read = await readProject(client, projectId, { managed, whole, wanted })
  for (const kind of read.unreadable) {
    messages.warn(`${kind} cannot be read with the keys of profile "${profile.name}", which has no management keys`)
  }
  const project = identified(read, folder.objects, records.ids)
  return { root, projectId, folder, records, read, project, managed, whole }
}

/** Throws `input` (exit 2) for a folder that no pull made. */
export function mustBeProject({ kinds }: Folder, dir: string): void {
  if (kinds !== undefined) return
  throw new PromoError('input', EXIT.usage, `"${dir}" is not a project as files: it has no promo.yaml`, {
    hint: `promo config pull ${dir}`,
  })
}
