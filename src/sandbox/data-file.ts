// The data file of the sandbox: opening and filling it, reading its status, seeding and deleting it.
import { channel } from 'node:diagnostics_channel'
import { existsSync, lstatSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isHeldOpen } from '../base/files/held.ts'
import { identityOf } from '../base/files/identity.ts'
import { moveToFree, removeLeftovers, temporaryBeside } from '../base/files/temporary.ts'
import { shellWord } from '../base/shell-word.ts'
import { clockOf, type ServiceClock } from './clock.ts'
import { collectionsOf } from './http/route.ts'
import { type IdSource, secureRandom, timeOrderedIds } from './id.ts'
import type { Keys } from './in-code-types.ts'
import { credentialsOf, type GivenKeys, setKeys } from './resources/projects/credentials.ts'
import { resources } from './resources.ts'
import { SandboxError } from './sandbox-error.ts'
import { demoFixture } from './seed/demo/demo.ts'
import type { StoredProject } from './seed/demo/stored.ts'
import { loadFixture, type RefusedObject } from './seed/fixture.ts'
import { openDatabase, schemaVersion } from './storage/database.ts'
import { dataFiles, isDataFile, prepareFile } from './storage/file.ts'
import { type OpenServer, openServers, registerServer } from './storage/open-servers.ts'
import { openStore, type Store } from './storage/store.ts'
import { mainProject, type Project } from './stores/projects.ts'

/** Which file, and what a new one is filled with. */
export interface DataFileOptions {
  /** Path of the data file, created if it does not exist, or `:memory:`. */
  file: string
  /** Puts the demo project into a new file; an existing file is left as it is. */
  demo: boolean
  /** Loaded into a new file instead of the demo: an object as in docs/sandbox.md, Fixtures. */
  fixture?: unknown
  /** Drops members of the fixture that promo does not know, instead of refusing them. */
  allowUnknown?: boolean
  /** Replaces keys of the main project, and the management keys. */
  keys?: GivenKeys
  /** Stops the clock of a new file at this instant, in milliseconds since 1970, before it is filled. */
  beginsAtMs?: number
}

/** A data file opened for serving. */
export interface OpenDataFile {
  store: Store
  credentials: Keys
  /** This process's number among those that have the file open. */
  server: number
  clock: ServiceClock
}

/** Tells whoever listens in this process which file is opened next, after it was created. */
const opening = channel('promo.sandbox.open')

/**
 * Opens a data file, registers this process as one of its servers and, when the file is new, fills it; all or nothing.
 *
 * Throws SandboxError as openStore and loadFixture do.
 */
export async function openDataFile(
  options: DataFileOptions,
  computerMs: () => number,
  id: IdSource,
): Promise<OpenDataFile> {
  const { file } = options
  for (let attempt = 1; ; attempt += 1) {
    if (file !== ':memory:') prepareFile(file)
    opening.publish(file)
    const before = placeOf(file)
    const store = openStore(file, collectionsOf(resources))
    const clock = clockOf(store, computerMs)
    try {
      // A file that is new only now has been deleted since, and this attempt counts for nothing.
      const initialise = mainProject(store) === undefined ? await initialiserOf(options) : () => {}
      const made = store.transaction(() => {
        const since = new Date(computerMs()).toISOString()
        const server = registerServer(store.db, { pid: process.pid, url: '', since })
        const state = clock.state()
        // A server was killed while it advanced the clock.
        if (!state.runs && state.goes_on && openServers(store.db).length === 1) clock.set(state.at_ms, true)
        const isNew = mainProject(store) === undefined
        if (isNew && options.beginsAtMs !== undefined) clock.set(options.beginsAtMs, false)
        const { project_id } = options.keys ?? {}
        credentialsOf(store, project_id === undefined ? id : () => project_id, clock.now())
        if (options.keys) setKeys(store, options.keys)
        const credentials = credentialsOf(store, id, clock.now())
        if (isNew) initialise(store, clock.now(), id)
        return { server, credentials, clock }
      })
      // A reset may have deleted the file between opening and registration; this connection would write to a deleted file.
      if (before === placeOf(file)) return { store, ...made }
      if (attempt === 5) throw new SandboxError('file-access', `the sandbox file "${file}" keeps being deleted`)
    } catch (error) {
      store.close()
      throw error
    }
    store.close()
  }
}

/**
 * Returns what makes the beginning of a data file in an empty one: the project with the keys that it had, and what a new file is filled
 * with, by the clock of the options. It is called in a transaction.
 */
export async function fillingAgain(
  store: Store,
  options: DataFileOptions,
  { credentials, clock, id }: { credentials: Keys; clock: ServiceClock; id: IdSource },
): Promise<() => void> {
  const initialise = await initialiserOf(options)
  return () => {
    if (options.beginsAtMs !== undefined) clock.set(options.beginsAtMs, false)
    credentialsOf(store, () => credentials.project_id, clock.now())
    setKeys(store, credentials)
    initialise(store, clock.now(), id)
  }
}

/** Returns what fills a project that has just been made. The demo project is large, and loaded for this alone. */
async function initialiserOf({
  fixture,
  demo,
}: DataFileOptions): Promise<(store: Store, now: string, id: IdSource) => void> {
  if (fixture !== undefined)
    return (store, now, id) => {
      loadFixture(store, fixture, { resources, project: mainProject(store) as Project, now, id })
    }
  if (!demo) return () => {}
  const { storedDemo } = await import('./seed/demo/stored.ts')
  return (store) => putStored(store, storedDemo)
}

/** Puts what is stored of another project into the main one, which is empty. In the transaction of the caller. */
export function putStored(store: Store, { collections: documents, jobs }: StoredProject): void {
  const { id: project_id } = mainProject(store) as Project
  for (const declared of collectionsOf(resources)) {
    const texts = documents[declared.name]
    if (texts !== undefined) store.in(declared, project_id).insertAll(texts)
  }
  for (const { dueMs, ...job } of jobs) store.jobs.add({ ...job, project_id, request_id: '-', channel: 'API' }, dueMs)
}

/**
 * Loads a fixture (the demo project by default) into a data file, created if it does not exist: all of it or nothing.
 * Returns how many objects were added to each collection. A running server of the file sees them at once.
 *
 * Throws SandboxError `bad-fixture`, and those of opening the file.
 */
export async function seedSandbox(
  file: string,
  fixture?: unknown,
  { allowUnknown = false } = {},
): Promise<Record<string, number>> {
  await mustBeFixture({ fixture, allowUnknown })
  return loadInto(file, fixture ?? demoFixture())
}

function loadInto(file: string, fixture: unknown, more: { onRefused?: (one: RefusedObject) => void } = {}) {
  const id = timeOrderedIds(Date.now, secureRandom)
  return withStore(file, (store) =>
    store.transaction(() => {
      const now = clockOf(store, Date.now).now()
      credentialsOf(store, id, now)
      return loadFixture(store, fixture, { resources, project: mainProject(store) as Project, now, id, ...more })
    }),
  )
}

/** The outcome for the objects that a new file was made from. */
export interface FilledFile {
  /** How many objects each collection has. */
  counts: Record<string, number>
  refused: RefusedObject[]
}

/**
 * Makes a data file from the objects of a project elsewhere; what the service refuses is left out. The file appears at the end, complete.
 *
 * Throws SandboxError `bad-option` for a file that is there already, those of opening a file, and the reason of `stop`.
 */
export async function newDataFile(file: string, fixture: unknown, stop: AbortSignal): Promise<FilledFile> {
  mustBeFree(file)
  removeLeftovers(dirname(file))
  const temporary = temporaryBeside(file)
  const refused: RefusedObject[] = []
  try {
    const counts = loadInto(temporary, fixture, { onRefused: (one) => refused.push(one) })
    // A stop that came while it was filled takes effect now.
    await new Promise(setImmediate)
    stop.throwIfAborted()
    moveTo(file, temporary)
    return { counts, refused }
  } finally {
    for (const part of dataFiles(temporary)) rmSync(part, { force: true })
  }
}

/** Throws SandboxError `bad-option` where something has the name of a new file. */
export function mustBeFree(file: string): void {
  for (const part of dataFiles(file)) {
    if (lstatSync(part, { throwIfNoEntry: false }) === undefined) continue
    // Only of a sandbox is it known what deletes it.
    const isSandbox = part === file && lstatSync(file).isFile() && isDataFile(file)
    throw new SandboxError('bad-option', `"${part}" is there already; a copy is a new file`, {
      hint: `name another file${isSandbox ? `, or delete this one: promo sandbox reset --data ${shellWord(file)}` : ' with --data'}`,
    })
  }
}

/** Gives a complete file its name, and replaces none. */
function moveTo(file: string, temporary: string): void {
  try {
    moveToFree(temporary, file)
  } catch (error) {
    mustBeFree(file)
    throw error
  }
}

/** Throws SandboxError `bad-fixture` for the first member of a given fixture that promo does not know. */
export async function mustBeFixture({ fixture, allowUnknown }: Pick<DataFileOptions, 'fixture' | 'allowUnknown'>) {
  if (fixture === undefined || allowUnknown) return
  const [first, ...others] = await unknownInFixture(fixture)
  if (first === undefined) return
  const more = others.length > 0 ? `, and there are ${others.length} more` : ''
  throw new SandboxError('bad-fixture', `${first}${more}; nothing was loaded`, {
    hint: 'remove it, or load the rest with --allow-unknown',
  })
}

/** Returns each member of a fixture that would be dropped, as a sentence. */
export async function unknownInFixture(fixture: unknown): Promise<string[]> {
  return (await import('./seed/known-members.ts')).unknownMembers(fixture)
}

export interface SandboxStatus {
  file: string
  /** Includes what SQLite has not yet moved from its write-ahead log. */
  size_bytes: number
  schema_version: number
  created_at: string
  project_id: string
  /** Number of objects by collection, without those in the bin. */
  counts: Record<string, number>
  /** Live servers that have the file open. */
  held_by: OpenServer[]
}

/**
 * Reports what a data file holds, without starting a server.
 *
 * Throws SandboxError: `no-file`, and those of opening the file.
 */
export async function sandboxStatus(file: string): Promise<SandboxStatus> {
  mustExist(file)
  // Before it is opened, which writes to the log.
  const sizeBytes = sizeOf(file)
  return openDataFileBriefly(file, (store) => {
    const project = mainProject(store)
    const projectId = project?.id ?? ''
    const counts = collectionsOf(resources).filter((declared) => declared.name !== 'projects')
    return {
      file,
      size_bytes: sizeBytes,
      schema_version: schemaVersion,
      created_at: project?.created_at ?? '',
      project_id: projectId,
      counts: Object.fromEntries(counts.map((declared) => [declared.name, store.in(declared, projectId).count()])),
      held_by: openServers(store.db),
    }
  })
}

/** Reads something of a data file that exists. Throws SandboxError `no-file`, and those of opening the file. */
export function openDataFileBriefly<Result>(file: string, read: (store: Store) => Result): Result {
  mustExist(file)
  return withStore(file, read)
}

function withStore<Result>(file: string, use: (store: Store) => Result): Result {
  const store = openStore(file, collectionsOf(resources))
  try {
    return use(store)
  } finally {
    store.close()
  }
}

/**
 * Deletes a data file with everything in it, credentials included. Returns false when there was none.
 *
 * Throws SandboxError `held` while a live server has it open, and `not-a-sandbox` for a file of another kind.
 */
export async function resetSandbox(file: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (!existsSync(file)) return false
  const db = openDatabase(file, { evenIncomplete: true })
  try {
    // The write lock keeps a starting server from registering between the check and the deletion.
    db.transaction(() => {
      const server = openServers(db)[0]
      if (server)
        throw new SandboxError(
          'held',
          `the sandbox file "${file}" is in use by process ${server.pid} at ${server.url}`,
          { hint: 'stop that sandbox first' },
        )
      if (platform !== 'win32') removeDataFiles(file, platform)
    })
  } finally {
    db.close()
  }
  // Windows removes no file that is open, so a server that started in the meantime keeps its own.
  if (platform === 'win32') removeDataFiles(file, platform)
  return true
}

function removeDataFiles(file: string, platform: NodeJS.Platform): void {
  try {
    for (const part of dataFiles(file)) rmSync(part, { force: true })
  } catch (error) {
    if (!isHeldOpen(error, platform)) throw error
    throw new SandboxError('held', `the sandbox file "${file}" is in use by another process`, {
      hint: 'stop that sandbox first',
      cause: error,
    })
  }
}

function placeOf(file: string): string | undefined {
  return file === ':memory:' ? file : identityOf(file)
}

function sizeOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0), 0)
}

function mustExist(file: string): void {
  if (!existsSync(file))
    throw new SandboxError('no-file', `there is no sandbox file "${file}" yet`, {
      hint: `promo sandbox start --data ${shellWord(file)}`,
    })
}
