// Where the copy of a project is, and opening it: in the state folder, or the file of --data.
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { sleep } from '../../../api/connection.ts'
import { ownRules, refuseExposedFolder } from '../../../base/files/privacy.ts'
import { type Lock, tryLock } from '../../../base/lock.ts'
import { jsonChecksum } from '../../../bulk/input/input-checksum.ts'
import { PromoError, usageError } from '../../../errors.ts'
import { type Copy, copyWords, openCopy } from '../../../ledger/copy.ts'
import { stateFolder } from '../../../profiles/folders.ts'
import type { Resolved } from '../../../profiles/resolve.ts'
import { bringing, usesCopy } from '../../exits.ts'
import { serviceFlags } from '../../flags/flags.ts'
import { textFlag } from '../../flags/kinds.ts'
import type { Home, Host } from '../../run/host.ts'
import type { Run } from '../../session/run.ts'

/** The flag that names the copy. */
export const dataFlag = {
  data: bringing(usesCopy, textFlag('the file of the copy (default: one per project, in the state folder)', 'FILE')),
}

/** The flags of a command that reads the copy. */
export const copyFlags = {
  profile: serviceFlags.profile,
  ...dataFlag,
}

type CopyFlags = { profile?: string | undefined; data?: string | undefined }

/** Returns the file of the copy of a profile's project. Throws `config` (exit 4) for a state folder that others can change. */
export function copyFileOf({ data }: CopyFlags, host: Home, profile: Resolved): string {
  if (data === ':memory:') throw usageError('a copy in memory would be lost at once', 'name a file: --data FILE')
  if (data !== undefined) return data
  const file = join(stateFolder(host), 'ledger', `${keyOf(profile)}.db`)
  refuseExposedFolder(dirname(file), ownRules(host.env))
  return file
}

/** A project without an id is known by its service and the name of the profile, whatever its keys are. */
function keyOf({ isSandbox, projectId, origin, name }: Resolved): string {
  if (isSandbox) return 'sandbox'
  const isPlain = projectId !== undefined && /^proj_\w+$/.test(projectId)
  return isPlain ? projectId : jsonChecksum([origin, projectId ?? `profile ${name}`]).slice(0, 24)
}

/** Returns the project of a profile as a copy records it. */
export function copiedProjectOf({ isSandbox, projectId, origin }: Resolved): {
  id: string | undefined
  service: string
} {
  return { id: projectId, service: isSandbox ? 'sandbox' : origin }
}

/** Opens the copy to read it; no service is asked. Throws as `openCopy`, and `config` (exit 4) where no profile is known. */
export async function openCopyToRead(
  flags: CopyFlags,
  { host, profile: resolveProfile }: Pick<Run, 'host' | 'profile'>,
): Promise<Copy> {
  // A file that is named needs no profile.
  if (flags.data !== undefined && flags.profile === undefined)
    return openCopy(flags.data, { named: copyWords(flags.data) })
  const profile = await resolveProfile()
  const named = `${copyWords(flags.data)} --profile ${profile.name}`
  return openCopy(copyFileOf(flags, host, profile), { project: copiedProjectOf(profile), named })
}

/**
 * Runs what writes to a copy. Where another process reads it, waits, says so, and runs it again: it must be atomic, or continue.
 *
 * Throws the reason when the run is told to stop.
 */
export async function whenUnread<T>(
  copy: Copy,
  host: Pick<Host, 'sleep' | 'stop'>,
  say: (text: string) => void,
  write: () => T | Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof PromoError && error.kind === 'held')) throw error
      say(`waiting until no other process uses the copy ${copy.file}`)
      while (copy.isBusy()) await (host.sleep ?? sleep)(lookMs, host.stop)
    }
  }
}

const lookMs = 250

/** Takes the lock of a copy, which one pull has at a time. Throws `held` (exit 8), `config` (exit 4) and `io` (exit 10). */
export async function lockCopy(file: string, host: Pick<Host, 'now'>): Promise<Lock> {
  const since = new Date(host.now()).toISOString()
  const lock = await tryLock(`${file}.lock`, { pid: process.pid, host: hostname(), since })
  if (lock.release) return lock
  const { heldBy } = lock
  const who =
    heldBy === undefined ? 'another process' : `process ${heldBy.pid} on ${heldBy.host}, started ${heldBy.since}`
  throw new PromoError('held', `the copy "${file}" is being written by ${who}`, {
    hint: 'wait until it ends',
    retryable: true,
  })
}
