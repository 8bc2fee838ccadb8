// Whether the requests of a resumed job go to the project that it was made for.
import { isAbsolute } from 'node:path'
import { shellWord } from '../../base/shell-word.ts'
import type { JobHeader } from '../../bulk/journal/job.ts'
import type { Repeat } from '../../contract/endpoint.ts'
import { PromoError } from '../../errors.ts'
import { countsTwice } from './repeat-policy.ts'

/** Where the requests of a run go. */
export interface ReachedProject {
  /** Fingerprints of service and project, the one to record first (session/connect.ts). */
  projects: readonly string[]
  /** Absent where the profile does not know it. */
  projectId?: string
  /** Scheme and host, for people. */
  origin: string
}

/** How a user can say that it is the same project, where neither ids nor keys can. */
export interface ProjectConsent {
  /** The question is put only where nothing else can answer it. */
  isSame: (question: string) => Promise<boolean>
  /** The command line may say --restart. */
  canRestart: boolean
}

/**
 * Throws `journal` (exit 9) when the requests would go to another project than those of the job did, or to one that nobody
 * says is the same. Returns whether only the user could say so.
 */
export async function mustBeOfProject(
  header: JobHeader & { name?: string },
  to: ReachedProject,
  { isSame, canRestart }: ProjectConsent,
): Promise<boolean> {
  if (to.projects.includes(header.project)) return false
  const { id, profile, project_id, origin } = header
  const mayRestart = canRestart && !countsTwice(header.repeat as Repeat)
  const isKnown = origin !== to.origin || (project_id !== undefined && to.projectId !== undefined)
  if (isKnown) {
    const made = project_id === undefined ? origin : `${project_id}, ${origin}`
    const now = to.projectId === undefined ? to.origin : `${to.projectId}, ${to.origin}`
    throw jobMismatch(header, `it was made for another project (${made}); profile "${profile}" now leads to ${now}`)
  }
  if (await isSame(`job ${id} was begun with another key. Does profile "${profile}" still lead to the same project?`))
    return true
  const why = `it was begun with another key, and whether profile "${profile}" still leads to its project is unknown`
  const hint = `add --same-project if it does${mayRestart ? ', or --restart to start over' : ''}`
  throw jobMismatch(header, why, { hint })
}

/**
 * Returns the error for a job that does not fit the command, the input or the profile: exit 9, nothing was sent.
 *
 * It names both ways out: to resume the job, and to give it up. `name` is what the user calls the job.
 */
export function jobMismatch(
  { id, name = id }: Pick<JobHeader, 'id'> & { name?: string },
  why: string,
  { hint }: { hint?: string } = {},
): PromoError {
  const job = shellWord(name)
  const ways = `put that right and run promo jobs resume ${job}, or give it up: promo jobs discard ${job}`
  return new PromoError('journal', `job ${id} cannot be resumed: ${why}; nothing was sent`, { hint: hint ?? ways })
}

/** Returns the error for a job whose input is another by now. The journal has its rows, and they are all that is left to send. */
export function changedInput(
  header: JobHeader & { name: string },
  shown: string,
  /** Nothing is left to send: only its folder is taken. */
  isOver = false,
): PromoError {
  const job = shellWord(header.name)
  if (isOver) {
    return new PromoError(
      'journal',
      `the folder has the finished job ${header.id} of another ${shown}; nothing was sent`,
      {
        hint: `take another folder for --journal, or give that job up: promo jobs discard ${job}`,
      },
    )
  }
  // A pipe is not compared when its job is resumed.
  const moved = isAbsolute(header.input) ? 'give the file another name, and ' : ''
  const hint = `${moved}promo jobs resume ${job} sends the rows as they were; or give the job up: promo jobs discard ${job}`
  return jobMismatch(header, `${shown} has changed since the job began`, { hint })
}
