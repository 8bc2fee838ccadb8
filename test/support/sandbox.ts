// A sandbox for tests: in memory, with a fixed clock and sequential ids, called as a function or over a socket.
import { expect } from 'vitest'
import { putStored } from '../../src/sandbox/data-file.ts'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/embedded.ts'
import { type App, type AppRequest, createApp } from '../../src/sandbox/http/app.ts'
import { type Answer, collectionsOf, declaredJobs, type Resource, shownIn } from '../../src/sandbox/http/route.ts'
import type { IdSource } from '../../src/sandbox/id.ts'
import type { Keys } from '../../src/sandbox/in-code-types.ts'
import { runnerOf } from '../../src/sandbox/jobs/runner.ts'
import { credentialsOf } from '../../src/sandbox/resources/projects/credentials.ts'
import { resources as served } from '../../src/sandbox/resources.ts'
import { storedDemo } from '../../src/sandbox/seed/demo/stored.ts'
import { loadFixture } from '../../src/sandbox/seed/fixture.ts'
import { openStore, type Store } from '../../src/sandbox/storage/store.ts'
import { mainProject, type Project } from '../../src/sandbox/stores/projects.ts'
import { noteAnswer } from './strict-answers.ts'

/** The instant at which test sandboxes begin. */
export const testNow = '2026-05-06T07:08:09.123Z'

/** Ids in the form of real ones whose digits count from 1. */
export function countingIds(): IdSource {
  let n = 0
  return (prefix) => {
    n += 1
    return idOf(prefix, n)
  }
}

function idOf(prefix: string, n: number): string {
  return prefix + n.toString(16).padStart(18, '0')
}

export interface CallOptions {
  body?: unknown
  /** Sent unchanged instead of a JSON body. */
  raw?: string
  /** Encoded by the caller, without `?`. */
  query?: string
  /** Added to, or with undefined removed from, the application credentials and the content type. */
  headers?: Record<string, string | undefined>
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any body, and asserts what it expects.
type TestAnswer = Answer & { body: any }

export interface TestSandbox {
  app: App
  store: Store
  project: Project
  credentials: Keys
  /** The clock; a test may move it. */
  clock: { now: string }
  /** The internal failures the sandbox reported. */
  reports: unknown[]
  /** Calls with the application credentials unless `headers` override them. */
  call: (method: string, path: string, options?: CallOptions) => TestAnswer
  get: (path: string, query?: string) => TestAnswer
  post: (path: string, body?: unknown) => TestAnswer
  put: (path: string, body?: unknown) => TestAnswer
  del: (path: string, body?: unknown) => TestAnswer
  /**
   * Sends `METHOD /path?query`, with a body unless it is a GET or a DELETE, checks the answer and returns its body. What to
   * expect is a status, the key of an error, or the deciding members of the body; by default it is any success.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as in TestAnswer.
  ask: (request: string, ...bodyAndAnswer: unknown[]) => any
  /** Recorded events, oldest first, as `[type, entity_id]`. */
  events: () => Array<[string, string]>
  /** Runs the deferred work that is due by the clock. It runs only here. */
  settled: () => Promise<void>
}

export interface TestSandboxOptions {
  fixture?: unknown
  demo?: boolean
  file?: string
  /** Served in addition to those of resources.ts. */
  added?: readonly Resource[]
  timeScale?: number
  /** Where its ids are counted from; two sandboxes on one file must not make the same ones. */
  idsFrom?: number
  /** Many tests load this very fixture in memory, and nothing else: all but the first begin as a copy. */
  isCommon?: boolean
}

/** Fixtures that were loaded in memory, as images, and the number of ids that took. */
const loaded = new Map<unknown, { image: Uint8Array; ids: number }>()

/** Builds a sandbox in memory, or on a file, empty unless a fixture (or `demo`) is given. */
export function testSandbox(options: TestSandboxOptions = {}): TestSandbox {
  const resources = options.added ? [...served, ...options.added] : served
  const clock = { now: testNow }
  const { fixture } = options
  const known = options.isCommon ? loaded.get(fixture) : undefined
  let ids = known?.ids ?? options.idsFrom ?? 0
  const id: IdSource = (prefix) => {
    ids += 1
    return idOf(prefix, ids)
  }
  const reports: unknown[] = []
  const store = openStore(options.file ?? ':memory:', collectionsOf(resources), known?.image)
  const credentials = store.transaction(() => credentialsOf(store, id, clock.now))
  const project = mainProject(store) as Project
  if (fixture !== undefined && known === undefined)
    loadFixture(store, fixture, { resources, project, now: clock.now, id })
  else if (options.demo) store.transaction(() => putStored(store, storedDemo))
  const image = options.isCommon && known === undefined ? store.db.image() : undefined
  if (image) loaded.set(fixture, { image, ids })
  const parts = {
    store,
    resources,
    id,
    timeScale: options.timeScale ?? 1,
    now: () => clock.now,
    report: (error: unknown) => reports.push(error),
    reach: { allowedHosts: [], ownPort: () => undefined },
  }
  const app = createApp(parts)
  const runner = runnerOf({ ...parts, jobs: declaredJobs(resources), holder: 0, isShared: false })
  const call: TestSandbox['call'] = (method, path, call = {}) => {
    const answer = app.handle(requestOf(credentials, method, path, call))
    const isJson = answer.body !== undefined && answer.headers['content-type'] === undefined
    if (isJson) answer.body = shownIn(answer)
    // As a client reads it: without the members that are undefined.
    const body = isJson ? JSON.parse(JSON.stringify(answer.body)) : undefined
    noteAnswer({ method, path, status: answer.status, body })
    return answer
  }
  return {
    app,
    store,
    project,
    credentials,
    clock,
    reports,
    call,
    get: (path, query = '') => call('GET', path, { query }),
    post: (path, body) => call('POST', path, { body }),
    put: (path, body) => call('PUT', path, { body }),
    del: (path, body) => call('DELETE', path, { body }),
    ask: (request, ...rest) => askWith(call, request, rest),
    settled: runner.settled,
    events: () => store.outbox.after(0, 1000).map((event) => [event.type, event.entity_id]),
  }
}

function askWith(call: TestSandbox['call'], request: string, rest: unknown[]) {
  const [method = '', target = ''] = request.split(' ')
  const [path = '', query = ''] = target.split('?')
  const [body, wanted] = method === 'GET' || method === 'DELETE' ? [undefined, ...rest] : rest
  const { status, body: shown } = call(method, path, { body, query })
  expect({ request, status, body: shown }).toMatchObject({ request, ...answerOf(wanted) })
  return shown
}

const statuses: Readonly<Record<string, number>> = { not_found: 404, duplicate_found: 409, forbidden: 403 }

function answerOf(wanted: unknown): object {
  if (typeof wanted === 'number') return { status: wanted }
  if (typeof wanted === 'string') return answerOf({ key: wanted })
  const { key, code } = (wanted ?? {}) as { key?: unknown; code?: unknown }
  const ofError = typeof code === 'number' ? code : typeof key === 'string' ? (statuses[key] ?? 400) : undefined
  const status = ofError ?? expect.toSatisfy((one) => one >= 200 && one < 300)
  return { status, ...(wanted === undefined ? {} : { body: wanted }) }
}

/** A request as the app accepts it, with the application credentials. */
export function requestOf(credentials: Keys, method: string, path: string, call: CallOptions = {}): AppRequest {
  const body = call.raw ?? (call.body === undefined ? '' : JSON.stringify(call.body))
  const headers = {
    'x-app-id': credentials.app_id,
    'x-app-token': credentials.app_token,
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
    ...call.headers,
  }
  return { method, path, query: call.query ?? '', headers, body }
}

/** Starts a sandbox on a free port, in memory, with the demo project by default. The caller closes it. */
export function startTestSandbox(
  options: { demo?: boolean; fixture?: unknown; file?: string } = {},
): Promise<RunningSandbox> {
  return startSandbox({ file: ':memory:', port: 0, demo: true, ...options })
}
