import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Job } from '../../../../src/sandbox/http/route.ts'
import { job, remoteJob } from '../../../../src/sandbox/jobs/job.ts'
import { type Runner, runnerOf } from '../../../../src/sandbox/jobs/runner.ts'
import { registerServer } from '../../../../src/sandbox/storage/open-servers.ts'
import { openStore, type Store } from '../../../../src/sandbox/storage/store.ts'
import { countingIds, type TestSandbox, testNow, testSandbox } from '../../../support/sandbox.ts'

let folder: string
const open: Store[] = []
const runners: Runner[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'promo-jobs-'))
})
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.close(0)
  for (const store of open.splice(0)) store.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Process {
  store: Store
  runner: Runner
  clock: { now: string }
  reports: unknown[]
}

/** A process that has a sandbox file open and runs its jobs; a dead one is registered under a pid that does not exist. */
function processOn(file: string, work: Job, life: 'alive' | 'dead' = 'alive'): Process {
  const store = openStore(file, [])
  open.push(store)
  const holder = registerServer(store.db, {
    pid: life === 'alive' ? process.pid : 2 ** 22 + 1,
    url: '',
    since: testNow,
  })
  const clock = { now: testNow }
  const reports: unknown[] = []
  const reach = { allowedHosts: [], ownPort: () => undefined }
  const parts = { store, id: countingIds(), timeScale: 1, jobs: { work }, holder, reach }
  const runner = runnerOf({ ...parts, now: () => clock.now, report: (error) => reports.push(error), isShared: true })
  runners.push(runner)
  return { store, runner, clock, reports }
}

/** A sandbox file that contains some jobs of the kind `work`. */
function fileWith(count: number): { file: string; sandbox: TestSandbox } {
  const file = join(folder, 'sandbox.db')
  const sandbox = testSandbox({ file })
  open.push(sandbox.store)
  for (let n = 0; n < count; n += 1) put(sandbox, { n })
  return { file, sandbox }
}

function put(sandbox: TestSandbox, payload: unknown): void {
  const facts = { project_id: sandbox.project.id, request_id: 'v-1', channel: 'API' as const }
  sandbox.store.jobs.add({ kind: 'work', payload, ...facts }, Date.parse(testNow))
}

/** Waits until a woken runner has started. */
const turns = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const never = (_payload: unknown, _context: unknown, signal: AbortSignal) => untilAborted(signal)

test('two processes on one file share the jobs, and none is run twice', async () => {
  const { file } = fileWith(40)
  const seen: Array<[string, number]> = []
  const workOf = (name: string) =>
    remoteJob<{ n: number }, void>({
      act: async ({ n }) => {
        seen.push([name, n])
        await new Promise((resolve) => setImmediate(resolve))
      },
      settle: () => undefined,
    })
  const a = processOn(file, workOf('a'))
  const b = processOn(file, workOf('b'))

  await Promise.all([a.runner.settled(), b.runner.settled()])

  expect(seen.map(([, n]) => n).toSorted((x, y) => x - y)).toEqual(Array.from({ length: 40 }, (_, n) => n))
  expect(new Set(seen.map(([name]) => name))).toEqual(new Set(['a', 'b']))
})

test('the jobs of a process that died are taken over at once', async () => {
  const { file } = fileWith(1)
  const dead = processOn(file, remoteJob({ act: never, settle: () => undefined }), 'dead')
  const runs: number[] = []
  const work = remoteJob<unknown, void>({
    act: async (_, context) => {
      runs.push(context.attempt)
    },
    settle: () => undefined,
  })

  dead.runner.wake()
  await turns()
  const claimed = dead.store.jobs.claimers().length
  const next = processOn(file, work)
  next.runner.wake()
  await turns()
  await next.runner.settled()

  expect(claimed).toBe(1)
  expect(runs).toEqual([2])
  expect(next.store.jobs.nextDue(['work'])).toBe(undefined)
})

test('the jobs of a process that hangs are taken over after 30 seconds, and its own result no longer counts', async () => {
  const { file } = fileWith(1)
  let finish = () => {}
  const settledBy: string[] = []
  const settling = (name: string) => () => {
    settledBy.push(name)
    return undefined
  }
  const slow = processOn(
    file,
    remoteJob({
      act: () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
      settle: settling('slow'),
    }),
  )
  const quick = processOn(file, remoteJob({ act: async () => {}, settle: settling('quick') }))

  slow.runner.wake()
  await turns()
  quick.clock.now = new Date(Date.parse(testNow) + 29_999).toISOString()
  await quick.runner.settled()
  const early = [...settledBy]
  quick.clock.now = new Date(Date.parse(testNow) + 30_000).toISOString()
  await quick.runner.settled()
  finish()
  await slow.runner.settled()

  expect(early).toEqual([])
  expect(settledBy).toEqual(['quick'])
})

test('a job that crashes every process that starts it is abandoned', async () => {
  const { file, sandbox } = fileWith(1)
  for (let n = 0; n < 5; n += 1) sandbox.store.jobs.claim(1, 99, Date.parse(testNow))
  const process = processOn(file, remoteJob({ act: never, settle: () => undefined }))

  await process.runner.settled()

  expect(process.store.jobs.failed()).toEqual([
    { kind: 'work', error: 'job work was started too often and never ended' },
  ])
})

test('closing runs due jobs, aborts those that hang, and leaves them for the next start', async () => {
  const { file, sandbox } = fileWith(20)
  put(sandbox, { hang: true })
  const done: number[] = []
  const reasons: string[] = []
  const work = remoteJob<{ n: number; hang?: boolean }, void>({
    act: async ({ n, hang }, _, signal) => {
      if (hang) await untilAborted(signal).finally(() => reasons.push(String(signal.reason)))
      else done.push(n)
    },
    settle: () => undefined,
  })
  const first = processOn(file, work)

  await first.runner.close(200)

  expect(done.length).toBe(20)
  expect(reasons).toEqual(['Error: the sandbox stops'])
  expect(first.store.jobs.claimers()).toEqual([])
  expect(sandbox.store.jobs.due(['work'], Date.parse(testNow))).toMatchObject({ attempts: 0, payload: { hang: true } })
})

test('jobs of a kind that this version does not know stay in the queue', async () => {
  const { file, sandbox } = fileWith(0)
  const facts = { project_id: sandbox.project.id, request_id: 'v-1', channel: 'API' as const, payload: null }
  sandbox.store.jobs.add({ kind: 'of tomorrow', ...facts }, Date.parse(testNow))
  put(sandbox, { n: 1 })
  const seen: unknown[] = []
  const process = processOn(
    file,
    job((payload) => {
      seen.push(payload)
      return undefined
    }),
  )

  await process.runner.settled()

  expect(seen).toEqual([{ n: 1 }])
  expect(sandbox.store.jobs.nextDue(['of tomorrow'])).toBe(Date.parse(testNow))
})

test('a store failure is reported, and the process continues', async () => {
  const { file } = fileWith(1)
  const process = processOn(
    file,
    job(() => undefined),
  )

  process.store.close()
  process.runner.wake()
  await turns()
  await process.runner.close(100)

  expect(process.reports.length).toBeGreaterThan(0)
  open.splice(open.indexOf(process.store), 1)
})
