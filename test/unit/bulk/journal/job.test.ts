import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { jobFileAt, jobFiles, jobPath, lineLockPath, newJobId, ownJobFiles } from '../../../../src/bulk/journal/job.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'promo-job-'))
})

const put = (...names: string[]) => {
  for (const name of names) writeFileSync(join(dir, name), '')
}

describe('the folder of all jobs', () => {
  test('that is missing, or has no job, has none', async () => {
    put('draft-00.sqlite', '0123456789ab.lock', 'job.sqlite', '20260102-abcdef.sqlite', '20260102-abcdef.012.sqlite')

    expect(await jobFiles(join(dir, 'missing'))).toEqual([])
    expect(await jobFiles(dir)).toEqual([])
  })

  test('lists its jobs by name, the newest day first, each with the lock of its command line', async () => {
    put('20260102-abcdef.0123456789ab.sqlite', '20260104-bcdefg.ba9876543210.sqlite')

    expect(await jobFiles(dir)).toEqual([
      {
        name: '20260104-bcdefg',
        path: join(dir, '20260104-bcdefg.ba9876543210.sqlite'),
        lockPath: join(dir, 'ba9876543210.lock'),
      },
      {
        name: '20260102-abcdef',
        path: join(dir, '20260102-abcdef.0123456789ab.sqlite'),
        lockPath: join(dir, '0123456789ab.lock'),
      },
    ])
  })

  test('finds a job under the path and the lock that were made for it', async () => {
    const line = '0123456789abcdef'.repeat(4)
    const id = newJobId(new Date('2026-05-06T07:08:09Z'))
    writeFileSync(jobPath(dir, id, line), '')

    expect(id).toMatch(/^20260506-[a-z0-9]{6}$/)
    expect(await jobFiles(dir)).toEqual([{ name: id, path: jobPath(dir, id, line), lockPath: lineLockPath(dir, line) }])
  })
})

describe('a folder of one job', () => {
  test('lists its shards in the order of their numbers, named by their paths', async () => {
    put('shard-10-of-12.sqlite', 'shard-2-of-12.sqlite', 'shard-2-of-12.lock', 'notes.sqlite')

    const files = await ownJobFiles(dir)

    expect(files.map(({ name }) => name)).toEqual([
      join(dir, 'shard-2-of-12.sqlite'),
      join(dir, 'shard-10-of-12.sqlite'),
    ])
    expect(files[0]?.lockPath).toBe(join(dir, 'shard-2-of-12.lock'))
  })

  test('without shards holds the one job', async () => {
    mkdirSync(join(dir, 'own'))
    writeFileSync(join(dir, 'own/job.sqlite'), '')

    expect(await ownJobFiles(join(dir, 'own'))).toEqual([jobFileAt(join(dir, 'own/job.sqlite'))])
    expect(await ownJobFiles(join(dir, 'missing'))).toEqual([])
  })
})
