import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../../../src/contract/endpoint.ts'
import { declaredJobs, type LocalJob, ok, type Resource, route } from '../../../../../src/sandbox/http/route.ts'
import { type IdSource, timeOrderedIds } from '../../../../../src/sandbox/id.ts'
import { runLocalJob } from '../../../../../src/sandbox/jobs/run-job.ts'
import { rowWork } from '../../../../../src/sandbox/resources/async-actions/row-work.ts'
import { resources } from '../../../../../src/sandbox/resources.ts'
import { ended, upload } from '../../../../support/rows.ts'
import { type TestSandbox, testNow, testSandbox } from '../../../../support/sandbox.ts'

/** Does one piece of the oldest work, as a server does that is killed right after it. `id` makes each id once. */
function doOnePiece({ store }: TestSandbox, id: IdSource): void {
  const jobs = declaredJobs(resources)
  const queued = store.jobs.due(Object.keys(jobs), Date.parse(testNow))
  if (!queued) throw new Error('nothing is due')
  const parts = {
    store,
    jobs,
    kinds: new Set(Object.keys(jobs)),
    id,
    timeScale: 1,
    now: () => testNow,
    report: () => {},
    reach: { allowedHosts: [], ownPort: () => undefined },
  }
  store.transaction(() => runLocalJob(parts, jobs[queued.kind] as LocalJob, queued))
}

const codes = Array.from({ length: 1000 }, (_, n) => `C${n}`)
const file = `Code,Voucher Type,Discount Type,Value\n${codes.map((code) => `${code},DISCOUNT_VOUCHER,AMOUNT,1\n`).join('')}`

test('work that is cut off goes on where its last piece ended, and counts every row once', async () => {
  const sandbox = testSandbox()
  const { async_action_id } = sandbox.call('POST', '/v1/vouchers/importCSV', upload(file)).body
  const id = timeOrderedIds(() => Date.parse(testNow), Math.random)
  doOnePiece(sandbox, id)
  doOnePiece(sandbox, id)
  const half = sandbox.get(`/v1/async-actions/${async_action_id}`).body
  const stored = sandbox.get('/v1/vouchers').body.total

  const action = await ended(sandbox, { body: { async_action_id } })

  expect(half).toMatchObject({ status: 'IN_PROGRESS', operation_status: 'UNKNOWN', progress: 40, result: null })
  expect(stored).toBe(400)
  expect(action).toMatchObject({ status: 'DONE', result: { done_count: 1000, failed_count: 0, failed: [] } })
  expect(sandbox.get('/v1/vouchers').body.total).toBe(1000)
  expect(sandbox.store.db.all('SELECT 1 FROM action_inputs')).toEqual([])
})

test('work that cannot go on ends as failed, with the rows that it did', async () => {
  const broken = rowWork<number, null>('VOUCHERS.IMPORT', 'voucher', {
    key: { name: 'code', of: String },
    begin: () => (row) => {
      if (row === 450) throw new Error('the disk has a hole')
      return undefined
    },
  })
  const start = endpoint('test.start', 'Start', {
    call: 'POST /test/start',
    response: z.unknown(),
    repeat: 'once',
    source: 'test',
  })
  const breaking: Resource = {
    jobs: { [`${broken.kind}.broken`]: broken.job },
    routes: [
      route(start, (_, context) => {
        const later: typeof context.later = (kind, payload) => context.later(`${kind}.broken`, payload)
        const { id } = broken.start([...codes.keys()], null, { ...context, later })
        return ok({ async_action_id: id })
      }),
    ],
  }
  const sandbox = testSandbox({ added: [breaking], timeScale: 1_000_000 })
  const { store } = sandbox

  expect(await ended(sandbox, sandbox.post('/test/start'))).toMatchObject({
    status: 'FAILED',
    operation_status: 'FAILED',
    result: { message: 'The work stopped after 400 of 1000 rows', done_count: 400, failed_count: 600 },
  })
  expect(sandbox.reports).toHaveLength(1)
  expect(store.db.all('SELECT 1 FROM action_inputs')).toEqual([])
})
