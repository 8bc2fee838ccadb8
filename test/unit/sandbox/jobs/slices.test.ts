import { expect, test } from 'vitest'
import { createApp } from '../../../../src/sandbox/http/app.ts'
import type { Resource } from '../../../../src/sandbox/http/route.ts'
import { serve } from '../../../../src/sandbox/http/serve.ts'
import { job } from '../../../../src/sandbox/jobs/job.ts'
import { runnerOf } from '../../../../src/sandbox/jobs/runner.ts'
import { credentialsOf } from '../../../../src/sandbox/resources/projects/credentials.ts'
import { openStore } from '../../../../src/sandbox/storage/store.ts'
import { categories } from '../../../../src/sandbox/stores/categories.ts'
import { projects } from '../../../../src/sandbox/stores/projects.ts'
import { countingIds, testNow } from '../../../support/sandbox.ts'

const slices = 60
const rowsPerSlice = 500

test('requests are answered between the slices of long work', async () => {
  const work = job<{ left: number }>(({ left }, context) => {
    for (let n = 0; n < rowsPerSlice; n += 1) {
      const id = context.id(categories.prefix)
      context
        .in(categories)
        .insert({ id, name: id, hierarchy: 1, object: 'category', created_at: testNow, updated_at: null })
    }
    return left > 1 ? { again: 0, payload: { left: left - 1 } } : undefined
  })
  const resources: Resource[] = [{ collections: [projects, categories], jobs: { work } }]
  const store = openStore(':memory:', [projects, categories])
  const id = countingIds()
  const { project_id } = credentialsOf(store, id, testNow)
  const parts = { store, id, now: () => testNow, report: () => {}, timeScale: 1 }
  const reach = { allowedHosts: [], ownPort: () => undefined }
  const runner = runnerOf({ ...parts, jobs: { work }, reach, holder: 0, isShared: false })
  const served = await serve({ app: createApp({ ...parts, resources }), port: 0, report: () => {} })
  const made = () => store.in(categories, project_id).count()

  store.jobs.add(
    { kind: 'work', payload: { left: slices }, project_id, request_id: 'v-1', channel: 'API' },
    Date.parse(testNow),
  )
  runner.wake()
  const seen: number[] = []
  while (made() < slices * rowsPerSlice) {
    await (await fetch(`${served.url}/v1/none`)).text()
    seen.push(made())
  }
  await served.close()
  await runner.close(0)
  store.close()

  expect(seen.length).toBeGreaterThan(5)
  expect(seen.every((rows) => rows % rowsPerSlice === 0)).toBe(true)
})
