import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holderOf, takeLock } from '../../../../src/bulk/journal/lock.ts'
import { root } from '../../../support/source-files.ts'

const newPath = () => join(mkdtempSync(join(tmpdir(), 'promo-lock-')), 'jobs', 'x.lock')
const me = { pid: 41, host: 'here', since: '2026-01-02T00:00:00.000Z' }

test('whoever comes second is told who came first, and since when', async () => {
  const path = newPath()
  const lock = await takeLock(path, me)

  const refused = await takeLock(path, { ...me, pid: 42 }).catch((error: unknown) => error)

  expect(refused).toMatchObject({ kind: 'held', exitCode: 8 })
  expect((refused as Error).message).toBe('the job is held by process 41 on here, started 2026-01-02T00:00:00.000Z')
  expect({ ...holderOf(path) }).toEqual({ ...me })
  lock.release()
})

test('a lock that was given back is nobody’s, and can be taken again', async () => {
  const path = newPath()
  const first = await takeLock(path, me)

  first.release()
  first.release()

  expect(holderOf(path)).toBeUndefined()
  const second = await takeLock(path, { ...me, pid: 42 })
  expect(holderOf(path)).toMatchObject({ pid: 42 })
  second.release()
})

test('a process that is killed holds nothing any more', async () => {
  const path = newPath()
  const script = `
    const { takeLock } = await import('${join(root, 'src/bulk/journal/lock.ts')}')
    await takeLock(process.argv[1], { pid: process.pid, host: 'there', since: 'now' })
    process.stdout.write('taken')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path])
  await once(child.stdout, 'data')

  const during = holderOf(path)
  child.kill('SIGKILL')
  await once(child, 'close')

  expect(during).toMatchObject({ pid: child.pid, host: 'there' })
  expect(holderOf(path)).toBeUndefined()
  const lock = await takeLock(path, me)
  lock.release()
})

test('the file is for the owner alone', async () => {
  const path = newPath()

  const lock = await takeLock(path, me)

  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  lock.release()
})

test('a lock that is nowhere is nobody’s', () => {
  expect(holderOf(newPath())).toBeUndefined()
})

test('a folder that cannot be made is an input/output error', async () => {
  await expect(takeLock('/dev/null/x.lock', me)).rejects.toMatchObject({ kind: 'io', exitCode: 10 })
})
