// The door for the CLI: start the sandbox on a file, look at a file, throw a file away.
import { existsSync, rmSync, statSync } from 'node:fs'
import { createApp } from './http/app.ts'
import { withClientSide } from './http/client-side.ts'
import { openApiOf } from './http/openapi.ts'
import { declaredJobs } from './http/resource.ts'
import { serve } from './http/serve.ts'
import { type RequestHandler, type Simulation, simulated } from './http/simulation.ts'
import { type IdSource, timeOrderedIds } from './id.ts'
import { runnerOf } from './jobs/runner.ts'
import { credentialsOf, type SandboxCredentials } from './resources/projects/credentials.ts'
import { mainProject, type Project } from './resources/projects/store.ts'
import { resources } from './resources.ts'
import { SandboxError } from './sandbox-error.ts'
import { demoFixture } from './seed/demo/demo.ts'
import { loadFixture } from './seed/fixture.ts'
import { openDatabase, prepareFile, schemaVersion } from './storage/database.ts'
import { type OpenServer, openServers, registerServer, setServerUrl, unregisterServer } from './storage/open-servers.ts'
import { openStore, type Store } from './storage/store.ts'

export interface SandboxOptions {
  /** Path of the data file, made when it does not exist, or `:memory:`. */
  file: string
  /** 0 for a free one. */
  port: number
  /** Puts the demo project into a new file; a file that exists is never changed by it. */
  demo: boolean
  /** Loaded into a new file instead of the demo: an object as in docs/sandbox.md, Fixtures. */
  fixture?: unknown
  ipv6?: boolean
  allowedOrigins?: readonly string[]
  /** ISO 8601 UTC with milliseconds; the computer's clock by default. */
  now?: () => string
  id?: IdSource
  /** Hears of failures inside the sandbox, which answers show only as 500 with a request id. */
  report?: (error: unknown, requestId: string) => void
  /** Divides every delay of work done after the answer, such as the retries of webhooks; 1 unless given. */
  timeScale?: number
  /** Hosts that webhooks may point at, besides this computer. */
  webhookAllow?: readonly string[]
  /** Answers that take time, and a limit of calls; none unless given. */
  simulation?: Simulation
}

export interface RunningSandbox {
  /** Without a trailing slash, such as `http://127.0.0.1:41234`. */
  url: string
  credentials: SandboxCredentials
  file: string
  /** Lets requests in progress end, and for 2 s at most the work they left; then closes sockets and file. May be called twice. */
  close: () => Promise<void>
}

const drainMs = 2_000

/**
 * Starts the service on a data file. Resolves when it accepts connections on 127.0.0.1.
 *
 * Several processes may have one file open. Throws SandboxTrouble by reason: `not-a-sandbox`, `newer-schema`,
 * `file-access`, `port-taken`, `bad-fixture`.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const now = options.now ?? (() => new Date().toISOString())
  const id = options.id ?? timeOrderedIds(() => Date.parse(now()), Math.random)
  const report = options.report ?? (() => {})
  const { store, credentials, holder } = opened(options, now, id)
  try {
    const parts = { store, now, id, report, timeScale: options.timeScale ?? 1 }
    const jobs = declaredJobs(resources)
    let port: number | undefined
    const reach = { allowedHosts: options.webhookAllow ?? [], ownPort: () => port }
    const kinds = new Set(Object.keys(jobs))
    const runner = runnerOf({ ...parts, jobs, kinds, holder, reach, isShared: options.file !== ':memory:' })
    const app = createApp({ ...parts, resources, wake: runner.wake })
    const nowMs = () => Date.parse(now())
    const between = (answer: RequestHandler) =>
      withClientSide(simulated(answer, options.simulation ?? {}, nowMs), nowMs)
    const served = await serve({ ...options, app, report, between })
    port = served.port
    runner.wake()
    setServerUrl(store.db, holder, served.url)
    let closing: Promise<void> | undefined
    const close = async () => {
      await served.close()
      await runner.close(drainMs)
      unregisterServer(store.db, holder)
      store.close()
    }
    return {
      url: served.url,
      credentials,
      file: options.file,
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    unregisterServer(store.db, holder)
    store.close()
    throw error
  }
}

interface Opened {
  store: Store
  credentials: SandboxCredentials
  holder: number
}

/** Opens the file, enters this process as its holder and, when it is new, fills it; all or nothing. */
function opened(options: SandboxOptions, now: () => string, id: IdSource): Opened {
  const { file } = options
  for (let attempt = 1; ; attempt += 1) {
    if (file !== ':memory:') prepareFile(file)
    const before = identityOf(file)
    const store = openStore(file, collections())
    try {
      const made = store.transaction(() => {
        const holder = registerServer(store.db, { pid: process.pid, url: '', since: now() })
        const isNew = mainProject(store) === undefined
        const credentials = credentialsOf(store, id, now())
        if (isNew) fill(store, options, now(), id)
        return { holder, credentials }
      })
      // A reset may have deleted the file between its opening and the entry: then this connection writes into nothing.
      if (before === identityOf(file)) return { store, ...made }
      if (attempt === 5) throw new SandboxError('file-access', `the sandbox file "${file}" is deleted again and again`)
    } catch (error) {
      store.close()
      throw error
    }
    store.close()
  }
}

function fill(store: Store, options: SandboxOptions, now: string, id: IdSource): void {
  const fixture = options.fixture ?? (options.demo ? demoFixture() : undefined)
  const project = mainProject(store)
  if (fixture !== undefined && project) loadFixture(store, fixture, { resources, project, now, id })
}

/**
 * Loads a fixture, or without one the demo project, into a data file, made if it does not exist: all of it or nothing.
 * Returns how many objects each collection got. A running server of the file sees them at once.
 *
 * Throws SandboxTrouble `bad-fixture`, and those of opening a file.
 */
export async function seedSandbox(file: string, fixture: unknown = demoFixture()): Promise<Record<string, number>> {
  const now = new Date().toISOString()
  const id = timeOrderedIds(Date.now, Math.random)
  const store = openStore(file, collections())
  try {
    return store.transaction(() => {
      credentialsOf(store, id, now)
      const project = mainProject(store) as Project
      return loadFixture(store, fixture, { resources, project, now, id })
    })
  } finally {
    store.close()
  }
}

function identityOf(file: string): string {
  if (file === ':memory:') return file
  const facts = statSync(file, { throwIfNoEntry: false })
  return facts ? `${facts.dev}:${facts.ino}` : ''
}

/** Describes what the sandbox serves as an OpenAPI 3.1 document; needs no data file. */
export async function sandboxOpenApi(): Promise<Record<string, unknown>> {
  return openApiOf(resources.flatMap((resource) => resource.routes ?? []))
}

/** Every collection of the sandbox, in the order of resources.ts. */
function collections() {
  return resources.flatMap((resource) => resource.collections ?? [])
}

export interface SandboxStatus {
  file: string
  /** With what SQLite has not yet moved from its log. */
  size_bytes: number
  schema_version: number
  created_at: string
  project_id: string
  /** Objects by collection, without those in the bin. */
  counts: Record<string, number>
  /** Live servers that have the file open. */
  held_by: OpenServer[]
}

/**
 * Says what a data file holds, without starting anything.
 *
 * Throws SandboxTrouble: `no-file`, and those of opening a file.
 */
export async function sandboxStatus(file: string): Promise<SandboxStatus> {
  mustExist(file)
  const store = openStore(file, collections())
  try {
    const project = mainProject(store)
    const projectId = project?.id ?? ''
    const counts = collections().filter((declared) => declared.name !== 'projects')
    return {
      file,
      size_bytes: sizeOf(file),
      schema_version: schemaVersion,
      created_at: project?.created_at ?? '',
      project_id: projectId,
      counts: Object.fromEntries(counts.map((declared) => [declared.name, store.in(declared, projectId).count()])),
      held_by: openServers(store.db).map((holder) => ({ ...holder })),
    }
  } finally {
    store.close()
  }
}

/**
 * Deletes a data file with everything in it, credentials included. Returns whether there was one.
 *
 * Throws SandboxTrouble `held` while a live server has it open, and `not-a-sandbox` rather than delete a file of another kind.
 */
export async function resetSandbox(file: string): Promise<boolean> {
  if (!existsSync(file)) return false
  const db = openDatabase(file)
  try {
    // The write lock keeps a starting server from entering between the look and the deletion.
    db.transaction(() => {
      const holder = openServers(db)[0]
      if (holder)
        throw new SandboxError(
          'held',
          `the sandbox file "${file}" is in use by process ${holder.pid} at ${holder.url}`,
          {
            hint: 'stop that sandbox first',
          },
        )
      for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true })
    })
  } finally {
    db.close()
  }
  return true
}

function sizeOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0), 0)
}

function mustExist(file: string): void {
  if (!existsSync(file))
    throw new SandboxError('no-file', `there is no sandbox file "${file}" yet`, {
      hint: 'promo sandbox start makes one',
    })
}
