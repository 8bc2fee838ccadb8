import { existsSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { withLock } from '../../../src/profiles/lock.ts'

let dir: string
let path: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'promo-'))
  path = join(dir, 'promo.lock')
})

// Above every process id that Linux hands out.
const deadOwner = () => JSON.stringify({ pid: 2 ** 30, host: hostname() })
const livingOwner = () => JSON.stringify({ pid: process.pid, host: hostname() })

test('the lock is held during the work and gone afterwards, also after a failure', async () => {
  await withLock(dir, () => expect(existsSync(path)).toBe(true))
  await expect(
    withLock(dir, () => {
      throw new Error('work failed')
    }),
  ).rejects.toThrow('work failed')

  expect(readdirSync(dir)).toEqual([])
})

test('the lock of a living process is respected until the wait is over', async () => {
  writeFileSync(path, livingOwner())

  await expect(withLock(dir, () => 'done', { waitMs: 30 })).rejects.toMatchObject({ kind: 'held', exitCode: 8 })

  expect(existsSync(path)).toBe(true)
})

test('the lock of a dead process is taken over', async () => {
  writeFileSync(path, deadOwner())

  expect(await withLock(dir, () => 'done')).toBe('done')

  expect(readdirSync(dir)).toEqual([])
})

test('the lock of another computer is taken over only when it is old', async () => {
  writeFileSync(path, JSON.stringify({ pid: 2 ** 30, host: 'another-computer' }))
  await expect(withLock(dir, () => 'done', { waitMs: 30 })).rejects.toMatchObject({ kind: 'held' })

  utimesSync(path, 0, 0)

  expect(await withLock(dir, () => 'done', { waitMs: 30 })).toBe('done')
})

test('a lock that was cut short while it was written is taken over only when it is old', async () => {
  writeFileSync(path, '')
  await expect(withLock(dir, () => 'done', { waitMs: 30 })).rejects.toMatchObject({ kind: 'held' })

  utimesSync(path, 0, 0)

  expect(await withLock(dir, () => 'done', { waitMs: 30 })).toBe('done')
})

test('a takeover that died half-way does not block the next one for ever', async () => {
  writeFileSync(path, deadOwner())
  writeFileSync(`${path}.takeover`, '')
  utimesSync(`${path}.takeover`, 0, 0)

  expect(await withLock(dir, () => 'done')).toBe('done')

  expect(readdirSync(dir)).toEqual([])
})

test('many that meet a dead owner at once still work one after the other', async () => {
  writeFileSync(path, deadOwner())
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
