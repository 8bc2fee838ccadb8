// Keys that a user gives a sandbox, so that a test suite has them in its fixtures.
import { z } from 'zod'
import type { Keys } from '../../in-code-types.ts'
import { SandboxError } from '../../sandbox-error.ts'
import type { Store } from '../../storage/store.ts'
import { installation, type ManagementKeys, mainProject, type Project, projects } from './store.ts'

/** Keys by name; those that are not given stay as they are, or are generated. */
export type GivenKeys = Partial<Keys>

const key = z.string().regex(/^[\x21-\x7e]{8,128}$/)
const form = z.strictObject({
  project_id: z.string().regex(/^[\w-]{1,64}$/),
  app_id: key,
  app_token: key,
  client_app_id: key,
  client_token: key,
  management_id: key,
  management_token: key,
  webhook_secret: key,
} satisfies Record<keyof Keys, z.ZodType>)

const pairs = [
  ['app_id', 'app_token'],
  ['client_app_id', 'client_token'],
  ['management_id', 'management_token'],
] as const

/** Checks keys that come from outside. Throws SandboxError `bad-option`, which shows none of them. */
export function givenKeys(given: unknown): GivenKeys {
  const checked = form.partial().safeParse(given)
  if (!checked.success) throw badKeys(problemOf(checked.error.issues[0]))
  const keys = checked.data as GivenKeys
  const names = Object.keys(keys) as (keyof GivenKeys)[]
  if (names.length === 0) throw badKeys('there is none')
  for (const [one, other] of pairs)
    if ((keys[one] === undefined) !== (keys[other] === undefined)) throw badKeys(`${one} and ${other} go together`)
  for (const [at, name] of names.entries()) {
    const same = names.slice(0, at).find((earlier) => keys[earlier] === keys[name])
    if (same !== undefined) throw badKeys(`${same} and ${name} are equal`)
  }
  return keys
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `"${issue.keys[0]}" is not the name of a key`
  const name = issue?.path[0]
  if (name === undefined) return 'they must be one JSON object'
  if (name === 'project_id') return 'project_id must have 1 to 64 letters, digits, - and _'
  return `${String(name)} must have 8 to 128 characters that can be seen, without spaces`
}

/** Puts keys into the main project, in the transaction of the caller. Throws SandboxError `bad-option`. */
export function setKeys(store: Store, keys: GivenKeys): void {
  const project = mainProject(store) as Project
  const { project_id, management_id, management_token, ...own } = keys
  if (project_id !== undefined && project_id !== project.id)
    throw badKeys(`project_id is another than that of the data file, ${project.id}`)
  const others = store
    .in(projects, installation)
    .all()
    .filter(({ id }) => id !== project.id)
  for (const name of ['app_id', 'client_app_id'] as const)
    if (own[name] !== undefined && others.some((other) => other[name] === own[name]))
      throw badKeys(`${name} is that of another project of the data file`)
  store.in(projects, installation).update({ ...project, ...own })
  if (management_id !== undefined && management_token !== undefined)
    store.setFact('management_keys', { management_id, management_token } satisfies ManagementKeys)
}

function badKeys(problem: string): SandboxError {
  return new SandboxError('bad-option', `the keys cannot be used: ${problem}`, {
    hint: 'write them like {"app_id": "…", "app_token": "…"}; docs/sandbox-for-tests.md lists their names',
  })
}
