// Keys are generated at random for each data file and kept in it; there is no default pair to forget about.
// A user may give a sandbox keys, so that a test suite has them in its fixtures.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { IdSource } from '../../id.ts'
import type { Keys } from '../../in-code-types.ts'
import { SandboxError } from '../../sandbox-error.ts'
import type { Store } from '../../storage/store.ts'
import { installation, type ManagementKeys, mainProject, type Project, projects } from '../../stores/projects.ts'

/** 128 random bits that look like the service's keys: 8-4-4-4-12 hex digits. A version-4 UUID would have 122. */
function randomKey(): string {
  return randomBytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Creates and stores a project with its own keys and default settings. */
export function addProject(store: Store, name: string, id: IdSource, now: string): Project {
  return store.in(projects, installation).insert({
    id: id(projects.prefix),
    name,
    app_id: randomKey(),
    app_token: randomKey(),
    client_app_id: randomKey(),
    client_token: randomKey(),
    webhook_secret: randomBytes(32).toString('hex'),
    timezone: 'UTC',
    created_at: now,
    updated_at: null,
  })
}

/**
 * Reads the credentials of the main project, which is created on first use together with the management keys.
 *
 * Inside the caller's transaction, so that two processes that open a new file agree on one project.
 */
export function credentialsOf(store: Store, id: IdSource, now: string): Keys {
  let project = mainProject(store)
  if (!project) {
    project = addProject(store, 'Sandbox', id, now)
    store.setFact('main_project', project.id)
    store.setFact('management_keys', { management_id: randomKey(), management_token: randomKey() })
  }
  const { app_id, app_token, client_app_id, client_token, webhook_secret } = project
  const { management_id, management_token } = store.fact<ManagementKeys>('management_keys') as ManagementKeys
  return {
    project_id: project.id,
    app_id,
    app_token,
    management_id,
    management_token,
    client_app_id,
    client_token,
    webhook_secret,
  }
}

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
