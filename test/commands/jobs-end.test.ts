// Jobs with nothing left to do: how the same command line treats them.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codes, disable, jobDesk, onSandbox, sent, summaryOf, twoEvents } from '../support/jobs.ts'
import { killBeforeEnd, loseOutcome } from '../support/journals.ts'

const desk = jobDesk()
const { promo, input, jobs, newestJob, rowsOf, env } = desk

describe('a job that is killed after its last outcome, before its end mark', () => {
  const create = (...more: string[]) => [
    ...'vouchers create --from'.split(' '),
    join(desk.folder, 'new.csv'),
    ...'--type GIFT_VOUCHER --set gift.amount=100 --yes'.split(' '),
    ...onSandbox,
    ...more,
  ]
  const told = (id: string, ends: string) =>
    `nothing left to do: job ${id} created these rows on 2026-05-06 07:08 UTC; --restart creates them again\n${ends}\n`

  test('is ended by the same command line, which sends nothing and summarises the outcomes', async () => {
    input('new.csv', codes(3))
    await promo(create())
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')

    const { exitCode, stdout, stderr } = await promo(create('--verbose'))

    expect([exitCode, stdout]).toEqual([0, ''])
    expect(stderr).toBe(told(job?.id ?? '', 'created 3 vouchers (3 rows, 3 of them before, in 0.0 s)'))
    expect(await jobs()).toMatchObject([{ id: job?.id, state: 'finished', done: 3, wrong: 0, ended_by: 'done' }])
  })

  test('ends with the exit code of its outcomes, and counts them in JSON Lines', async () => {
    input('new.csv', 'code\nC-0\nMORNING\n')
    await promo(create())
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')

    const { exitCode, stdout, stderr } = await promo(create('--jsonl'))

    expect(exitCode).toBe(3)
    expect(summaryOf(stdout)).toMatchObject({ job: job?.id, total: 2, before: 2, ok: 1, conflict: 1, pending: 0 })
    expect(stderr).toContain('created 1 voucher, 1 in conflict (2 rows, 2 of them before, in 0.0 s)')
  })

  test('is then finished: the same command line begins a new job', async () => {
    const command = disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n'))
    await promo(command)
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')
    await promo(command)

    expect((await promo(command)).stderr).toContain('disabled 0 vouchers, 2 already off (2 rows in ')
    expect(await jobs()).toHaveLength(2)
  })

  test('is listed as stopped, with the way to end it', async () => {
    input('new.csv', codes(3))
    await promo(create())
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')

    const { stdout } = await promo(`jobs show ${job?.id} --json`)

    expect(await jobs()).toMatchObject([{ state: 'stopped', done: 3, ended_by: null }])
    expect(JSON.parse(stdout).next).toEqual({ resume: `promo jobs resume ${job?.id}` })
  })

  test('is ended by its id as well', async () => {
    input('new.csv', codes(3))
    await promo(create())
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')

    const ran = await promo(`jobs resume ${job?.id} --yes`)

    expect(ran).toEnd(0, 'created 3 vouchers (3 rows, 3 of them before, in 0.0 s)')
    expect((await jobs())[0]).toMatchObject({ ended_by: 'done' })
  })

  test('is left unchanged by --dry-run', async () => {
    input('new.csv', codes(3))
    await promo(create())
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')

    expect((await promo(create('--dry-run'))).stderr).toContain('would create 0 vouchers')
    expect(await jobs()).toMatchObject([{ id: job?.id, ended_by: null }])
  })

  test.each([['unknown'], ['retry']])(
    'is ended without sending an event twice, with --on-ambiguous %s',
    async (onAmbiguous) => {
      const server = await desk.serve([sent])
      const path = input('e.jsonl', twoEvents)
      const command = ['events', 'send', '--from', path, '--yes', '--on-ambiguous', onAmbiguous]
      await promo(command, { env: env() })
      const [job] = await jobs()
      killBeforeEnd(job?.path ?? '')

      expect(await promo(command, { env: env() })).toEnd(0, 'sent 2 events (2 rows, 2 of them before, in 0.0 s)')
      expect(server.asked).toHaveLength(2)
      expect(await jobs()).toMatchObject([{ id: job?.id, ended_by: 'done' }])
    },
  )

  test('counts an event in flight as unknown, also in its journal', async () => {
    const server = await desk.serve([sent])
    const command = ['events', 'send', '--from', input('e.jsonl', twoEvents), '--yes']
    await promo(command, { env: env() })
    const [job] = await jobs()
    loseOutcome(job?.path ?? '', 2)
    killBeforeEnd(job?.path ?? '')

    expect(await promo(command, { env: env() })).toEnd(6)
    expect(server.asked).toHaveLength(2)
    expect(await rowsOf(job?.id ?? '', '--only', 'unknown')).toMatchObject([{ promo_line: 2, promo_attempts: 0 }])
    expect((await jobs())[0]).toMatchObject({ ended_by: 'done', wrong: 1 })
  })
})

describe('the same command line, when its job of calls that happen twice is complete', () => {
  const command = () => ['events', 'send', '--from', join(desk.folder, 'e.jsonl'), '--yes']

  test.each([
    ['', []],
    [', also when it may send a lost one twice', ['--on-ambiguous', 'retry']],
  ])('reports it, sends nothing, and names the way to send them again%s', async (_, more) => {
    const server = await desk.serve([sent])
    input('e.jsonl', twoEvents)
    await promo([...command(), ...more], { env: env() })
    const id = await newestJob()

    const { exitCode, stdout, stderr } = await promo([...command(), ...more], { env: env() })

    expect([exitCode, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(
      new RegExp(
        `^nothing left to do: job ${id} sent these rows on \\d{4}-.* UTC; --restart sends them again, and they count twice\n$`,
      ),
    )
    expect(server.asked).toHaveLength(2)
  })

  test('ends with the exit code of its outcomes', async () => {
    const _server = await desk.serve([{ do: 'reset' }, sent])
    input('e.jsonl', twoEvents)
    await promo([...command(), '--concurrency', '1'], { env: env() })

    expect(await promo(command(), { env: env() })).toEnd(
      6,
      'sent 1 event, 1 with an unknown outcome',
      `see which rows: promo jobs report ${await newestJob()} --only unknown`,
    )
  })
})

describe('the weekly file under its old name, of rows that count twice', () => {
  const week = (...rows: string[]) => input('week.csv', ['code,points', ...rows, ''].join('\n'))
  const add = (path: string, ...more: string[]) =>
    promo(['loyalty', 'points', 'add', '--from', path, '--profile', 'sandbox', ...more])

  test('is a job of its own after a finished one, and the rows that it had are named and asked about', async () => {
    const first = await add(week('CLUB-001,1', 'CLUB-002,2'), '--yes')
    const same = await add(week('CLUB-001,1', 'CLUB-002,2'), '--yes')
    const other = await add(week('CLUB-003,3', 'CLUB-001,5'), '--yes')
    const mixed = week('CLUB-003,3', 'CLUB-001,7')
    const seen = [await add(mixed, '--dry-run'), await add(mixed), await add(mixed, '--yes')]
    const one = await add(week('CLUB-001,7'))

    expect([first, same, other].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    expect(same.stderr).toContain('nothing left to do')
    expect(other.stderr).not.toContain('already')
    expect(seen.map(({ exitCode }) => exitCode)).toEqual([0, 11, 0])
    const said = /^warning: 1 of 2 rows was in job \S+ of \d{4}-\d\d-\d\d already, which is finished; it counts twice$/m
    for (const { stderr } of seen) expect(stderr).toMatch(said)
    expect(one).toEnd(11, '1 of 1 row was in job')
  })

  test('is refused in the folder of a finished job, with advice that works', async () => {
    const own = join(desk.folder, 'own')
    await add(week('CLUB-001,1', 'CLUB-002,2'), '--yes', '--journal', own)

    const ran = await add(week('CLUB-003,3'), '--yes', '--journal', own)

    expect(ran).toEnd(9, /^try: take another folder for --journal, or give that job up: promo jobs discard /m)
  })
})
