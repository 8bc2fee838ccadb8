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

/** Returns the project of the flag, else of the profile. Throws `config` (exit 4) when there is neither. */
export function projectOf(
  { project }: { project?: string | undefined },
  { name, source, projectId }: Pick<Resolved, 'name' | 'source' | 'projectId'>,
): string {
  const id = project ?? projectId
  if (id !== undefined) return id
  throw new PromoError('config', `this call needs a project, and profile "${name}" names none`, {
    hint:
      source === 'environment'
        ? 'add --project ID, or set PROMO_PROJECT_ID'
        : `add --project ID, or keep it: promo profiles update ${name} --project-id ID`,
  })
}
