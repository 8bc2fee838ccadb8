// A folder of files and the project of a profile, both read: what diff, plan and pull begin with.
import { resolve } from 'node:path'
import type { Client } from '../../../api/client.ts'
import { compareWith } from '../../../config/compare.ts'
import { doubtsIn, type Folder, mustBeValid, readFolder, wantedOf } from '../../../config/folder.ts'
import { unchangeable } from '../../../config/plan.ts'
import { type Identified, identify, type Read, readProject } from '../../../config/project.ts'
import { type Records, readRecords } from '../../../config/records.ts'
import { usageError } from '../../../errors.ts'
import { fileKinds } from '../../../model/kinds.ts'
import type { Resolved } from '../../../profiles/resolve.ts'
import type { Messages } from '../../result/messages.ts'
import type { Keeper } from '../../run/host.ts'
import { projectOf } from '../../session/project.ts'
import { notAProject } from './declared.ts'

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

/** How a folder is opened. */
interface Opening {
  /** The kinds to read; absent: those that the folder manages. */
  only?: readonly string[] | undefined
  /** Every kind is read, whatever the folder manages. */
  isWhole?: boolean
  /** A pull may make the folder. */
  isNew?: boolean
  /** Addresses of objects in place of which new ones are made. */
  replaced?: readonly string[] | undefined
}

/** What the commands of this topic are run with. */
export interface Surrounding {
  client: Client & { profile: Resolved }
  host: Keeper
  messages: Messages
}

/**
 * Reads a folder and the project of the profile.
 *
 * Throws `input` (exit 2) for files that cannot be used, and `config` where the profile names no project.
 */
export async function openProject(
  dir: string,
  { client, host, messages }: Surrounding,
  { only, isNew = false, isWhole = false, replaced = [] }: Opening = {},
): Promise<OpenProject> {
  const root = resolve(dir)
  const { profile } = client
  const projectId = projectOf(undefined, profile)
  const folder = await readFolder(root, { profile: profile.name, projectId, env: host.env, stop: host.stop })
  if (!isNew) mustBeProject(folder, dir)
  mustBeValid(folder, { isPulled: isNew })
  for (const line of doubtsIn(folder)) messages.say(line)
  const records = readRecords(root, projectId)
  const managed = only ?? (isWhole ? undefined : folder.kinds) ?? fileKinds
  const whole = [...new Set([...folder.whole, ...(only ?? []).filter((kind) => kind === 'products')])]
  const wanted = wantedOf(folder, records.ids)
  const read = await readProject(client, projectId, { managed, whole, wanted })
  for (const kind of read.unreadable) {
    messages.warn(`${kind} cannot be read with the keys of profile "${profile.name}", which has no management keys`)
  }
  const first = identify(read, folder.objects, records.ids)
  const project = replaced.length === 0 ? first : withReplaced(first, read, folder, records.ids, replaced)
  return { root, projectId, folder, records, read, project, managed, whole }
}

/**
 * Finds the addresses of a project in which new objects take the place of some: of those that cannot be made what the files say.
 *
 * Throws `usage` for an address that the files or the project do not have.
 */
function withReplaced(
  first: Identified,
  read: Read,
  folder: Folder,
  ids: ReadonlyMap<string, string>,
  wanted: readonly string[],
): Identified {
  const known = new Map(ids)
  for (const address of wanted) {
    const id = first.objects.get(address)?.id
    if (id === undefined || !folder.objects.has(address)) {
      const side = folder.objects.has(address) ? 'the project has' : 'the files have'
      throw usageError(
        `--replace names "${address}", and ${side} no such object; one is named like rules/orders-above-20`,
      )
    }
    known.set(address, id)
  }
  // What can be changed is changed: a second apply makes no third object.
  const stuck = compareWith(folder, first).flatMap(({ address, object, differences }) =>
    object && wanted.includes(address) && unchangeable(object.kind, differences).length > 0 ? [address] : [],
  )
  return identify(read, folder.objects, known, stuck)
}

/** Throws `input` (exit 2) for a folder that no pull made. */
export function mustBeProject({ kinds }: Folder, dir: string): void {
  if (kinds !== undefined) return
  throw notAProject(dir)
}
