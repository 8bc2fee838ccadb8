import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Lock, type LockHolder, lockHolder, tryLock } from '../../../src/base/lock.ts'
import { takeLock } from '../../../src/bulk/journal/lock.ts'
import { root } from '../../support/source-files.ts'

const newPath = () => join(mkdtempSync(join(tmpdir(), 'promo-lock-')), 'jobs', 'x.lock')
const me = { pid: 41, host: 'here', since: '2026-01-02T00:00:00.000Z' }

async function taken(path: string, holder: LockHolder): Promise<Lock> {
  const lock = await tryLock(path, holder)
  if (!lock.release) throw new Error('the lock is held')
  return lock
}

test('a second process learns who holds the lock, and since when', async () => {
  const path = newPath()
  const lock = await taken(path, me)

  const refused = await tryLock(path, { ...me, pid: 42 })

  expect(refused).toMatchObject({ heldBy: me })
  expect({ ...lockHolder(path) }).toEqual({ ...me })
  await expect(takeLock(path, { ...me, pid: 42 })).rejects.toMatchObject({
    kind: 'held',
    exitCode: 8,
    message: 'the job is held by process 41 on here, started 2026-01-02T00:00:00.000Z',
  })
  lock.release()
})

test('a lock that was released has no holder, and can be taken again', async () => {
  const path = newPath()
  const first = await taken(path, me)

  first.release()
  first.release()

  expect(lockHolder(path)).toBeUndefined()
  const second = await taken(path, { ...me, pid: 42 })
  expect(lockHolder(path)).toMatchObject({ pid: 42 })
  second.release()
})

test('a process that is killed no longer holds the lock', async () => {
  const path = newPath()
  const script = `
    const { tryLock } = await import('${join(root, 'src/base/lock.ts')}')
    await tryLock(process.argv[1], { pid: process.pid, host: 'there', since: 'now' })
    process.stdout.write('taken')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path])
  await once(child.stdout, 'data')

  const during = lockHolder(path)
  child.kill('SIGKILL')
  await once(child, 'close')

  expect(during).toMatchObject({ pid: child.pid, host: 'there' })
  expect(lockHolder(path)).toBeUndefined()
  const lock = await taken(path, me)
  lock.release()
})

test('only the owner has access to the file', async () => {
  const path = newPath()

  const lock = await taken(path, me)

  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  lock.release()
})

test('a lock without a file has no holder', () => {
  expect(lockHolder(newPath())).toBeUndefined()
})

test('a folder that cannot be created is an input/output error', async () => {
  await expect(takeLock('/dev/null/x.lock', me)).rejects.toMatchObject({ kind: 'io', exitCode: 10 })
})

test.each(['linux', 'win32'] as const)(
  'on %s a lock is removed with its file, and can be taken again',
  async (platform) => {
    const path = newPath()
    const lock = await tryLock(path, me, { platform })

    lock.remove?.()
    lock.remove?.()

    expect(existsSync(path)).toBe(false)
    const again = await taken(path, { ...me, pid: 42 })
    expect(lockHolder(path)).toMatchObject({ pid: 42 })
    again.release()
  },
)
