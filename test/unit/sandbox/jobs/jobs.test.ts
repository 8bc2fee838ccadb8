import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../../src/contract/endpoint.ts'
import { refusedAs } from '../../../../src/sandbox/http/refusal.ts'
import { type JobContext, ok, type Resource, route } from '../../../../src/sandbox/http/route.ts'
import { job, remoteJob } from '../../../../src/sandbox/jobs/job.ts'
import { categories } from '../../../../src/sandbox/stores/categories.ts'
import { type TestSandbox, testSandbox } from '../../../support/sandbox.ts'

const ask = endpoint('test.ask', 'Ask for a job', {
  call: 'POST /v1/test/ask',
  body: z.looseObject({ delay: z.number().optional(), times: z.number().optional(), refuse: z.boolean().optional() }),
  response: z.unknown(),
  repeat: 'once',
  source: 'this test',
})

/** A resource whose only call queues the job `work` as often as its body states. */
function asking(jobs: NonNullable<Resource['jobs']>): Resource {
  const answer = route(ask, ({ body }, context) => {
    for (let n = 0; n < (body.times ?? 1); n += 1) context.later('work', body, body.delay)
    if (body.refuse) throw refusedAs('no', 'No')
    return ok({ request: context.requestId })
  })
  return { routes: [answer], jobs }
}

function category(context: JobContext, name: string): void {
  const id = context.id(categories.prefix)
  const facts = { name, hierarchy: 1, object: 'category' as const, created_at: context.now, updated_at: null }
  context.in(categories).insert({ id, ...facts })
}

const names = (sandbox: TestSandbox) =>
  sandbox.store
    .in(categories, sandbox.project.id)
    .all()
    .map((one) => one.name)

/** Asks for work, once for each body, and waits until it is done. */
async function asked(work: NonNullable<Resource['jobs']>[string], ...bodies: object[]): Promise<TestSandbox> {
  const sandbox = testSandbox({ added: [asking({ work })] })
  for (const body of bodies) sandbox.post('/v1/test/ask', body)
  await sandbox.settled()
  return sandbox
}

const later = (sandbox: TestSandbox, ms: number) => {
  sandbox.clock.now = new Date(Date.parse(sandbox.clock.now) + ms).toISOString()
}

test('a job runs once after the answer, with the payload and the id of the request that queued it', async () => {
  const seen: unknown[] = []
  const work = job((payload, context) => {
    seen.push([payload, context.requestId, context.project.id, context.attempt])
    return undefined
  })
  const sandbox = testSandbox({ added: [asking({ work })] })

  const answer = sandbox.post('/v1/test/ask', { word: 'Straße' })
  const before = [...seen]
  await sandbox.settled()
  await sandbox.settled()

  expect(before).toEqual([])
  expect(seen).toEqual([[{ word: 'Straße' }, answer.body.request, sandbox.project.id, 1]])
})

test('a refused request queues no job', async () => {
  let runs = 0
  const work = job(() => {
    runs += 1
    return undefined
  })

  await asked(work, { refuse: true })

  expect(runs).toBe(0)
})

test('a job that no resource declares is a failure of the sandbox when it is queued', () => {
  const sandbox = testSandbox({ added: [asking({})] })

  expect(sandbox.post('/v1/test/ask', {}).status).toBe(500)
  expect(String(sandbox.reports[0])).toBe('Error: no resource declares the job work')
})

test('a delayed job waits until it is due, which the time scale shortens', async () => {
  const work = job((_, context) => {
    category(context, context.now)
    return undefined
  })
  const sandbox = testSandbox({ added: [asking({ work })], timeScale: 60 })

  sandbox.post('/v1/test/ask', { delay: 60_000 })
  later(sandbox, 999)
  await sandbox.settled()
  const early = names(sandbox)
  later(sandbox, 1)
  await sandbox.settled()

  expect(early).toEqual([])
  expect(names(sandbox)).toEqual(['2026-05-06T07:08:10.123Z'])
})

test('long work continues slice by slice, each with its own payload', async () => {
  const work = job<{ done?: number }>(({ done = 0 }, context) => {
    category(context, `slice ${done}`)
    return done < 2 ? { again: 0, payload: { done: done + 1 } } : undefined
  })

  expect(names(await asked(work, {}))).toEqual(['slice 0', 'slice 1', 'slice 2'])
})

test('work that fails is undone, retried after 1, 2, 4 and 8 seconds, then abandoned and reported', async () => {
  const runs: Array<[string, number]> = []
  const gaveUp: string[] = []
  const work = job(
    (_, context) => {
      category(context, 'never kept')
      runs.push([context.now.slice(17, 19), context.attempt])
      throw new Error('out of luck')
    },
    (_, context) => {
      gaveUp.push(context.requestId)
      category(context, 'gave up')
    },
  )
  const sandbox = testSandbox({ added: [asking({ work })] })

  const { body } = sandbox.post('/v1/test/ask', {})
  for (let second = 0; second < 40; second += 1) {
    await sandbox.settled()
    later(sandbox, 1_000)
  }

  expect(runs).toEqual([
    ['09', 1],
    ['10', 2],
    ['12', 3],
    ['16', 4],
    ['24', 5],
  ])
  expect(gaveUp).toEqual([body.request])
  expect(names(sandbox)).toEqual(['gave up'])
  expect(sandbox.reports.map(String)).toEqual(['Error: out of luck'])
  expect(sandbox.store.jobs.failed()).toEqual([{ kind: 'work', error: 'out of luck' }])
})

test('a refusal inside a job is final', async () => {
  let runs = 0
  const work = job(() => {
    runs += 1
    throw refusedAs('no', 'No')
  })

  const sandbox = await asked(work, {})
  later(sandbox, 60_000)
  await sandbox.settled()

  expect(runs).toBe(1)
  expect(sandbox.store.jobs.failed()).toEqual([{ kind: 'work', error: 'No' }])
})

test('a job that fails does not delay other jobs', async () => {
  const work = job<{ bad?: boolean; name?: string }>(({ bad, name = '' }, context) => {
    if (bad) throw new Error('bad')
    category(context, name)
    return undefined
  })

  expect(names(await asked(work, { bad: true }, { name: 'good' }))).toEqual(['good'])
})

test('a network call is made outside a transaction and its result is stored in one', async () => {
  const work = remoteJob<{ n: number }, string>({
    act: async ({ n }) => {
      await new Promise((resolve) => setImmediate(resolve))
      return `result ${n}`
    },
    settle: (result, _, context) => {
      category(context, result)
      return undefined
    },
  })

  const sandbox = await asked(work, { n: 7 })

  expect(names(sandbox)).toEqual(['result 7'])
  expect(sandbox.store.jobs.claimers()).toEqual([])
})

test('no more than eight network calls are in flight at once', async () => {
  let underWay = 0
  let most = 0
  const work = remoteJob({
    act: async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise((resolve) => setImmediate(resolve))
      underWay -= 1
    },
    settle: () => undefined,
  })
  const sandbox = testSandbox({ added: [asking({ work })] })

  sandbox.post('/v1/test/ask', { times: 50 })
  await sandbox.settled()

  expect(most).toBe(8)
  expect(sandbox.store.jobs.nextDue(['work'])).toBe(undefined)
})

test('a network call that fails is retried', async () => {
  const attempts: number[] = []
  const work = remoteJob({
    act: async (_, context) => {
      attempts.push(context.attempt)
      if (context.attempt < 3) throw new Error('refused')
    },
    settle: () => undefined,
  })
  const sandbox = testSandbox({ added: [asking({ work })] })

  sandbox.post('/v1/test/ask', {})
  for (let second = 0; second < 5; second += 1) {
    await sandbox.settled()
    later(sandbox, 1_000)
  }

  expect(attempts).toEqual([1, 2, 3])
  expect(sandbox.reports).toEqual([])
})
