// How `jobs undo` reverses a job.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jobFileAt } from '../../src/bulk/journal/job.ts'
import { takeLock } from '../../src/bulk/journal/lock.ts'
import { codes, disable, jobDesk, onSandbox, stopEarly, summaryOf, voucher } from '../support/jobs.ts'
import { forgetChange } from '../support/journals.ts'
import type { Action } from '../support/scripted-server.ts'

const desk = jobDesk()
const { leaked, promo, input, jobs, newestJob, rowsOf, env } = desk

async function isActive(code: string): Promise<boolean> {
  return JSON.parse((await promo(['vouchers', 'get', code, '--json', ...onSandbox])).stdout).active
}

describe('jobs undo', () => {
  test('enables exactly the vouchers that the job disabled', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nPAUSED\nNO-1\nWEEKEND\n')))
    const id = await newestJob()

    const plan = await promo(['jobs', 'undo', id, '--dry-run', '--csv', '--columns', 'url'])
    const { exitCode, stderr } = await promo(['jobs', 'undo', id, '--yes'])

    expect(plan.stdout.match(/vouchers\/\w+\/enable/g)).toEqual(['vouchers/MORNING/enable', 'vouchers/WEEKEND/enable'])
    expect(exitCode).toBe(0)
    expect(stderr).toContain('enabled 2 vouchers (2 rows in')
    expect([await isActive('MORNING'), await isActive('PAUSED'), await isActive('WEEKEND')]).toEqual([
      true,
      false,
      true,
    ])
    const [undo, undone] = await jobs()
    expect(undo).toMatchObject({ command: 'vouchers enable', state: 'finished', undoes: id })
    expect(undone).toMatchObject({ id, state: 'undone', why: `by job ${undo?.id}`, undone_by: undo?.id })
    expect((await rowsOf(undo?.id ?? '')).map(({ code, promo_line }) => [code, promo_line])).toEqual([
      ['MORNING', 2],
      ['WEEKEND', 5],
    ])
  })

  test('of an enable disables again, and can itself be undone', async () => {
    await promo(['vouchers', 'enable', 'PAUSED', 'MORNING', '--yes', ...onSandbox])
    await promo(['jobs', 'undo', await newestJob(), '--yes'])
    const between = await isActive('PAUSED')

    await promo(['jobs', 'undo', await newestJob(), '--yes'])

    expect([between, await isActive('PAUSED'), await isActive('MORNING')]).toEqual([false, true, true])
  })

  test('asks first', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')))

    const { exitCode, stderr } = await promo(['jobs', 'undo', await newestJob()], { stdin: '' })

    expect(exitCode).toBe(11)
    expect(stderr).toContain('enable 2 vouchers in ')
    expect(await jobs()).toMatchObject([{ state: 'finished' }])
  })

  test('that was stopped is resumed by the same line, which reports when it is complete', async () => {
    await promo(disable(leaked()))
    const id = await newestJob()
    await promo(['jobs', 'undo', id, '--yes', '--jsonl', '--concurrency', '1'], stopEarly)
    const [undo] = await jobs()

    const second = await promo(['jobs', 'undo', id, '--yes'])
    const third = await promo(['jobs', 'undo', id, '--yes', '--verbose'])

    expect(undo).toMatchObject({ state: 'stopped', undoes: id })
    expect(second.exitCode).toBe(0)
    expect(second.stderr).toContain(`job ${undo?.id} undoes job ${id}`)
    expect(third.exitCode).toBe(0)
    expect(third.stderr).toContain(`nothing left to do: job ${undo?.id} enabled these rows on`)
    expect(third.stderr).not.toContain('> POST')
    expect(await jobs()).toHaveLength(2)
  })

  test('of a stopped job ends it: it is neither resumed nor continued by its command line', async () => {
    const command = disable(leaked(), '--jsonl', '--concurrency', '1')
    await promo(command, stopEarly)
    const [job] = await jobs()
    await promo(['jobs', 'undo', job?.id ?? '', '--yes'])

    const resumed = await promo(['jobs', 'resume', job?.id ?? '', '--yes', '--verbose'])
    const retried = await promo(['jobs', 'retry', job?.id ?? '', '--only', 'failed', '--yes'])
    const again = await promo(command)

    expect([resumed.exitCode, retried.exitCode]).toEqual([9, 9])
    expect(resumed.stderr).toMatch(/job \S+ cannot be resumed: job \S+ undid it; nothing was sent/)
    expect(resumed.stderr).not.toContain('> POST')
    expect(summaryOf(again.stdout)).toMatchObject({ total: 200, before: 0, changed: 200 })
  })

  test('names rows whose change is unknown, leaves them unchanged, and exits 6', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')))
    const [job] = await jobs()
    forgetChange(job?.path ?? '', 1)

    const { exitCode, stderr } = await promo(['jobs', 'undo', job?.id ?? '', '--yes'])

    expect(exitCode).toBe(6)
    expect(stderr).toContain(
      '1 row is left alone, because it is unknown whether the job changed them: MORNING (line 2); see them with: promo jobs report',
    )
    expect([await isActive('MORNING'), await isActive('WEEKEND')]).toEqual([false, true])
  })

  test('names such rows, and exits 6, also when it is resumed and when it is complete', async () => {
    await promo(disable(leaked()))
    const [job] = await jobs()
    forgetChange(job?.path ?? '', 1)
    await promo(['jobs', 'undo', job?.id ?? '', '--yes', '--jsonl', '--concurrency', '1'], stopEarly)

    const resumed = await promo(['jobs', 'undo', job?.id ?? '', '--yes'])
    const complete = await promo(['jobs', 'undo', job?.id ?? '', '--yes'])

    expect([resumed.exitCode, complete.exitCode]).toEqual([6, 6])
    for (const { stderr } of [resumed, complete]) expect(stderr).toContain('1 row is left alone, because it is unknown')
  })

  test('of a job in its own folder is recorded there too', async () => {
    const dir = join(desk.folder, 'own')
    const command = disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n'), '--journal', dir)
    await promo(command)
    await promo(['jobs', 'undo', dir, '--yes'])

    const listed = await promo(['jobs', 'list', '--journal', dir, '--csv', '--columns', 'state'])
    const again = await promo(command)

    expect(listed.stdout).toBe('state\nundone\n')
    expect(again.exitCode).toBe(9)
    expect(again.stderr).toContain('undid it')
  })

  test('waits while the job runs', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')))
    const [job] = await jobs()
    const holder = { pid: 4711, host: 'elsewhere', since: '2026-05-06T07:08:09.000Z' }
    const lock = await takeLock(jobFileAt(job?.path ?? '').lockPath, holder)

    const { exitCode } = await promo(['jobs', 'undo', job?.id ?? '', '--yes'])
    lock.release()

    expect(exitCode).toBe(8)
  })

  test('of a job that changed nothing sends nothing', async () => {
    await promo(disable(input('codes.csv', 'code\nPAUSED\nNO-1\n')))
    const id = await newestJob()

    const { exitCode, stderr } = await promo(['jobs', 'undo', id, '--yes'])

    expect(exitCode).toBe(0)
    expect(stderr).toBe(`job ${id} changed nothing that could be undone\n`)
    expect(await jobs()).toHaveLength(1)
  })

  test.each([
    ['vouchers create', ['vouchers', 'create', 'N-1', 'N-2', '--type', 'GIFT_VOUCHER', '--set', 'gift.amount=1']],
    ['vouchers delete', ['vouchers', 'delete', 'MORNING', 'WEEKEND']],
  ])('of %s is refused, with the jobs that can be undone', async (name, command) => {
    await promo([...command, '--yes', ...onSandbox])

    const { exitCode, stderr } = await promo(['jobs', 'undo', await newestJob(), '--yes'])

    expect(exitCode).toBe(2)
    expect(stderr).toContain(`a job of "${name}" cannot be undone`)
    expect(stderr).toContain('only "vouchers disable" and "vouchers enable" can be undone')
  })

  test('never acts with another key on its own', async () => {
    const server = await desk.serve((asked) => {
      const { body, ...rest } = voucher(asked) as Extract<Action, { do: 'answer' }>
      return { ...rest, body: { ...(body as object), updated_at: new Date().toISOString() } }
    })
    await promo(['vouchers', 'disable', '--from', input('c.csv', codes(3)), '--yes'], { env: env() })
    const asked = server.asked.length

    const { exitCode, stderr } = await promo(['jobs', 'undo', await newestJob(), '--yes'], {
      env: { ...env(), PROMO_APP_ID: 'other' },
    })

    expect(exitCode).toBe(9)
    expect(stderr).toContain('it was begun with another key')
    expect(server.asked).toHaveLength(asked)
    expect(await jobs()).toHaveLength(1)
  })
})
