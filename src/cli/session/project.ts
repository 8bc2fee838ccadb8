// The project of a management call, which is part of the URL.
import { Flags } from '@oclif/core'
import { PromoError } from '../../errors.ts'
import type { Resolved } from '../../profiles/resolve.ts'

/** The flag that names the project of a management call. */
export const projectFlag = {
  project: Flags.string({
    description: "the id of the project, instead of the profile's",
    helpGroup: 'SERVICE',
    helpValue: 'ID',
  }),
}

/** Where something that this computer recorded was done: `service` is `sandbox`, or scheme and host. */
interface Recorded {
  service?: unknown
  project?: unknown
  profile?: unknown
}

/**
 * Says whether something was done in the project that a profile leads to; its name alone says nothing, because a profile can be led
 * elsewhere. Where no project id is known, only what was done with the same profile counts.
 */
export function isOfProject(
  { service, project, profile }: Recorded,
  to: Pick<Resolved, 'name' | 'isSandbox' | 'origin' | 'projectId'>,
): boolean {
  if (to.isSandbox) return service === 'sandbox'
  if (service !== to.origin || (project ?? undefined) !== to.projectId) return false
  return to.projectId !== undefined || profile === to.name
}

/**
 * Returns the project of the flag, else of the profile; without flags, for a command that has no such flag, that of the profile.
 * Throws `config` (exit 4) when there is neither.
 */
export function projectOf(
  flags: { project?: string | undefined } | undefined,
  { name, source, projectId, keysOf }: Pick<Resolved, 'name' | 'source' | 'projectId' | 'keysOf'>,
): string {
  const id = flags?.project ?? projectId
  if (id !== undefined) return id
  const keep = `keep it: promo profiles update ${name} --project-id ID`
  const kept = source === 'environment' || keysOf !== undefined ? 'set PROMO_PROJECT_ID' : keep
  const why =
    keysOf === undefined
      ? `profile "${name}" names none`
      : `the keys are those of ${keysOf}: the project of profile "${name}" may be another`
  throw new PromoError('config', `this call needs a project, and ${why}`, {
    hint: flags === undefined ? kept : `add --project ID, or ${kept}`,
  })
}
