// What `jobs list` shows of finished, stopped, running, killed and damaged jobs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { knownJobs } from '../../src/cli/bulk/known-jobs.ts'
import { codes, disable, jobDesk, type Listed, stopEarly } from '../support/jobs.ts'
import { killBeforeEnd } from '../support/journals.ts'

const desk = jobDesk()
const { leaked, promo, input, jobs } = desk

describe('jobs list', () => {
  test('reports that there are none, or shows nothing, in the requested format', async () => {
    const table = await promo('jobs list')
    const json = await promo('jobs list --json')
    const jsonl = await promo('jobs list --jsonl')
    const csv = await promo('jobs list --csv')

    expect([table.stdout, table.stderr]).toEqual(['', 'no jobs found\n'])
    expect(json.stdout).toBe('[]\n')
    expect(jsonl.stdout).toBe('')
    expect(csv.stdout).toMatch(/^id,shard,command,profile,state,done,total,wrong,created_at,why,[^\n]*\n$/)
  })

  test('shows a finished job with its rows', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nNO-1\n')))

    const { exitCode, stdout } = await promo('jobs list')

    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^id +command +profile +state +done +total +wrong +created_at \(UTC\) +why\n/)
    expect(stdout).toMatch(/\n\d{8}-[a-z0-9]{6} +vouchers disable +sandbox +finished +2 +2 +1 +\d{4}-\d\d-\d\d /)
  })

  test('does not show one that another process removes while the list is made', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    const path = String((await jobs())[0]?.path)
    const file = { name: 'there', path, lockPath: '' }
    const gone = { ...file, name: 'gone', path: `${path}.gone` }

    expect(knownJobs(dirname(path), [gone, file]).map(({ file: { name }, problem }) => [name, problem])).toEqual([
      ['there', undefined],
    ])
  })

  test('shows many, newest first, up to the requested number', async () => {
    for (const [day, code] of ['MORNING', 'WEEKEND', 'SORRY5'].entries()) {
      const now = () => Date.parse(`2026-05-0${day + 1}T10:00:00Z`)
      await promo(disable(input(`${code}.csv`, `code\n${code}\n`)), { now })
    }

    const all = await jobs()
    const two = await promo('jobs list --limit 2 --csv --columns created_at')

    expect(all.map(({ created_at }) => created_at)).toEqual([
      '2026-05-03T10:00:00.000Z',
      '2026-05-02T10:00:00.000Z',
      '2026-05-01T10:00:00.000Z',
    ])
    expect(two.stdout).toBe('created_at\n2026-05-03T10:00:00.000Z\n2026-05-02T10:00:00.000Z\n')
  })

  test('shows why a job stopped', async () => {
    await promo(disable(leaked(), '--jsonl', '--concurrency', '1'), stopEarly)

    const [job] = await jobs()

    expect(job).toMatchObject({ state: 'stopped', why: 'it was told to stop', ended_by: 'signal', total: 200 })
    expect(job?.done).toBeGreaterThan(0)
    expect(job?.done).toBeLessThan(200)
  })

  test('shows that nobody read the output any more, where a closed pipe stopped the job', async () => {
    await promo(disable(leaked(), '--jsonl', '--concurrency', '1'), { onStdout: (_, stop) => stop('EPIPE') })

    const [job] = await jobs()

    expect(job).toMatchObject({
      state: 'stopped',
      why: 'the reader of its output closed the pipe',
      ended_by: 'consumer',
    })
  })

  test('keeps the command of each job at 80 columns, also where one was undone, and says what it changed', async () => {
    await promo('loyalty points add CLUB-001 CLUB-002 --points 5 --yes --profile sandbox')
    const shown = await promo('jobs show latest --csv --columns changed')
    await promo('jobs undo latest --yes')

    const { stdout } = await promo('jobs list --no-color', { terminal: { columns: 80 } })

    expect(shown.stdout).toBe('changed\n2\n')
    expect(stdout).toMatch(/^\S+ +loyalty points remove +finished/m)
    expect(stdout).toMatch(/^\S+ +loyalty points add +undone/m)
  })

  test('shows a job whose process is gone as killed', async () => {
    await promo(disable(leaked(), '--jsonl', '--concurrency', '1'), stopEarly)
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')

    expect((await jobs())[0]).toMatchObject({ state: 'stopped', why: 'its process was killed', pid: null })
  })

  test('shows which process runs a job, without disturbing it', async () => {
    const path = input('codes.csv', 'code\nMORNING\nWEEKEND\nSORRY5\n')
    let seen: Promise<Listed[]> | undefined

    const { exitCode } = await promo(disable(path, '--jsonl', '--concurrency', '1', '--rate', '2/s'), {
      onStdout: () => {
        seen ??= jobs()
      },
    })

    expect(exitCode).toBe(0)
    expect(await seen).toMatchObject([
      { state: 'running', why: expect.stringMatching(`^process ${process.pid} on `), pid: process.pid, total: 3 },
    ])
    expect(await jobs()).toMatchObject([{ state: 'finished', pid: null }])
  })

  test('does not confuse a killed job with the running one of the same command line', async () => {
    const command = disable(input('codes.csv', codes(3)), '--jsonl', '--concurrency', '1', '--rate', '2/s')
    await promo(command, stopEarly)
    const [killed] = await jobs()
    killBeforeEnd(killed?.path ?? '')
    let seen: Promise<Listed[]> | undefined

    await promo([...command, '--restart'], {
      onStdout: () => {
        seen ??= jobs()
      },
    })

    expect((await seen)?.map(({ state }) => state)).toEqual(['running', 'stopped'])
  })

  test.each([
    ['that is cut short', (bytes: Buffer) => bytes.subarray(0, 5000), 'the journal is damaged'],
    ['that is no journal', () => Buffer.from('not a database at all, not at all'), 'the journal is damaged'],
    ['that is empty', () => Buffer.alloc(0), 'not a journal of promo'],
    [
      'of a later format',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 63), Buffer.of(9), bytes.subarray(64)]),
      'the journal was written by another version of promo: it has format 9',
    ],
  ])('shows a file %s as damaged, next to the others', async (_, broken, why) => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    const [job] = await jobs()
    writeFileSync(job?.path ?? '', broken(readFileSync(job?.path ?? '')))
    await promo(disable(input('others.csv', 'code\nWEEKEND\n')))

    const listed = await jobs()

    expect(listed.find(({ id }) => id === job?.id)).toMatchObject({
      state: 'damaged',
      why: expect.stringContaining(why),
    })
    expect(new Set(listed.map(({ state }) => state))).toEqual(new Set(['damaged', 'finished']))
  })

  test('of a folder lists the shards in their order', async () => {
    const path = input('codes.csv', 'code\nMORNING\nWEEKEND\nSORRY5\nBEANS10\n')
    const dir = join(desk.folder, 'shards')
    for (const shard of ['2/3', '0/3', '1/3']) await promo(disable(path, '--journal', dir, '--shard', shard))

    const { stdout } = await promo(`jobs list --journal ${dir} --csv --columns shard,state`)

    expect(stdout).toBe('shard,state\n0/3,finished\n1/3,finished\n2/3,finished\n')
    expect(await jobs()).toEqual([])
  })

  test('creates nothing in a state folder that does not exist yet', async () => {
    await promo('jobs list')

    expect(readdirSync(desk.folder)).toEqual([])
  })
})
