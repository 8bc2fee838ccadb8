// How `jobs resume` continues a stopped job.
import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jobFileAt } from '../../src/bulk/journal/job.ts'
import { takeLock } from '../../src/bulk/journal/lock.ts'
import { codes, disable, jobDesk, leakedCodes, onSandbox, stopEarly, summaryOf, voucher } from '../support/jobs.ts'
import { loseRow } from '../support/journals.ts'
import type { RunOptions } from '../support/promo.ts'

const desk = jobDesk()
const { leaked, promo, input, jobs, newestJob, env } = desk

describe('jobs resume', () => {
  test('sends exactly the remaining rows, with the format and flags of this command line', async () => {
    await promo(disable(leaked(), '--jsonl', '--concurrency', '1'), stopEarly)
    const [job] = await jobs()
    const left = 200 - (job?.done ?? 0)

    const { exitCode, stdout, stderr } = await promo(`jobs resume ${job?.id} --yes --jsonl`)

    expect(exitCode).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(left + 1)
    expect(summaryOf(stdout)).toMatchObject({ t: 'summary', job: job?.id, total: 200, ok: 200, changed: 200 })
    expect(stderr).toContain(`continuing job ${job?.id}: ${left} of 200 rows are left`)
    expect(await jobs()).toMatchObject([{ id: job?.id, state: 'finished', done: 200 }])
  })

  test('asks first, and shows its requests with --dry-run', async () => {
    await promo(disable(leaked(), '--jsonl', '--concurrency', '1'), stopEarly)
    const [job] = await jobs()
    const id = job?.id ?? ''

    const unasked = await promo(`jobs resume ${id}`, { stdin: '' })
    const plan = await promo(`jobs resume ${id} --dry-run --csv --columns method`)

    expect(unasked).toEnd(11, `disable ${200 - (job?.done ?? 0)} vouchers in `)
    expect(plan.exitCode).toBe(0)
    expect(plan.stdout.trimEnd().split('\n')).toHaveLength(201 - (job?.done ?? 0))
    expect((await jobs())[0]?.done).toBe(job?.done)
  })

  test('of a finished job sends nothing, and ends as the job did', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nNO-1\n')))
    const id = await newestJob()

    const table = await promo(`jobs resume ${id} --yes --verbose`)
    const json = await promo(`jobs resume ${id} --yes --json`)
    const jsonl = await promo(`jobs resume ${id} --yes --jsonl`)

    expect([table, json, jsonl].map(({ exitCode }) => exitCode)).toEqual([3, 3, 3])
    expect(table.stderr).toMatch(new RegExp(`nothing left to do: job ${id} disabled these rows on 20.* UTC`))
    expect(table.stderr).not.toContain('> POST')
    expect(json.stdout).toBe('[]\n')
    expect(summaryOf(jsonl.stdout)).toMatchObject({ ok: 1, failed: 1, pending: 0 })
  })

  test('without an id takes the only stopped job', async () => {
    const none = await promo('jobs resume --yes')
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    await promo(disable(leaked(), '--jsonl', '--concurrency', '1'), stopEarly)
    await promo(disable(input('others.csv', 'code\nWEEKEND\n')))

    const { exitCode, stderr } = await promo('jobs resume --yes')

    expect(none).toEnd(2, 'no job on this computer is stopped')
    expect(exitCode).toBe(0)
    expect(stderr).toContain(' of 200 rows are left')
    expect((await jobs()).map(({ state }) => state)).toEqual(['finished', 'finished', 'finished'])
  })

  test('without an id asks which of several stopped jobs, or names them', async () => {
    const [one, other] = [input('one.csv', leakedCodes), input('other.csv', leakedCodes)]
    await promo(disable(one, '--jsonl', '--concurrency', '1'), stopEarly)
    const first = await newestJob()
    await promo(disable(other, '--jsonl', '--concurrency', '1'), stopEarly)
    const second = await newestJob()

    const unasked = await promo('jobs resume --yes', { stdin: '' })
    const chosen = await promo('jobs resume --yes --json', {
      terminal: { columns: 120 },
      answers: [[/which job\?/, '\u001b[B\r']],
    })

    expect(unasked).toEnd(2, `2 jobs are stopped: ${second}, ${first}`, `promo jobs resume ${second}`)
    expect(chosen.exitCode).toBe(0)
    expect((await jobs()).map(({ id, state }) => [id, state])).toEqual([
      [second, 'stopped'],
      [first, 'finished'],
    ])
  })

  test('refuses a changed input, and needs no input that was removed', async () => {
    const path = input('codes.csv', leakedCodes)
    await promo(disable(path, '--jsonl', '--concurrency', '1'), stopEarly)
    const id = await newestJob()
    appendFileSync(path, 'MORE,x\n')

    const changed = await promo(`jobs resume ${id} --yes --verbose`)
    renameSync(path, `${path}.edited`)
    const gone = await promo(`jobs resume ${id} --yes`)

    expect(changed).toEnd(
      9,
      'has changed since the job began; nothing was sent',
      `try: give the file another name, and promo jobs resume ${id} sends the rows as they`,
    )
    expect(changed.stderr).not.toContain('> POST')
    expect(gone).toEnd(0, `"${path}" is gone; its rows are in the journal`)
  })

  test('continues jobs from a pipe, from arguments, and in shards numbered by a scheduler', async () => {
    const stop: RunOptions = { onStdout: (_, stopNow) => stopNow('SIGINT') }
    const lines = leakedCodes.replaceAll(/,.*$/gm, '').split('\n').slice(1, 60)
    const manner = ['--yes', '--jsonl', '--concurrency', '1', ...onSandbox]
    const pipe = ['vouchers', 'disable', '--from', '-', '--input-format', 'lines', ...manner]
    await promo(pipe, { ...stop, stdin: lines.join('\n') })
    await promo(['vouchers', 'disable', ...lines, ...manner], stop)
    await promo(disable(leaked(), ...manner.slice(0, 4), '--shard', 'auto/2'), {
      ...stop,
      env: { JOB_COMPLETION_INDEX: '1' },
    })
    const stopped = await jobs()

    const ended = []
    for (const { id } of stopped) ended.push((await promo(`jobs resume ${id} --yes`)).exitCode)

    expect(stopped.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped'])
    expect(ended).toEqual([0, 0, 0])
    expect((await jobs()).map(({ state }) => state)).toEqual(['finished', 'finished', 'finished'])
  })

  test('works on a job in its own folder, and names the folder in its hints', async () => {
    const dir = join(desk.folder, 'my job')
    const first = await promo(disable(leaked(), '--jsonl', '--concurrency', '1', '--journal', dir), stopEarly)

    const { exitCode } = await promo(`jobs resume "${dir}" --yes`)

    expect(first.stderr).toContain(`resume with: promo jobs resume '${join(dir, 'job.sqlite')}'`)
    expect(exitCode).toBe(0)
  })

  test('finds the files of its flags again from another folder', async () => {
    const name = `body-${process.pid}.json`
    const body = join(desk.folder, name)
    writeFileSync(body, '{"type":"GIFT_VOUCHER","gift":{"amount":100}}')
    const path = input('c.csv', codes(40))
    const here = relative(process.cwd(), body)
    const create = [
      ...'vouchers create --from'.split(' '),
      path,
      '--body',
      `@${here}`,
      ...'--yes --concurrency 1 --jsonl'.split(' '),
    ]
    await promo([...create, ...onSandbox], stopEarly)
    const id = await newestJob()

    const { stdout } = await promo(`jobs show ${id} --json --query command_line`)
    const { exitCode } = await promo(`jobs resume ${id} --yes`)

    expect(stdout).toContain(`--body @${body} `)
    expect(exitCode).toBe(0)
  })

  test('never continues with another key on its own', async () => {
    const server = await desk.serve((asked) => voucher(asked))
    await promo(
      ['vouchers', 'disable', '--from', input('c.csv', codes(40)), '--yes', '--jsonl', '--concurrency', '1'],
      {
        ...stopEarly,
        env: env(),
      },
    )
    const id = await newestJob()
    const asked = server.asked.length

    const ran = await promo(`jobs resume ${id} --yes`, {
      env: { ...env(), PROMO_APP_ID: 'other' },
    })

    expect(ran).toEnd(9, 'it was begun with another key')
    expect(server.asked).toHaveLength(asked)
  })

  test('does not accept another profile', async () => {
    expect(await promo('jobs resume x --profile live')).toEnd(2, '--profile')
  })

  test('does not wait: while another process holds the job, it exits 8 and names the process', async () => {
    await promo(disable(leaked(), '--jsonl', '--concurrency', '1'), stopEarly)
    const [job] = await jobs()
    const { lockPath } = jobFileAt(job?.path ?? '')
    const lock = await takeLock(lockPath, { pid: 4711, host: 'elsewhere', since: '2026-05-06T07:08:09.000Z' })

    const ran = await promo(`jobs resume ${job?.id} --yes`)
    lock.release()

    expect(ran).toEnd(8, 'held by process 4711 on elsewhere, started 2026-05-06T07:08:09.000Z')
  })

  test('of a damaged file exits 9', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')))
    const [job] = await jobs()
    loseRow(job?.path ?? '', 2)

    expect(await promo(`jobs resume ${job?.id} --yes`)).toEnd(9, 'it has 1 rows, and had 2')
  })
})
