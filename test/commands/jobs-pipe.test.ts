// A job from a pipe that was stopped, and the same command line with another content of the pipe.
import { beforeEach, describe, expect, test } from 'vitest'
import { jobFileAt } from '../../src/bulk/journal/job.ts'
import { takeLock } from '../../src/bulk/journal/lock.ts'
import { jobDesk, sent, stopEarly, summaryOf, twoEvents, voucher } from '../support/jobs.ts'

const desk = jobDesk()
const { promo, env, jobs, newestJob } = desk

const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `{"event":"e","customer":{"source_id":"c-${from + at}"}}\n`).join('')

const send = (...more: string[]) => [
  ...'events send --from - --input-format jsonl --yes --jsonl --concurrency 1'.split(' '),
  ...more,
]

describe('a pipe of events whose job was stopped', () => {
  let asked: readonly unknown[]

  beforeEach(async () => {
    asked = (await desk.serve([sent])).asked
    await promo(send(), { ...stopEarly, env: env(), stdin: lines(0, 200) })
    expect(await jobs()).toMatchObject([{ state: 'stopped' }])
  })

  test.each([
    ['grew', lines(0, 201)],
    ['shrank', lines(0, 199)],
    ['is another', lines(500, 5)],
  ])('is not sent again when its content %s: the job is named, and nothing is sent', async (_, stdin) => {
    const before = asked.length
    const id = await newestJob()

    expect(await promo(send(), { env: env(), stdin })).toEnd(
      9,
      new RegExp(
        `job ${id} of the same command line stopped with \\d+ of 200 rows left, and standard input has changed`,
      ),
      `promo jobs resume ${id}`,
    )
    expect(asked).toHaveLength(before)
    expect(await jobs()).toHaveLength(1)
  })

  test('is sent from its start when --restart asks for it, and the next pipe after that is a new job', async () => {
    const restarted = await promo(send('--restart'), { env: env(), stdin: lines(0, 20) })
    const next = await promo(send(), { env: env(), stdin: lines(900, 3) })

    expect([restarted.exitCode, next.exitCode]).toEqual([0, 0])
    expect(restarted.stderr).toMatch(/warning: job \S+ of the same command line stopped with \d+ of 200 rows left/)
    expect(next.stderr).not.toContain('stopped with')
  })

  test('lets another pipe begin once it was resumed', async () => {
    await promo(['jobs', 'resume', await newestJob(), '--yes'], { env: env() })

    const { exitCode, stdout } = await promo(send(), { env: env(), stdin: lines(500, 5) })

    expect([exitCode, summaryOf(stdout).ok]).toEqual([0, 5])
  })

  test('does not hold up another pipe while it still runs', async () => {
    const [job] = await jobs()
    const holder = { pid: 4711, host: 'elsewhere', since: '2026-05-06T07:08:09.000Z' }
    const lock = await takeLock(jobFileAt(job?.path ?? '').lockPath, holder)

    const { exitCode, stderr } = await promo(send(), { env: env(), stdin: lines(500, 5) })
    lock?.release()

    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('stopped with')])
  })

  test('does not hold up another command line', async () => {
    expect(await promo(send('--on-ambiguous', 'retry'), { env: env(), stdin: lines(500, 5) })).toEnd(0)
  })
})

test('another pipe of codes begins a new job, and names the stopped one', async () => {
  await desk.serve(voucher)
  const command = ['vouchers', 'disable', '--from', '-', '--input-format', 'lines', '--yes', '--concurrency', '1']
  const codes = (count: number) => Array.from({ length: count }, (_, at) => `C-${at}\n`).join('')
  await promo([...command, '--jsonl'], { ...stopEarly, env: env(), stdin: codes(200) })
  const id = await newestJob()

  expect(await promo(command, { env: env(), stdin: codes(3) })).toEnd(0, `to resume the other: promo jobs resume ${id}`)
})

describe('--restart of events', () => {
  test('says how many would count twice, before it asks', async () => {
    const server = await desk.serve([sent, { do: 'reset' }])
    const path = desk.input('e.jsonl', twoEvents)
    const command = ['events', 'send', '--from', path, '--concurrency', '1']
    await promo([...command, '--yes'], { env: env() })

    expect(await promo([...command, '--restart'], { env: env(), stdin: '' })).toEnd(
      11,
      /warning: job \S+ sent 1 row, and 1 more may have arrived; --restart sends them again, and they count twice/,
    )
    expect(server.asked).toHaveLength(2)
  })
})
