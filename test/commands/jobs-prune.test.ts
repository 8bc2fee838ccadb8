// What `jobs prune` removes and what it keeps.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jobFileAt } from '../../src/bulk/journal/job.ts'
import { takeLock } from '../../src/bulk/journal/lock.ts'
import { disable, jobDesk, type Listed, sent, stopEarly, twoEvents } from '../support/jobs.ts'

const desk = jobDesk()
const { leaked, promo, input, jobs, newestJob, env } = desk

describe('jobs prune', () => {
  const inTwoMonths = () => Date.now() + 60 * 86_400_000

  test('removes nothing where there are no jobs', async () => {
    const table = await promo('jobs prune')
    const json = await promo('jobs prune --json')

    expect([table.exitCode, table.stdout, table.stderr]).toEqual([0, '', 'nothing to remove\n'])
    expect(json.stdout).toBe('[]\n')
  })

  test('removes jobs finished a month ago, after confirmation', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    const id = await newestJob()

    const early = await promo('jobs prune --yes')
    const unasked = await promo('jobs prune', { now: inTwoMonths, stdin: '' })
    const plan = await promo('jobs prune --dry-run --csv --columns kind,id,state', {
      now: inTwoMonths,
    })
    const kept = await jobs()
    const { exitCode, stdout } = await promo('jobs prune --yes --csv --columns kind,id', {
      now: inTwoMonths,
    })

    expect(early.stderr).toBe('nothing to remove\n')
    expect([unasked.exitCode, kept.length]).toEqual([11, 1])
    expect(unasked.stderr).toContain('remove 1 job for good?')
    expect(plan.stdout).toBe(`kind,id,state\njob,${id},finished\nlock,,\n`)
    expect([exitCode, stdout]).toEqual([0, `kind,id\njob,${id}\nlock,\n`])
    expect(readdirSync(join(desk.folder, 'state/jobs'))).toEqual([])
  })

  test('keeps unfinished and damaged jobs by default', async () => {
    await promo(disable(leaked(), '--jsonl', '--concurrency', '1'), stopEarly)
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    const [damaged, stopped] = await jobs()
    writeFileSync(damaged?.path ?? '', 'garbage')

    const careful = await promo('jobs prune --yes --json', { now: inTwoMonths })
    const all = await promo('jobs prune --unfinished --yes --json', { now: inTwoMonths })

    expect(careful.stdout).toBe('[]\n')
    expect(new Set(JSON.parse(all.stdout).map(({ id }: Listed) => id))).toEqual(
      new Set([damaged?.id, stopped?.id, null]),
    )
    expect(await jobs()).toEqual([])
  })

  test('never removes a job that a process holds', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    const [job] = await jobs()
    const { lockPath } = jobFileAt(job?.path ?? '')
    const lock = await takeLock(lockPath, { pid: 4711, host: 'elsewhere', since: '2026-05-06T07:08:09.000Z' })

    const { stdout, stderr } = await promo('jobs prune --unfinished --yes --json', { now: inTwoMonths })
    lock.release()

    expect(stdout).toBe('[]\n')
    expect(stderr).toContain('is in use again and was kept')
    expect(await jobs()).toHaveLength(1)
  })

  test('removes the drafts of killed processes, but not one that is being written', async () => {
    const dir = join(desk.folder, 'state/jobs')
    mkdirSync(dir, { recursive: true })
    for (const name of ['draft-00aa.sqlite', 'draft-00bb.sqlite', 'draft-00aa.sqlite-journal', 'notes.txt']) {
      writeFileSync(join(dir, name), '')
    }
    utimesSync(join(dir, 'draft-00aa.sqlite'), 1, 1)

    const { stdout } = await promo('jobs prune --csv --columns kind,path')

    expect(stdout).toBe(`kind,path\ndraft,${join(dir, 'draft-00aa.sqlite')}\n`)
    expect(readdirSync(dir).toSorted()).toEqual(['draft-00bb.sqlite', 'notes.txt'])
  })

  test('keeps the undo of a job as long as the job, because it records that the job was undone', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')), { now: () => Date.now() + 50 * 86_400_000 })
    const [job] = await jobs()
    await promo(`jobs undo ${job?.id} --yes`)

    const careful = await promo('jobs prune --yes --json', { now: inTwoMonths })
    const both = await promo('jobs prune --older-than 1d --yes --json --query [].kind', {
      now: inTwoMonths,
    })

    expect(careful.stdout).toBe('[]\n')
    expect(JSON.parse(both.stdout).filter((kind: string) => kind === 'job')).toHaveLength(2)
  })

  test('names the protection lost with a removed job of events', async () => {
    const _server = await desk.serve([sent])
    const send = ['events', 'send', '--from', input('e.jsonl', twoEvents), '--yes']
    await promo(send, { env: env() })
    await promo([...send, '--on-ambiguous', 'retry'], { env: env() })

    const { stderr } = await promo('jobs prune', { now: inTwoMonths, stdin: '' })

    expect(stderr).toContain('remove 2 jobs for good (2 of them keep events from being sent twice)?')
  })
})
