// What is said of a journal that the disk refuses, and of one that another process holds.
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tryLock } from '../../../../src/base/lock.ts'
import { takeLock } from '../../../../src/bulk/journal/lock.ts'
import { storageError } from '../../../../src/bulk/journal/storage-error.ts'

test.each([
  [{ code: 'ENOSPC', path: '/j/draft.sqlite' }, 'no space left on the disk (/j/draft.sqlite)'],
  [{ code: 'ENOSPC' }, 'no space left on the disk'],
])('%j is told with its file, where it has one', (facts, said) => {
  const { message, exitCode } = storageError(Object.assign(new Error(), facts))

  expect([message, exitCode]).toEqual([`the rows cannot be kept in the state folder: ${said}`, 10])
})

test('a lock is told with the process that holds it', async () => {
  const path = join(tmpdir(), 'held.lock')
  const holder = { pid: process.pid, host: hostname(), since: '2026-01-02T00:00:00.000Z' }
  await using lock = Object.assign(await tryLock(path, holder), {
    async [Symbol.asyncDispose]() {
      lock.release?.()
    },
  })

  await expect(takeLock(path, holder)).rejects.toMatchObject({
    message: `the job is held by process ${process.pid} on ${hostname()}, started 2026-01-02T00:00:00.000Z`,
    exitCode: 8,
  })
})
