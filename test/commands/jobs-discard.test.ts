// How `jobs discard` gives a job up: its command line is free again, and the outcomes of its rows are kept.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jobFileAt } from '../../src/bulk/journal/job.ts'
import { takeLock } from '../../src/bulk/journal/lock.ts'
import { disable, jobDesk, sent, stopEarly, summaryOf, twoEvents } from '../support/jobs.ts'

const desk = jobDesk()
const { promo, input, leaked, jobs, newestJob, serve, env } = desk

/** A job that stopped early, whose input changed since. */
async function stuck(...more: string[]) {
  const path = leaked()
  const command = disable(path, '--jsonl', '--concurrency', '1', ...more)
  await promo(command, stopEarly)
  writeFileSync(path, 'code\nMORNING\nWEEKEND\n')
  return command
}

describe('jobs discard', () => {
  test('is named, beside resuming, by the refusal that it ends', async () => {
    const command = await stuck()
    const id = await newestJob()

    const refused = await promo(command)
    const discarded = await promo(`jobs discard ${id} --yes`)
    const again = await promo(command)

    expect(refused).toEnd(9, `promo jobs resume ${id}`, `promo jobs discard ${id}`)
    expect(discarded.exitCode, discarded.stderr).toBe(0)
    expect(summaryOf(again.stdout)).toMatchObject({ total: 2, before: 0, ok: 2 })
  })

  test('keeps a report, which only its owner can read and which is an input', async () => {
    await stuck()
    const [job] = await jobs()

    const { stdout } = await promo(`jobs discard ${job?.id} --yes --json`)

    const { report, done, total, state } = JSON.parse(stdout)[0]
    const lines = readFileSync(report, 'utf8').trim().split('\n')
    expect({ done, total, state }).toEqual({ done: job?.done, total: 200, state: 'stopped' })
    expect(lines[0]).toMatch(/^code.*promo_line,promo_state/)
    expect(lines).toHaveLength(201)
    expect(lines.filter((line) => line.includes(',pending,'))).toHaveLength(200 - (job?.done ?? 0))
    expect(statSync(report).mode & 0o777).toBe(0o600)
    expect(existsSync(job?.path ?? '')).toBe(false)
    const planned = await promo(`vouchers disable --from ${report} --dry-run --profile sandbox`)
    expect(planned.stderr).toContain('would disable 200 vouchers')
  })

  test.each(['jsonl', 'csv'])(
    'keeps a report of rows that count twice, which says so as an input (%s)',
    async (form) => {
      const server = await serve([sent])
      const rows = 'event,customer.source_id\ne,a\ne,b\n'
      const file = form === 'csv' ? input('e.csv', rows) : input('e.jsonl', twoEvents)
      await promo(`events send --from ${file} --yes --jsonl --concurrency 1`, {
        ...stopEarly,
        env: env(),
      })
      const discarded = await promo(['jobs', 'discard', await newestJob(), '--yes', '--json'])
      const [{ report }] = JSON.parse(discarded.stdout)
      const before = server.asked.length

      const { exitCode, stderr } = await promo(`events send --from ${report}`, { env: env(), stdin: '' })

      expect([exitCode, server.asked.length]).toEqual([11, before])
      expect(stderr).toMatch(/warning: \d rows? of the input, which is the report of a job, may be applied already/)
    },
  )

  test('asks first, says what is lost, and only plans with --dry-run', async () => {
    await stuck()
    const [job] = await jobs()

    const asked = await promo(`jobs discard ${job?.id}`, { stdin: '' })
    const planned = await promo(`jobs discard ${job?.id} --dry-run --csv --columns id`)

    expect(asked).toEnd(
      11,
      `discard job ${job?.id} (vouchers disable), which has ${200 - (job?.done ?? 0)} of 200 rows left?`,
    )
    expect(planned.stdout).toBe(`id\n${job?.id}\n`)
    expect(await jobs()).toMatchObject([{ id: job?.id, state: 'stopped' }])
  })

  test('of events says how many would count twice', async () => {
    await serve(() => sent)
    await promo(`events send --from ${input('events.jsonl', twoEvents)} --yes`, { env: env() })

    const { stderr } = await promo(['jobs', 'discard', await newestJob()], { stdin: '' })

    expect(stderr).toContain('so that its command line sends 2 rows again, which count twice')
  })

  test('frees a folder of its own, and all shards in one', async () => {
    const dir = join(desk.folder, 'own')
    const command = await stuck('--journal', dir)
    const refused = await promo(command)
    await promo(`jobs discard ${dir} --yes`)
    const again = await promo(command)

    expect(refused.stderr).toContain(`promo jobs discard ${join(dir, 'job.sqlite')}`)
    expect(summaryOf(again.stdout)).toMatchObject({ total: 2, ok: 2 })

    const shards = join(desk.folder, 'shards')
    for (const shard of ['0/2', '1/2']) await promo(disable(leaked(), '--shard', shard, '--journal', shards))
    const both = await promo(['jobs', 'discard', shards, '--yes', '--csv', '--columns', 'state'])
    const whole = await promo(disable(leaked(), '--journal', shards))

    expect(both.stdout).toBe('state\nfinished\nfinished\n')
    expect(whole.exitCode).toBe(0)
  })

  test('puts a damaged journal aside', async () => {
    const command = await stuck()
    const [job] = await jobs()
    writeFileSync(job?.path ?? '', 'not a journal')

    const { stdout } = await promo(`jobs discard ${job?.id} --yes --json`)
    const again = await promo(command)

    expect(JSON.parse(stdout)).toMatchObject([{ id: job?.id, state: 'damaged', report: `${job?.path}.damaged` }])
    expect(readFileSync(`${job?.path}.damaged`, 'utf8')).toBe('not a journal')
    expect(summaryOf(again.stdout)).toMatchObject({ total: 2 })
  })

  test('waits while a process has the job', async () => {
    await stuck()
    const [job] = await jobs()
    const holder = { pid: 4711, host: 'elsewhere', since: '2026-05-06T07:08:09.000Z' }
    const lock = await takeLock(jobFileAt(job?.path ?? '').lockPath, holder)

    const { exitCode } = await promo(`jobs discard ${job?.id} --yes`)
    lock.release()

    expect(exitCode).toBe(8)
    expect(existsSync(job?.path ?? '')).toBe(true)
  })
})
