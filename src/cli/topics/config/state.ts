// What promo keeps about plans and projects on this computer, and the lock of a project while it is applied.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathBelow } from '../../../base/files/path-below.ts'
import type { Lock } from '../../../base/lock.ts'
import { stateFolder } from '../../../profiles/folders.ts'
import { lockFor } from '../../bulk/job-place.ts'
import type { Keeper } from '../../run/host.ts'

/** The folder of plans and locks. */
export function configState(host: Keeper): string {
  return join(stateFolder(host), 'config')
}

/** Takes the lock of a project. Throws `held` (exit 8) while it is applied. */
export async function lockProject(projectId: string, host: Keeper): Promise<Lock> {
  return await lockFor(lockPath(projectId, host), host, `the apply to project ${projectId}`)
}

/** Does something while no project that a folder records ids of is applied. Throws `held` (exit 8). */
export async function whileNoneApplies<Result>(
  root: string,
  host: Keeper,
  act: () => Promise<Result>,
): Promise<Result> {
  const locks: Lock[] = []
  const ids = join(root, '.promo', 'ids')
  const projects = (existsSync(ids) ? readdirSync(ids) : []).flatMap((name) => /^([\w-]+)\.json$/.exec(name)?.[1] ?? [])
  try {
    // What was never applied on this computer has no lock.
    for (const id of projects) if (existsSync(lockPath(id, host))) locks.push(await lockProject(id, host))
    return await act()
  } finally {
    for (const lock of locks) lock.release()
  }
}

function lockPath(projectId: string, host: Keeper): string {
  return pathBelow(configState(host), `${projectId}.lock`)
}
