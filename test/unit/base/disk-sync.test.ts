import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { type DiskSync, diskSyncOf } from '../../../src/base/disk-sync.ts'

/** SQLite's number for a mode: 1 is NORMAL, 2 is FULL. */
const synchronous = (database: DatabaseSync) =>
  (database.prepare('PRAGMA synchronous').get() as { synchronous: number }).synchronous

function opened(mode: 'WAL' | 'DELETE'): DatabaseSync {
  const database = new DatabaseSync(join(mkdtempSync(join(tmpdir(), 'promo-sync-')), 'test.sqlite'))
  database.exec(`PRAGMA journal_mode = ${mode}; PRAGMA synchronous = FULL; CREATE TABLE t (x)`)
  return database
}

const synced = (disk: DiskSync) => new Promise((resolve) => disk.begin(resolve))

test('with a WAL the wait for the disk is taken over from SQLite', async () => {
  const database = opened('WAL')
  const disk = diskSyncOf(database)
  database.exec('INSERT INTO t VALUES (1)')

  const error = await synced(disk)

  expect([synchronous(database), error]).toEqual([1, null])
  expect(() => disk.finish()).not.toThrow()
  disk.close()
})

test('without a WAL SQLite keeps waiting for the disk itself', async () => {
  const database = opened('DELETE')
  const disk = diskSyncOf(database)

  const error = await synced(disk)

  expect([synchronous(database), error]).toEqual([2, null])
  expect(() => disk.finish()).not.toThrow()
  disk.close()
})

test('a sync in flight when it is closed ends well, and nothing can follow', async () => {
  const disk = diskSyncOf(opened('WAL'))

  const underWay = synced(disk)
  disk.close()

  expect(await underWay).toBeNull()
  expect(() => disk.finish()).toThrow('EBADF')
})
