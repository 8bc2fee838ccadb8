import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { lockHolder, tryLock } from '../../../src/base/lock.ts'
import { withLock } from '../../../src/profiles/change-document.ts'

let dir: string
let path: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'promo-'))
  path = join(dir, 'settings.lock')
})

test('the lock is held during the work and released afterwards, also after a failure', async () => {
  await withLock(dir, () => expect(lockHolder(path)).toMatchObject({ pid: process.pid, host: hostname() }))
  await expect(
    withLock(dir, () => {
      throw new Error('work failed')
    }),
  ).rejects.toThrow('work failed')

  expect(lockHolder(path)).toBeUndefined()
})

test('the wait for a lock that another process holds ends with an error that names the process', async () => {
  const other = await tryLock(path, { pid: 41, host: 'there', since: '2026-01-02T00:00:00.000Z' })

  await expect(withLock(dir, () => 'done', { waitMs: 30 })).rejects.toMatchObject({
    kind: 'held',
    exitCode: 8,
    message: 'process 41 on there is changing the settings and does not finish',
  })

  other.release?.()
  expect(await withLock(dir, () => 'done', { waitMs: 30 })).toBe('done')
})

test('concurrent writers in one process run one after the other', async () => {
  let inside = 0
  let most = 0

  await Promise.all(
    Array.from({ length: 20 }, () =>
      withLock(dir, async () => {
        most = Math.max(most, ++inside)
        await new Promise((resolve) => setImmediate(resolve))
        inside--
      }),
    ),
  )

  expect(most).toBe(1)
})

test('a folder that is missing when the lock is taken is created again, only for its owner', async () => {
  rmSync(dir, { recursive: true })

  expect(await withLock(dir, () => 'done')).toBe('done')
})
