// The project that a management call is about: it stands in the address.
import { Flags } from '@oclif/core'
import { EXIT, PromoError } from '../../errors.ts'
import type { Resolved } from '../../profiles/resolve.ts'

/** The flag that names the project of a management call. */
export const projectFlag = {
  project: Flags.string({
    description: "the id of the project, instead of the profile's",
    helpGroup: 'SERVICE',
    helpValue: 'ID',
  }),
}

/** Gives the project: the flag's, else the profile's. Throws `config` (exit 4) when there is neither. */
export function projectOf(
  { project }: { project?: string | undefined },
  { name, projectId }: Pick<Resolved, 'name' | 'projectId'>,
): string {
  const id = project ?? projectId
  if (id !== undefined) return id
  throw new PromoError('config', EXIT.auth, `this call is about a project, and profile "${name}" names none`, {
    hint: 'add --project ID, or set PROMO_PROJECT_ID',
  })
}
