// How `jobs undo` reverses a job.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jobFileAt } from '../../src/bulk/journal/job.ts'
import { takeLock } from '../../src/bulk/journal/lock.ts'
import {
  codeOf,
  codes,
  disable,
  jobDesk,
  leakedCodes,
  onSandbox,
  stopEarly,
  summaryOf,
  voucher,
} from '../support/jobs.ts'
import { forgetChange } from '../support/journals.ts'
import { type Action, answer } from '../support/scripted-server.ts'

const desk = jobDesk()
const { leaked, promo, input, jobs, newestJob, rowsOf, env } = desk

async function isActive(code: string): Promise<boolean> {
  return JSON.parse((await promo(['vouchers', 'get', code, '--json', ...onSandbox])).stdout).active
}

describe('jobs undo', () => {
  test('enables exactly the vouchers that the job disabled', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nPAUSED\nNO-1\nWEEKEND\n')))
    const id = await newestJob()

    const plan = await promo(`jobs undo ${id} --dry-run --csv --columns url`)
    const { exitCode, stderr } = await promo(`jobs undo ${id} --yes`)

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
    await promo('vouchers enable PAUSED MORNING --yes --profile sandbox')
    await promo(['jobs', 'undo', await newestJob(), '--yes'])
    const between = await isActive('PAUSED')

    await promo(['jobs', 'undo', await newestJob(), '--yes'])

    expect([between, await isActive('PAUSED'), await isActive('MORNING')]).toEqual([false, true, true])
  })

  test('asks first', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')))

    expect(await promo(['jobs', 'undo', await newestJob()], { stdin: '' })).toEnd(11, 'enable 2 vouchers in ')
    expect(await jobs()).toMatchObject([{ state: 'finished' }])
  })

  test('that was stopped is resumed by the same line, which reports when it is complete', async () => {
    await promo(disable(leaked()))
    const id = await newestJob()
    await promo(`jobs undo ${id} --yes --jsonl --concurrency 1`, stopEarly)
    const [undo] = await jobs()

    const second = await promo(`jobs undo ${id} --yes`)
    const third = await promo(`jobs undo ${id} --yes --verbose`)

    expect(undo).toMatchObject({ state: 'stopped', undoes: id })
    expect(second).toEnd(0, `job ${undo?.id} undoes job ${id}`)
    expect(third).toEnd(0, `nothing left to do: job ${undo?.id} enabled these rows on`)
    expect(third.stderr).not.toContain('> POST')
    expect(await jobs()).toHaveLength(2)
  })

  test('of a stopped job ends it: it is neither resumed nor continued by its command line', async () => {
    const command = disable(leaked(), '--jsonl', '--concurrency', '1')
    await promo(command, stopEarly)
    const [job] = await jobs()
    await promo(`jobs undo ${job?.id} --yes`)

    const resumed = await promo(`jobs resume ${job?.id} --yes --verbose`)
    const retried = await promo(`jobs retry ${job?.id} --only failed --yes`)
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

    expect(await promo(`jobs undo ${job?.id} --yes`)).toEnd(
      6,
      '1 row is left alone, because it is unknown whether the job changed them: MORNING (line 2); see them with: promo jobs report',
    )
    expect([await isActive('MORNING'), await isActive('WEEKEND')]).toEqual([false, true])
  })

  test('names such rows, and exits 6, also when it is resumed and when it is complete', async () => {
    await promo(disable(leaked()))
    const [job] = await jobs()
    forgetChange(job?.path ?? '', 1)
    await promo(`jobs undo ${job?.id} --yes --jsonl --concurrency 1`, stopEarly)

    const resumed = await promo(`jobs undo ${job?.id} --yes`)
    const complete = await promo(`jobs undo ${job?.id} --yes`)

    expect([resumed.exitCode, complete.exitCode]).toEqual([6, 6])
    for (const { stderr } of [resumed, complete]) expect(stderr).toContain('1 row is left alone, because it is unknown')
  })

  test('of a job in its own folder is recorded there too', async () => {
    const dir = join(desk.folder, 'own')
    const command = disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n'), '--journal', dir)
    await promo(command)
    await promo(`jobs undo ${dir} --yes`)

    const listed = await promo(`jobs list --journal ${dir} --csv --columns state`)
    const again = await promo(command)

    expect(listed.stdout).toBe('state\nundone\n')
    expect(again).toEnd(9, 'undid it')
  })

  test('waits while the job runs', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')))
    const [job] = await jobs()
    const holder = { pid: 4711, host: 'elsewhere', since: '2026-05-06T07:08:09.000Z' }
    const lock = await takeLock(jobFileAt(job?.path ?? '').lockPath, holder)

    const { exitCode } = await promo(`jobs undo ${job?.id} --yes`)
    lock.release()

    expect(exitCode).toBe(8)
  })

  test('of a job that changed nothing sends nothing', async () => {
    await promo(disable(input('codes.csv', 'code\nPAUSED\nNO-1\n')))
    const id = await newestJob()

    const { exitCode, stderr } = await promo(`jobs undo ${id} --yes`)

    expect(exitCode).toBe(0)
    expect(stderr).toBe(`job ${id} changed nothing that could be undone\n`)
    expect(await jobs()).toHaveLength(1)
  })

  test.each([
    ['vouchers create', ['vouchers', 'create', 'N-1', 'N-2', '--type', 'GIFT_VOUCHER', '--set', 'gift.amount=1']],
    ['vouchers delete', ['vouchers', 'delete', 'MORNING', 'WEEKEND']],
  ])('of %s is refused, with the command that can do it', async (name, command) => {
    await promo([...command, '--yes', ...onSandbox])

    expect(await promo(['jobs', 'undo', await newestJob(), '--yes'])).toEnd(
      2,
      `a job of "${name}" is not undone by promo: a `,
      /\ntry: promo (jobs report \S+ --only ok --csv --out created.csv|vouchers create --help)/,
    )
  })

  test('leaves alone what others changed since, whatever it is now, and says so', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\nGIFT-001\nGIFT-002\n')))
    const id = await newestJob()
    for (const [verb, code] of [
      ['enable', 'MORNING'],
      ['disable', 'MORNING'],
      ['enable', 'GIFT-001'],
    ] as const) {
      await promo(['vouchers', verb, code, ...onSandbox])
    }

    const { exitCode, stderr } = await promo(`jobs undo ${id} --yes --verbose`)
    const report = await rowsOf(await newestJob(), '--only', 'skipped')
    const again = await promo(`jobs undo ${id} --yes --verbose`)

    expect(exitCode).toBe(3)
    expect(stderr).toContain('enabled 2 vouchers, 2 skipped (4 rows in ')
    expect(stderr).toContain('--only skipped --csv')
    expect(stderr.match(/> POST \S+/g)).toHaveLength(2)
    expect(await Promise.all(['MORNING', 'WEEKEND', 'GIFT-001', 'GIFT-002'].map(isActive))).toEqual([
      false,
      true,
      true,
      true,
    ])
    const message = expect.stringMatching(
      /^it was changed after the job switched it \(at \S+Z\), and is left as it is$/,
    )
    expect(report.map((row) => [row.code, row.promo_error, row.promo_message])).toEqual([
      ['MORNING', 'changed', message],
      ['GIFT-001', 'changed', message],
    ])
    expect([again.exitCode, again.stderr.includes('> POST')]).toEqual([3, false])
  })

  test('sends again a row of its own whose answer was lost, unless it is off again by now', async () => {
    const active = new Map(['C-0', 'C-1', 'C-2'].map((code) => [code, { active: true, updated_at: '' }]))
    let isLost = true
    const switched = (code: string, isOn: boolean) =>
      active.set(code, { active: isOn, updated_at: new Date().toISOString() })
    await desk.serve((asked) => {
      const code = codeOf(asked)
      const isOn = asked.url.endsWith('/enable')
      if ((isOn || asked.url.endsWith('/disable')) && active.get(code)?.active !== isOn) switched(code, isOn)
      if (isOn && isLost && code !== 'C-2') return { do: 'reset' }
      return answer(200, { id: `v_${code}`, object: 'voucher', code, ...active.get(code) })
    })
    await promo(`vouchers disable --from ${input('c.csv', codes(3))} --yes`, { env: env() })
    const id = await newestJob()

    const lost = await promo(`jobs undo ${id} --yes --retries 0 --concurrency 1`, { env: env() })
    isLost = false
    switched('C-1', false)
    const resumed = await promo(`jobs undo ${id} --yes`, { env: env() })

    expect([lost.exitCode, resumed.exitCode]).toEqual([6, 3])
    expect(resumed.stderr).toContain('enabled 2 vouchers, 1 skipped (3 rows, 1 of them before, in')
    expect([...active.values()].map((one) => one.active)).toEqual([true, false, true])
  })

  test('sends nothing for what it cannot read, and tries it again', async () => {
    let isAway = false
    const vouchers = new Map<string, object>()
    const server = await desk.serve((asked) => {
      const code = codeOf(asked)
      const verb = asked.url.split('/')[4]
      if (isAway && verb === undefined && code === 'C-1') return answer(503, {})
      if (verb !== undefined) vouchers.set(code, { active: verb === 'enable', updated_at: new Date().toISOString() })
      return answer(200, { id: `v_${code}`, object: 'voucher', code, ...vouchers.get(code) })
    })
    const line = ['vouchers', 'disable', '--from', input('c.csv', codes(3)), '--yes', '--prove-change']
    for (const at of [0, 1, 2]) vouchers.set(`C-${at}`, { active: true, updated_at: null })
    await promo(line, { env: env() })
    const id = await newestJob()
    isAway = true

    const first = await promo(`jobs undo ${id} --yes --retries 0`, { env: env() })
    const sent = server.asked.filter(({ url }) => url.endsWith('/enable')).length
    isAway = false
    const second = await promo(`jobs undo ${id} --yes`, { env: env() })

    expect([first.exitCode, sent, second.exitCode]).toEqual([5, 2, 0])
    expect([...vouchers.values()]).toMatchObject(Array(3).fill({ active: true }))
  })

  test('leaves alone a voucher of which it is unknown when the job changed it', async () => {
    const active = new Map([
      ['C-0', true],
      ['C-1', true],
    ])
    await desk.serve((asked) => {
      const code = codeOf(asked)
      if (asked.url.endsWith('/disable')) active.set(code, false)
      return answer(200, { id: `v_${code}`, object: 'voucher', code, active: active.get(code), updated_at: null })
    })
    const line = ['vouchers', 'disable', '--from', input('c.csv', codes(2)), '--yes', '--prove-change']
    await promo(line, { env: env() })

    expect(await promo(['jobs', 'undo', await newestJob(), '--yes'], { env: env() })).toEnd(
      6,
      '2 rows are left alone, because the journal does not have when the job changed them (updated_at), by which changes of others would be noticed: C-0 (line 2), C-1 (line 3)',
    )
    expect([...active.values()]).toEqual([false, false])
  })

  test('never acts with another key on its own', async () => {
    const server = await desk.serve((asked) => {
      const { body, ...rest } = voucher(asked) as Extract<Action, { do: 'answer' }>
      return { ...rest, body: { ...(body as object), updated_at: new Date().toISOString() } }
    })
    await promo(`vouchers disable --from ${input('c.csv', codes(3))} --yes`, { env: env() })
    const asked = server.asked.length

    const ran = await promo(['jobs', 'undo', await newestJob(), '--yes'], {
      env: { ...env(), PROMO_APP_ID: 'other' },
    })

    expect(ran).toEnd(9, 'it was begun with another key')
    expect(server.asked).toHaveLength(asked)
    expect(await jobs()).toHaveLength(1)
  })
})

describe('jobs undo of a part', () => {
  test('says what of the named rows had no effect, and why', async () => {
    const rows = 'code\nMORNING\nWEEKEND\nNO-1\nNO-2\n'
    await promo(disable(input('codes.csv', rows)))

    const undone = await promo(['jobs', 'undo', await newestJob(), '--only', input('all.csv', rows), '--yes'])

    expect(undone).toEnd(0, 'enabled 2 vouchers', '2 named rows ended as failed, so nothing of them is undone')
  })

  const four = 'code\nMORNING\nWEEKEND\nGIFT-001\nGIFT-002\n'
  const all = ['MORNING', 'WEEKEND', 'GIFT-001', 'GIFT-002']
  const state = async () => await Promise.all(all.map(isActive))

  test('takes the rows that a file names, names what the job does not have, and leaves the rest for later', async () => {
    await promo(disable(input('codes.csv', four)))
    const id = await newestJob()
    const line = ['jobs', 'undo', id, '--only', input('half.csv', 'Code;why\nMORNING;a\nNO-1;b\nGIFT-001;c\n')]

    const plan = await promo([...line, '--dry-run'])
    const asked = await promo(line, { stdin: '' })
    const half = await promo([...line, '--yes'])
    const between = await state()
    const [part, whole] = await jobs()
    const again = await promo([...line, '--yes', '--verbose'])
    const show = await promo(`jobs show ${part?.id} --json --query command_line`)
    const history = await promo('history --json --query [].part_of')
    const rest = await promo(`jobs undo ${id} --yes`)
    const late = await promo(`jobs undo ${id} --only - --yes`, { stdin: 'code\nWEEKEND\n' })

    expect(plan).toEnd(0, '1 of 3 not found', 'would enable 2 vouchers')
    expect(asked).toEnd(11, 'enable 2 vouchers in ')
    expect(half).toEnd(3, `1 of 3 not found in job ${id}: NO-1; see its rows with: promo jobs report ${id} --csv`)
    expect(half.stderr).toContain('enabled 2 vouchers (2 rows in')
    expect(between).toEqual([true, false, true, false])
    expect([part, whole]).toMatchObject([
      { state: 'finished', undoes: id },
      { state: 'finished', why: `undone in part by job ${part?.id}`, undone_by: null },
    ])
    expect(again).toEnd(3, `job ${part?.id} undoes a part of job ${id}`, 'nothing left to do')
    expect(again.stderr).not.toContain('> POST')
    expect(JSON.parse(show.stdout)).toBe(`promo jobs undo ${id} --only ${join(desk.folder, 'half.csv')}`)
    expect(JSON.parse(history.stdout)).toEqual([id])
    expect(rest).toEnd(0, 'enabled 2 vouchers (2 rows in')
    expect(await state()).toEqual([true, true, true, true])
    expect((await jobs()).at(-1)).toMatchObject({ id, state: 'undone' })
    expect(late).toEnd(9, `undoes all that is left of job ${id}; nothing was sent`)
  })

  test('that was stopped takes the same rows again, whatever its file holds by now, and is ended before another', async () => {
    await promo(disable(leaked()))
    const id = await newestJob()
    const path = input('half.csv', leakedCodes.split('\n').slice(0, 121).join('\n'))
    const ran = await promo(`jobs undo ${id} --only ${path} --yes --jsonl --concurrency 1`, stopEarly)
    const [part] = await jobs()
    input('half.csv', 'code\nNO-1\n')

    const early = await promo(`jobs undo ${id} --yes`)
    const resumed = await promo(`jobs resume ${part?.id} --yes`)
    const rest = await promo(`jobs undo ${id} --yes`)

    expect(ran.exitCode).toBe(130)
    expect(early).toEnd(9, `job ${part?.id} undoes a part of job ${id}, and is not over; nothing was sent`)
    expect(resumed).toEnd(0, '(120 rows, ')
    expect(rest).toEnd(0, 'enabled 80 vouchers (80 rows in')
  })

  test('is about rows of one outcome, and says nothing of others', async () => {
    await promo(disable(input('codes.csv', four)))
    const [job] = await jobs()
    forgetChange(job?.path ?? '', 1)
    const undo = (...more: string[]) => promo(['jobs', 'undo', job?.id ?? '', '--yes', ...more])

    const refused = await undo('--state', 'failed')
    const alone = await undo('--column', 'code')
    const none = await undo('--state', 'ok_inferred')
    const others = await undo('--only', input('one.csv', 'code\nWEEKEND\n'))
    const well = await undo('--state', 'ok')

    expect(refused).toEnd(2, 'expected --state=failed to be one of: ok, ok_inferred')
    expect(alone).toEnd(2, 'must be provided when using --column: --only')
    expect(none).toEnd(0, `nothing is left to undo of these rows of job ${job?.id}`)
    expect([none.stderr, others.stderr].join()).not.toContain('left alone')
    expect(others).toEnd(0, 'enabled 1 voucher ')
    expect(well).toEnd(6, '1 row is left alone', 'enabled 2 vouchers')
  })

  test('leaves a job whose rows count twice complete: its command line sends nothing, and its rows are known', async () => {
    const cards = [
      ...'loyalty points add --points 7 --from'.split(' '),
      input('cards.csv', 'code\nCLUB-001\nCLUB-002\n'),
    ]
    const points = async () =>
      JSON.parse(
        (await promo('loyalty cards get CLUB-001 --json --query loyalty_card.balance --profile sandbox')).stdout,
      )
    const before = await points()
    await promo([...cards, '--yes', ...onSandbox])
    await promo(['jobs', 'undo', await newestJob(), '--only', '-', '--yes'], { stdin: 'code\nCLUB-001\n' })
    const between = await points()

    const again = await promo([...cards, '--yes', ...onSandbox])
    const copy = await promo([
      ...cards.slice(0, -1),
      input('copy.csv', 'code\nCLUB-001\nCLUB-002\n'),
      '--dry-run',
      ...onSandbox,
    ])

    expect([between, await points()]).toEqual([before, before])
    expect(again).toEnd(0, 'nothing left to do')
    expect(copy).toEnd(0, '2 of 2 rows were in job')
  })

  test('is known in a folder of shards, in which each shard has some of the rows, and where its own journal is gone', async () => {
    const dir = join(desk.folder, 'own')
    for (const shard of ['0/2', '1/2'])
      await promo(disable(input('codes.csv', four), '--journal', dir, '--shard', shard))
    const undo = (...more: string[]) => promo(['jobs', 'undo', dir, '--yes', ...more])

    const half = await undo('--only', input('half.csv', 'code\nMORNING\nWEEKEND\nGIFT-001\n'))
    for (const { path } of await jobs()) rmSync(path)
    const rest = await undo()

    expect(half).toEnd(0, 'enabled ')
    expect(half.stderr).not.toContain('not found')
    expect(await state()).toEqual([true, true, true, false])
    expect(rest).toEnd(9, 'and its journal is not on this computer; nothing was sent')
  })
})
