// How a job is named, and how `jobs show` describes it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { disable, jobDesk } from '../support/jobs.ts'

const desk = jobDesk()
const { promo, input, jobs, newestJob } = desk

describe('a job is named', () => {
  test('by its id, the beginning or end of it, its file or its folder', async () => {
    const dir = join(desk.folder, 'own')
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    await promo(disable(input('others.csv', 'code\nWEEKEND\n'), '--journal', dir))
    const [job] = await jobs()
    const id = job?.id ?? ''

    const shown = await Promise.all(
      [id, id.slice(0, 11), id.slice(-4), job?.path ?? '', dir, join(dir, 'job.sqlite')].map((called) =>
        promo(['jobs', 'show', called, '--json', '--query', 'input']),
      ),
    )

    const own = `"${join(desk.folder, 'codes.csv')}"\n`
    const other = `"${join(desk.folder, 'others.csv')}"\n`
    expect(shown.map(({ stdout }) => stdout)).toEqual([own, own, own, own, other, other])
  })

  test('as the latest, which is the one that began last', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    await promo(disable(input('others.csv', 'code\nWEEKEND\n')))

    const { stdout } = await promo('jobs show latest --json --query input')
    const reported = await promo('jobs report latest --csv --columns code')

    expect(stdout).toBe(`"${join(desk.folder, 'others.csv')}"\n`)
    expect(reported.stdout).toBe('code\nWEEKEND\n')
  })

  test('ambiguously or wrongly: exit 2, with the existing jobs', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    await promo(disable(input('others.csv', 'code\nWEEKEND\n')))
    const id = await newestJob()
    const typo = `${id.slice(0, -1)}${id.endsWith('x') ? 'y' : 'x'}`

    const several = await promo(['jobs', 'show', id.slice(0, 8)])
    const near = await promo(['jobs', 'show', typo])
    const none = await promo('jobs show yesterday')

    expect([several, near, none].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2])
    expect(several.stderr).toContain(`2 jobs begin with "${id.slice(0, 8)}"`)
    expect(near.stderr).toContain(`did you mean ${id}?`)
    expect(none.stderr).toContain('there is no job "yesterday"')
  })

  test('by a folder of shards: they are shown as one job, with a line for each', async () => {
    const path = input('codes.csv', 'code\nMORNING\nNO-SUCH\nSORRY5\nNONE\n')
    const dir = join(desk.folder, 'shards')
    const report = `promo jobs report ${dir} --only failed --only conflict --csv`
    for (const shard of ['0/2', '1/2']) await promo(disable(path, '--journal', dir, '--shard', shard))

    const shown = await promo(`jobs show ${dir} --json`)
    const table = await promo(`jobs show ${dir}`)
    const reported = await promo(`jobs report ${dir} --csv --columns code`)

    const job = JSON.parse(shown.stdout)
    expect(job).toMatchObject({ id: dir, state: 'finished', done: 4, total: 4, wrong: 2, counts: { ok: 2, failed: 2 } })
    expect(job).toMatchObject({ errors: [{ status: 404, rows: 2 }], next: { report } })
    expect(job.shards).toMatchObject([
      { shard: '0/2', done: 2 },
      { shard: '1/2', done: 2 },
    ])
    expect(table.stdout).toMatch(/shards\.0\/2 +finished, 2 of 2 rows/)
    expect(table.stdout).toMatch(/shards\.1\/2 +finished, 2 of 2 rows/)
    expect(reported.stdout).toBe('code\nMORNING\nNO-SUCH\nSORRY5\nNONE\n')
  })

  test('by a folder in which shards are missing: the others are shown, and the missing ones named', async () => {
    const path = input('codes.csv', 'code\nMORNING\nWEEKEND\nSORRY5\nBEANS10\n')
    const dir = join(desk.folder, 'shards')
    for (const shard of ['0/4', '2/4']) await promo(disable(path, '--journal', dir, '--shard', shard))

    const shown = await promo(`jobs show ${dir} --json --query length(shards)`)

    const alone = join(desk.folder, 'alone')
    await promo(disable(path, '--journal', alone, '--shard', '0/4'))
    const one = await promo(['jobs', 'show', alone, '--json', '--query', 'shard', '--follow'])

    expect([shown.exitCode, shown.stdout]).toEqual([6, '2\n'])
    expect(shown.stderr).toBe('shards missing: 1, 3; their rows are not counted\n')
    expect([one.exitCode, one.stdout]).toEqual([0, '"0/4"\n'])
    expect(one.stderr).toBe('shards missing: 1, 2, 3; their rows are not counted\n')
  })
})

describe('jobs show', () => {
  test('offers to undo a job that changed something and can be taken back, and no other', async () => {
    const next = async (...command: string[]) => {
      await promo(command)
      return JSON.parse((await promo('jobs show latest --json --query next')).stdout)
    }

    const changing = await next(...disable(input('codes.csv', 'code\nMORNING\n')))
    const id = await newestJob()
    const unchanging = await next(...disable(input('again.csv', 'code\nMORNING\n')))
    const other = await next(
      'vouchers',
      'update',
      '--from',
      input('u.csv', 'code\nMORNING\n'),
      '--set',
      'additional_info=x',
      '--yes',
      '--profile',
      'sandbox',
    )

    expect([changing, unchanging, other]).toEqual([{ undo: `promo jobs undo ${id}` }, {}, {}])
  })

  test('offers to resume a job of which one row is left', async () => {
    await promo(disable(input('codes.csv', 'code\nNO-1\nNO-2\nMORNING\n'), '--max-errors', '1', '--concurrency', '1'))

    const { stdout } = await promo('jobs show latest --json --query "[state, counts.pending, next.resume]"')

    expect(JSON.parse(stdout)).toEqual(['stopped', 1, `promo jobs resume ${await newestJob()}`])
  })

  test('shows a job with its command line, its counts, its errors by reason, and the next step', async () => {
    const path = input("it's.csv", 'code\nMORNING\nNO-1\nPAUSED\nNO-2\nMORNING\n')
    await promo(disable(path))
    const id = await newestJob()

    const { exitCode, stdout } = await promo(`jobs show ${id} --json`)

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      id,
      command_line: `promo vouchers disable --from '${desk.folder}/it'\\''s.csv' --profile sandbox`,
      origin: 'sandbox',
      input: path,
      input_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      state: 'finished',
      counts: { ok: 2, failed: 2, duplicate: 1, pending: 0 },
      changed: 1,
      unchanged: 1,
      errors: [{ key: 'not_found', status: 404, rows: 2, line: 5, message: expect.stringContaining('NO-2') }],
      next: { report: `promo jobs report ${id} --only failed --only conflict --csv` },
    })
  })

  test('is a list of names and values for people, without empty values', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nNO-1\n')))
    const id = await newestJob()

    const { stdout } = await promo(`jobs show ${id}`)

    expect(stdout).toMatch(/^id +\d{8}-/)
    expect(stdout).toMatch(/^errors\.404 not_found +1 row, the last on line 3: .*NO-1/m)
    expect(stdout).toMatch(/^counts\.ok +1$/m)
    expect(stdout).not.toContain('counts.unknown')
    expect(stdout).not.toMatch(/^why/m)
  })

  test('is a header and one line in CSV', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))

    const { stdout } = await promo(['jobs', 'show', await newestJob(), '--csv', '--columns', 'state,counts.ok,changed'])

    expect(stdout).toBe('state,counts.ok,changed\nfinished,1,1\n')
  })

  test('exits 9 for a damaged file', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    const [job] = await jobs()
    writeFileSync(job?.path ?? '', 'garbage garbage garbage')

    expect(await promo(`jobs show ${job?.id}`)).toEnd(9, 'the journal is damaged')
  })

  test('follows a running job until it ends', async () => {
    const path = input('codes.csv', 'code\nMORNING\nWEEKEND\nSORRY5\n')
    let followed: ReturnType<typeof promo> | undefined

    await promo(disable(path, '--jsonl', '--concurrency', '1', '--rate', '2/s'), {
      onStdout: () => {
        followed ??= newestJob().then((id) =>
          promo(`jobs show ${id} --follow --csv --columns state,done`, { terminal: { columns: 80 } }),
        )
      },
    })
    const { exitCode, stdout, stderr } = await (followed as ReturnType<typeof promo>)

    expect(exitCode).toBe(0)
    expect(stdout).toBe('state,done\nfinished,3\n')
    expect(stderr).toMatch(/\[#+\.+\] [12]\/3/)
  })

  test('stops following on Ctrl-C, and the job continues', async () => {
    const path = input('codes.csv', 'code\nMORNING\nWEEKEND\nSORRY5\n')
    let followed: ReturnType<typeof promo> | undefined

    const { exitCode } = await promo(disable(path, '--jsonl', '--concurrency', '1', '--rate', '2/s'), {
      onStdout: () => {
        followed ??= newestJob().then((id) =>
          promo(`jobs show ${id} --follow`, { terminal: { columns: 80 }, onStderr: (_, stop) => stop('SIGINT') }),
        )
      },
    })

    expect((await followed)?.exitCode).toBe(130)
    expect(exitCode).toBe(0)
    expect(await jobs()).toMatchObject([{ state: 'finished', done: 3 }])
  })
})
