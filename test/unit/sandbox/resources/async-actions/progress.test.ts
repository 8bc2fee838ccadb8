import { expect, test } from 'vitest'
import {
  enqueueAction,
  failAction,
  finishAction,
  progressAction,
} from '../../../../../src/sandbox/resources/async-actions/progress.ts'
import type { Collection, Stored } from '../../../../../src/sandbox/storage/collection.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

function withAction() {
  const { store, project, get } = testSandbox()
  const context = {
    now: '2026-05-06T00:00:00.000Z',
    id: (prefix: string) => `${prefix}1`,
    requestId: 'v-1',
    in: <Doc extends Stored>(declared: Collection<Doc>) => store.in(declared, project.id),
  }
  const { id } = store.transaction(() => enqueueAction('VOUCHERS.IMPORT', context))
  const later = { ...context, now: '2026-05-06T00:00:01.500Z' }
  return { context: later, id, action: () => get(`/v1/async-actions/${id}`).body }
}

test('an action shows its progress, and 100 only at its end', () => {
  const { context, id, action } = withAction()

  progressAction(id, 1, 3, context)
  const third = action()
  progressAction(id, 3, 3, context)
  const almost = action()

  expect(third).toMatchObject({ status: 'IN_PROGRESS', operation_status: 'UNKNOWN', progress: 33, result: null })
  expect(almost.progress).toBe(99)
})

test('an action that is done may have failed in part', () => {
  const { context, id, action } = withAction()

  finishAction(id, { done_count: 2, failed_count: 1, failed: [{ code: 'A' }] }, context)

  expect(action()).toMatchObject({
    status: 'DONE',
    operation_status: 'FAILED',
    progress: 100,
    processing_time: 1500,
    result: { done_count: 2, failed_count: 1, failed: [{ code: 'A' }] },
  })
})

test('an aborted action has failed', () => {
  const { context, id, action } = withAction()

  failAction(id, { message: 'No', done_count: 0 }, context)

  expect(action()).toMatchObject({ status: 'FAILED', operation_status: 'FAILED', progress: 0 })
})
