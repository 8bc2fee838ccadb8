// A list of jobs opens only files that changed since the last one, and nothing depends on what it keeps for that.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { checksumOf } from '../../src/bulk/journal/checksum.ts'
import { disable, jobDesk } from '../support/jobs.ts'

const desk = jobDesk()
const { promo, input, jobs } = desk
const folder = () => join(desk.folder, 'state', 'jobs')
const index = () => join(folder(), 'index.sqlite')

beforeEach(async () => {
  await promo(disable(input('one.csv', 'code\nMORNING\nNO-1\n')))
  await promo(disable(input('two.csv', 'code\nWEEKEND\n')))
  await jobs()
})

interface Entry {
  name: string
  mark: string
  job: string
}

/** What the index has, once `change` was made to it. */
function entries(change: (database: DatabaseSync) => void = () => {}): Entry[] {
  const database = new DatabaseSync(index())
  try {
    change(database)
    return database.prepare('SELECT name, mark, job FROM ended').all() as unknown as Entry[]
  } finally {
    database.close()
  }
}

/** Makes the index say that every job was of another profile. */
function forge(hasSum: boolean): void {
  entries((database) => {
    for (const { name, mark, job } of entries()) {
      const forged = job.replace('"profile":"sandbox"', '"profile":"forged"')
      const sum = hasSum ? checksumOf(name, mark, forged) : 0
      database.prepare('UPDATE ended SET job = ?, sum = ? WHERE name = ?').run(forged, sum, name)
    }
  })
}

const profiles = async () => (await jobs()).map(({ profile }) => profile)

test('jobs that ended are listed without opening them', async () => {
  forge(true)

  expect(await profiles()).toEqual(['forged', 'forged'])
  expect(statSync(index()).mode & 0o777).toBe(0o600)
})

test('a job is read again after its file changed', async () => {
  forge(true)
  const [{ path } = { path: '' }] = await jobs()
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)

  expect(new Set(await profiles())).toEqual(new Set(['forged', 'sandbox']))
  expect(await profiles()).toContain('sandbox')
})

describe('an index', () => {
  test.each([
    ['that is gone', () => rmSync(index())],
    ['that is no database', () => writeFileSync(index(), 'not a database at all, not at all'.repeat(99))],
    ['that is empty', () => writeFileSync(index(), '')],
    ['that is cut short', () => writeFileSync(index(), readFileSync(index()).subarray(0, 5000))],
    [
      'of another form',
      () => void entries((database) => database.exec('DROP TABLE ended; CREATE TABLE ended (name, mark, job)')),
    ],
    ['with a changed entry', () => forge(false)],
    [
      'that others can change',
      () => {
        forge(true)
        chmodSync(index(), 0o666)
      },
    ],
    [
      'that is a link',
      () => {
        forge(true)
        renameSync(index(), `${index()}.moved`)
        symlinkSync(`${index()}.moved`, index())
      },
    ],
    [
      'in a folder where nothing can be written',
      () => {
        forge(false)
        chmodSync(index(), 0o400)
        chmodSync(folder(), 0o500)
      },
    ],
  ])('%s changes nothing', async (_, damage) => {
    const before = await jobs()
    damage()

    const { exitCode, stdout, stderr } = await promo('jobs list --json')

    expect({ exitCode, stderr, listed: JSON.parse(stdout) }).toEqual({ exitCode: 0, stderr: '', listed: before })
    chmodSync(folder(), 0o700)
  })

  test('that was damaged is written again', async () => {
    writeFileSync(index(), 'not a database at all, not at all'.repeat(99))
    await jobs()
    await jobs()

    expect(entries()).toHaveLength(2)
  })

  test.each([
    ['discarded', (id: string) => ['jobs', 'discard', id, '--yes']],
    ['pruned', () => ['jobs', 'prune', '--older-than', '1ms', '--yes']],
  ])('has nothing of a job that was %s', async (_, argv) => {
    const [{ id } = { id: '' }] = await jobs()

    await promo(argv(id))

    expect(existsSync(index()) ? readFileSync(index(), 'latin1') : '').not.toContain(id)
  })
})

test('a table has the newest fifty, and says how to see the others', async () => {
  const [{ path } = { path: '' }] = await jobs()
  for (let at = 0; at < 50; at += 1)
    copyFileSync(path, path.replace(/-\w{6}\./, `-00000${String(at).padStart(2, '0')}.`.replace('-00000', '-0000')))

  const table = await promo('jobs list')
  const all = await promo('jobs list --all')

  expect(table.stdout.split('\n')).toHaveLength(52)
  expect(table.stderr).toBe('the newest 50 jobs; there are more: add --all, or --limit N\n')
  expect(all.stdout.split('\n')).toHaveLength(54)
  expect(all.stderr).toBe('')
  expect(await jobs()).toHaveLength(52)
})
