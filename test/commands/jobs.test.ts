import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { jobFileAt } from '../../src/bulk/journal/job.ts'
import { takeLock } from '../../src/bulk/journal/lock.ts'
import { outcomesIn } from '../../src/bulk/journal/outcome-store.ts'
import { promoIn, type RunOptions, temporaryFolder } from '../support/promo.ts'
import { type Action, type Asked, answer, type ScriptedServer, scriptedServer } from '../support/scripted-server.ts'

let folder: string
let promo: ReturnType<typeof promoIn>
const onSandbox = ['--profile', 'sandbox']

let server: ScriptedServer | undefined

beforeEach(() => {
  folder = temporaryFolder()
  promo = promoIn(folder)
})
afterEach(async () => {
  await server?.[Symbol.asyncDispose]()
  server = undefined
})

function input(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const disable = (path: string, ...more: string[]) => [
  'vouchers',
  'disable',
  '--from',
  path,
  '--yes',
  ...onSandbox,
  ...more,
]

/** Stops a run when its first outcomes are shown. */
const stopEarly: RunOptions = { onStdout: (_, stop) => stop('SIGINT') }

interface Listed extends Record<string, unknown> {
  id: string
  path: string
  state: string
  done: number
}

async function jobs(): Promise<Listed[]> {
  return JSON.parse((await promo(['jobs', 'list', '--json'])).stdout)
}

async function newestJob(): Promise<string> {
  const [job] = await jobs()
  return job?.id ?? ''
}

async function rowsOf(...report: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await promo(['jobs', 'report', ...report, '--jsonl'])
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

describe('jobs list', () => {
  test('says that there are none, or shows nothing, in the form asked for', async () => {
    const table = await promo(['jobs', 'list'])
    const json = await promo(['jobs', 'list', '--json'])
    const jsonl = await promo(['jobs', 'list', '--jsonl'])
    const csv = await promo(['jobs', 'list', '--csv'])

    expect([table.stdout, table.stderr]).toEqual(['', 'no jobs found\n'])
    expect(json.stdout).toBe('[]\n')
    expect(jsonl.stdout).toBe('')
    expect(csv.stdout).toMatch(/^id,shard,command,profile,state,done,total,wrong,created_at,why,[^\n]*\n$/)
  })

  test('shows a finished job with its rows', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nNO-1\n')))

    const { exitCode, stdout } = await promo(['jobs', 'list'])

    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^id +command +profile +state +done +total +wrong +created_at \(UTC\) +why\n/)
    expect(stdout).toMatch(/\n\d{8}-[a-z0-9]{6} +vouchers disable +sandbox +finished +2 +2 +1 +\d{4}-\d\d-\d\d /)
  })

  test('shows many, newest first, and as many as asked for', async () => {
    for (const [day, code] of ['MORNING', 'WEEKEND', 'SORRY5'].entries()) {
      const now = () => Date.parse(`2026-05-0${day + 1}T10:00:00Z`)
      await promo(disable(input(`${code}.csv`, `code\n${code}\n`)), { now })
    }

    const all = await jobs()
    const two = await promo(['jobs', 'list', '--limit', '2', '--csv', '--columns', 'created_at'])

    expect(all.map(({ created_at }) => created_at)).toEqual([
      '2026-05-03T10:00:00.000Z',
      '2026-05-02T10:00:00.000Z',
      '2026-05-01T10:00:00.000Z',
    ])
    expect(two.stdout).toBe('created_at\n2026-05-03T10:00:00.000Z\n2026-05-02T10:00:00.000Z\n')
  })

  test('says why a job stopped', async () => {
    await promo(disable('examples/leaked-codes.csv', '--jsonl', '--concurrency', '1'), stopEarly)

    const [job] = await jobs()

    expect(job).toMatchObject({ state: 'stopped', why: 'it was told to stop', ended_by: 'signal', total: 1000 })
    expect(job?.done).toBeGreaterThan(0)
    expect(job?.done).toBeLessThan(1000)
  })

  test('says of a job whose process is gone that it was killed', async () => {
    await promo(disable('examples/leaked-codes.csv', '--jsonl', '--concurrency', '1'), stopEarly)
    const [job] = await jobs()
    const database = new DatabaseSync(job?.path ?? '')
    outcomesIn(database).start(1)
    database.close()

    expect((await jobs())[0]).toMatchObject({ state: 'stopped', why: 'its process was killed', pid: null })
  })

  test('says who runs a job, and asking does not disturb it', async () => {
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

  test('does not take a killed job for the one of the same command line that runs now', async () => {
    const command = disable(input('codes.csv', codes(3)), '--jsonl', '--concurrency', '1', '--rate', '2/s')
    await promo(command, stopEarly)
    const [killed] = await jobs()
    const database = new DatabaseSync(killed?.path ?? '')
    outcomesIn(database).start(1)
    database.close()
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
      'format 9',
    ],
  ])('shows a file %s as damaged, beside the others', async (_, broken, why) => {
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
    const dir = join(folder, 'shards')
    for (const shard of ['2/3', '0/3', '1/3']) await promo(disable(path, '--journal', dir, '--shard', shard))

    const { stdout } = await promo(['jobs', 'list', '--journal', dir, '--csv', '--columns', 'shard,state'])

    expect(stdout).toBe('shard,state\n0/3,finished\n1/3,finished\n2/3,finished\n')
    expect(await jobs()).toEqual([])
  })

  test('makes nothing in a state folder that is not there yet', async () => {
    await promo(['jobs', 'list'])

    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a job is called', () => {
  test('by its id, a beginning of it, its file or its folder', async () => {
    const dir = join(folder, 'own')
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    await promo(disable(input('others.csv', 'code\nWEEKEND\n'), '--journal', dir))
    const [job] = await jobs()
    const id = job?.id ?? ''

    const shown = await Promise.all(
      [id, id.slice(0, 11), job?.path ?? '', dir, join(dir, 'job.sqlite')].map((called) =>
        promo(['jobs', 'show', called, '--json', '--query', 'input']),
      ),
    )

    const own = `"${join(folder, 'codes.csv')}"\n`
    const other = `"${join(folder, 'others.csv')}"\n`
    expect(shown.map(({ stdout }) => stdout)).toEqual([own, own, own, other, other])
  })

  test('in a way that fits several, or none, exits 2 and names what there is', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    await promo(disable(input('others.csv', 'code\nWEEKEND\n')))
    const id = await newestJob()
    const typo = `${id.slice(0, -1)}${id.endsWith('x') ? 'y' : 'x'}`

    const several = await promo(['jobs', 'show', id.slice(0, 8)])
    const near = await promo(['jobs', 'show', typo])
    const none = await promo(['jobs', 'show', 'yesterday'])

    expect([several, near, none].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2])
    expect(several.stderr).toContain(`2 jobs begin with "${id.slice(0, 8)}"`)
    expect(near.stderr).toContain(`did you mean ${id}?`)
    expect(none.stderr).toContain('there is no job "yesterday"')
  })

  test('by a folder of shards only where all of them can be meant', async () => {
    const path = input('codes.csv', 'code\nMORNING\nWEEKEND\nSORRY5\nBEANS10\n')
    const dir = join(folder, 'shards')
    for (const shard of ['0/2', '1/2']) await promo(disable(path, '--journal', dir, '--shard', shard))

    const shown = await promo(['jobs', 'show', dir])
    const reported = await promo(['jobs', 'report', dir, '--csv', '--columns', 'code'])

    expect(shown.exitCode).toBe(2)
    expect(shown.stderr).toContain('contains 2 journals: shard-0-of-2.sqlite, shard-1-of-2.sqlite')
    expect(reported.stdout).toBe('code\nMORNING\nWEEKEND\nSORRY5\nBEANS10\n')
  })
})

describe('jobs show', () => {
  test('tells everything about a job: its command line, its counts, its errors by reason, the next step', async () => {
    const path = input("it's.csv", 'code\nMORNING\nNO-1\nPAUSED\nNO-2\nMORNING\n')
    await promo(disable(path))
    const id = await newestJob()

    const { exitCode, stdout } = await promo(['jobs', 'show', id, '--json'])

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      id,
      command_line: `promo vouchers disable --from '${folder}/it'\\''s.csv' --profile sandbox`,
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

  test('is a list of names and values for people, without what did not happen', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nNO-1\n')))
    const id = await newestJob()

    const { stdout } = await promo(['jobs', 'show', id])

    expect(stdout).toMatch(/^id +\d{8}-/)
    expect(stdout).toMatch(/^errors\.404 not_found +1 row, the last on line 3: .*NO-1/m)
    expect(stdout).toMatch(/^counts\.ok +1$/m)
    expect(stdout).not.toContain('counts.unknown')
  })

  test('is one line under a header in CSV', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))

    const { stdout } = await promo(['jobs', 'show', await newestJob(), '--csv', '--columns', 'state,counts.ok,changed'])

    expect(stdout).toBe('state,counts.ok,changed\nfinished,1,1\n')
  })

  test('exits 9 for a damaged file', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    const [job] = await jobs()
    writeFileSync(job?.path ?? '', 'garbage garbage garbage')

    const { exitCode, stderr } = await promo(['jobs', 'show', job?.id ?? ''])

    expect(exitCode).toBe(9)
    expect(stderr).toContain('the journal is damaged')
  })

  test('follows a job that runs until it ends', async () => {
    const path = input('codes.csv', 'code\nMORNING\nWEEKEND\nSORRY5\n')
    let followed: ReturnType<typeof promo> | undefined

    await promo(disable(path, '--jsonl', '--concurrency', '1', '--rate', '2/s'), {
      onStdout: () => {
        followed ??= newestJob().then((id) =>
          promo(['jobs', 'show', id, '--follow', '--csv', '--columns', 'state,done'], { terminal: { columns: 80 } }),
        )
      },
    })
    const { exitCode, stdout, stderr } = await (followed as ReturnType<typeof promo>)

    expect(exitCode).toBe(0)
    expect(stdout).toBe('state,done\nfinished,3\n')
    expect(stderr).toMatch(/\[#+\.+\] [12]\/3/)
  })

  test('that follows is ended by Ctrl-C, and the job goes on', async () => {
    const path = input('codes.csv', 'code\nMORNING\nWEEKEND\nSORRY5\n')
    let followed: ReturnType<typeof promo> | undefined

    const { exitCode } = await promo(disable(path, '--jsonl', '--concurrency', '1', '--rate', '2/s'), {
      onStdout: () => {
        followed ??= newestJob().then((id) =>
          promo(['jobs', 'show', id, '--follow'], { onStart: (stop) => setTimeout(() => stop('SIGINT'), 50) }),
        )
      },
    })

    expect((await followed)?.exitCode).toBe(130)
    expect(exitCode).toBe(0)
    expect(await jobs()).toMatchObject([{ state: 'finished', done: 3 }])
  })
})

describe('jobs report', () => {
  test('has the columns as they were given, then what came of each row', async () => {
    const path = input('codes.csv', '10,code,2,note\n=1+1,MORNING,b,"a\tb\u200f"\n@x,NO-1,d,\n-1,MORNING,b,\n')
    await promo(disable(path))

    const { exitCode, stdout } = await promo(['jobs', 'report', await newestJob(), '--csv'])

    expect(exitCode).toBe(0)
    const [header, ...rows] = parse(stdout) as string[][]
    expect(header?.slice(0, 4)).toEqual(['10', 'code', '2', 'note'])
    expect(header?.slice(4).join()).toBe(
      'promo_line,promo_state,promo_error,promo_message,promo_request_id,promo_attempts',
    )
    expect(rows.map((row) => row.slice(0, 7))).toEqual([
      ['=1+1', 'MORNING', 'b', 'a\tb\u200f', '2', 'ok', ''],
      ['@x', 'NO-1', 'd', '', '3', 'failed', 'not_found'],
      ['-1', 'MORNING', 'b', '', '4', 'duplicate', ''],
    ])
    expect(rows.map((row) => row[9])).toEqual(['1', '1', '0'])
    expect(rows[1]?.[8]).toMatch(/^v-/)
  })

  test('shows control characters as escapes on a terminal', async () => {
    await promo(disable(input('codes.csv', 'code,note\nMORNING,a\u001b[31mb\n')))

    const { stdout } = await promo(['jobs', 'report', await newestJob(), '--csv'], { terminal: { columns: 80 } })

    expect(stdout).not.toContain('\u001b')
  })

  test('has the members as they were given in JSON, and their paths in CSV', async () => {
    const rows = [
      {
        code: 'NEW-1',
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'PERCENT', percent_off: 10 },
        metadata: { a: [1, 2] },
      },
      { code: 'NEW-2', type: 'GIFT_VOUCHER', gift: { amount: 500 } },
    ]
    const path = input('new.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
    await promo(['vouchers', 'create', '--from', path, '--yes', ...onSandbox])
    const id = await newestJob()

    const records = await rowsOf(id)
    const { stdout } = await promo(['jobs', 'report', id, '--csv'])

    expect(records).toMatchObject(rows.map((row) => ({ ...row, promo_state: 'ok', promo_error: null })))
    expect(stdout.split('\n')[0]).toMatch(
      /^code,type,discount\.type,discount\.percent_off,metadata\.a,gift\.amount,promo_line,/,
    )
    expect(stdout.split('\n')[1]).toMatch(/^NEW-1,DISCOUNT_VOUCHER,PERCENT,10,"\[1,2\]",,1,ok,/)
  })

  test('gives only the rows with an outcome that is asked for', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nNO-1\nWEEKEND\nMORNING\nNO-2\n')))
    const id = await newestJob()

    expect((await rowsOf(id, '--only', 'failed')).map(({ code }) => code)).toEqual(['NO-1', 'NO-2'])
    expect((await rowsOf(id, '--only', 'ok', '--only', 'duplicate')).map(({ code }) => code)).toEqual([
      'MORNING',
      'WEEKEND',
      'MORNING',
    ])
    expect(await rowsOf(id, '--only', 'unknown')).toEqual([])
  })

  test('says of a job that was stopped which rows are left', async () => {
    await promo(disable('examples/leaked-codes.csv', '--jsonl', '--concurrency', '1'), stopEarly)
    const [job] = await jobs()

    const left = await rowsOf(job?.id ?? '', '--only', 'pending')

    expect(left).toHaveLength(1000 - (job?.done ?? 0))
    expect(left[0]).toMatchObject({ promo_line: (job?.done ?? 0) + 2, promo_state: 'pending', promo_error: null })
  })

  test('keeps what is known of bad rows that were skipped', async () => {
    const path = input(
      'new.csv',
      'code,type,gift.amount\nA-1,GIFT_VOUCHER,100\nA-2,GIFT_VOUCHER,many\n,x,y\nA-1,LOYALTY_CARD,\n',
    )
    await promo(['vouchers', 'create', '--from', path, '--skip-bad-rows', '--yes', ...onSandbox])

    const rows = await rowsOf(await newestJob())

    expect(rows).toMatchObject([
      { code: 'A-1', promo_line: 2, promo_state: 'ok' },
      { code: 'A-2', type: 'GIFT_VOUCHER', 'gift.amount': 'many', promo_state: 'failed', promo_error: 'input' },
      { code: '', type: 'x', 'gift.amount': 'y', promo_line: 4, promo_state: 'failed' },
      { code: 'A-1', type: 'LOYALTY_CARD', promo_line: 5, promo_message: expect.stringContaining('came on line 2') },
    ])
  })

  test.each(['csv', 'jsonl'])('in %s is an input of the same command', async (format) => {
    const path = input('new.csv', 'code,type,gift.amount,promo_code\nA-1,GIFT_VOUCHER,100,X\nA-2,GIFT_VOUCHER,200,Y\n')
    const cut = input('cut.csv', readFileSync(path, 'utf8').replaceAll(/,promo_code|,[XY]$/gm, ''))
    await promo(['vouchers', 'create', '--from', cut, '--yes', ...onSandbox])
    const report = join(folder, `report.${format}`)
    await promo(['jobs', 'report', await newestJob(), '--format', format, '--out', report])

    const again = await promo(['vouchers', 'create', '--from', report, '--yes', '--json', ...onSandbox])
    const second = await promo(['jobs', 'report', await newestJob(), '--csv'])
    const own = await promo(['vouchers', 'create', '--from', path, '--yes', ...onSandbox])

    expect(JSON.parse(again.stdout).map(({ code, state }: Record<string, unknown>) => [code, state])).toEqual([
      ['A-1', 'conflict'],
      ['A-2', 'conflict'],
    ])
    expect(second.stdout).toMatch(/^code,type,gift\.amount,promo_line,promo_state,/)
    expect(own.exitCode).toBe(2)
    expect(own.stderr).toContain('promo_code')
  })

  test('puts the shards of a folder together in the order of the input', async () => {
    const codes = ['MORNING', 'WEEKEND', 'NO-1', 'SORRY5', 'NO-2', 'BEANS10', 'MORNING']
    const path = input('codes.csv', `code\n${codes.join('\n')}\n`)
    const dir = join(folder, 'shards')
    for (const shard of ['0/3', '1/3', '2/3']) await promo(disable(path, '--journal', dir, '--shard', shard))

    const rows = await rowsOf(dir)

    expect(rows.map(({ code }) => code)).toEqual(codes)
    expect(rows.map(({ promo_line }) => promo_line)).toEqual([2, 3, 4, 5, 6, 7, 8])
  })

  test('of shards of which one is missing says so and exits 6', async () => {
    const path = input('codes.csv', 'code\nMORNING\nWEEKEND\nSORRY5\nBEANS10\nNO-1\nNO-2\n')
    const dir = join(folder, 'shards')
    for (const shard of ['0/4', '2/4']) await promo(disable(path, '--journal', dir, '--shard', shard))

    const { exitCode, stderr, stdout } = await promo(['jobs', 'report', dir, '--csv'])

    expect(exitCode).toBe(6)
    expect(stderr).toBe('shards missing: 1, 3; their rows are not in this report\n')
    expect(stdout).toMatch(/^code,/)
  })

  test.each([
    ['another input', 'code\nMORNING\nPAUSED\n', 'disable', '1/2', 'different input'],
    ['another number of shards', 'code\nMORNING\nWEEKEND\n', 'disable', '1/3', 'different number of shards'],
    ['another command', 'code\nMORNING\nWEEKEND\n', 'enable', '1/2', 'different command'],
  ])('refuses shards of %s', async (_, content, verb, shard, why) => {
    const dir = join(folder, 'shards')
    const first = input('codes.csv', 'code\nMORNING\nWEEKEND\n')
    await promo(disable(first, '--journal', dir, '--shard', '0/2'))
    const other = input('other.csv', content)
    const elsewhere = join(folder, 'elsewhere')
    await promo(['vouchers', verb, '--from', other, '--yes', ...onSandbox, '--journal', elsewhere, '--shard', shard])
    cpSync(elsewhere, dir, { recursive: true })

    const { exitCode, stdout, stderr } = await promo(['jobs', 'report', dir, '--csv'])

    expect([exitCode, stdout]).toEqual([9, ''])
    expect(stderr).toContain(why)
  })

  test('exits 9 at a row that is not what was written, and leaves no file', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')))
    const [job] = await jobs()
    const database = new DatabaseSync(job?.path ?? '')
    database.exec(`UPDATE outcome SET state = 'failed' WHERE position = 2`)
    database.close()

    const { exitCode, stderr } = await promo(['jobs', 'report', job?.id ?? '', '--csv', '-o', join(folder, 'r.csv')])

    expect(exitCode).toBe(9)
    expect(stderr).toContain('the outcome of row 2 is not what was written')
    expect(readdirSync(folder)).not.toContain('r.csv')
  })
})

const codes = (count: number) => `code\n${Array.from({ length: count }, (_, at) => `C-${at}\n`).join('')}`
const codeOf = ({ url }: Asked) => decodeURIComponent(url.split('/')[3] ?? '')
const voucher = (asked: Asked): Action =>
  answer(200, { id: 'v_1', object: 'voucher', code: codeOf(asked), active: false, updated_at: '2026-01-02T00:00:00Z' })
const refusal = (status: number, key: string) => answer(status, { code: status, key, message: key, details: 'x' })
const twoEvents = '{"event":"e","customer":{"source_id":"a"}}\n{"event":"e","customer":{"source_id":"b"}}\n'
const sent = answer(200, { object: 'event', type: 'e', customer: { id: 'c' } })
const env = () => ({ PROMO_BASE_URL: server?.origin ?? '', PROMO_APP_ID: 'app', PROMO_APP_TOKEN: 'token' })
const summaryOf = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}')

describe('jobs resume', () => {
  test('goes on with exactly the rows that are left, and the manner of this line', async () => {
    await promo(disable('examples/leaked-codes.csv', '--jsonl', '--concurrency', '1'), stopEarly)
    const [job] = await jobs()
    const left = 1000 - (job?.done ?? 0)

    const { exitCode, stdout, stderr } = await promo(['jobs', 'resume', job?.id ?? '', '--yes', '--jsonl'])

    expect(exitCode).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(left + 1)
    expect(summaryOf(stdout)).toMatchObject({ t: 'summary', job: job?.id, total: 1000, ok: 1000, changed: 1000 })
    expect(stderr).toContain(`continuing job ${job?.id}: ${left} of 1,000 rows are left`)
    expect(await jobs()).toMatchObject([{ id: job?.id, state: 'finished', done: 1000 }])
  })

  test('asks first, and shows with --dry-run what it would send', async () => {
    await promo(disable('examples/leaked-codes.csv', '--jsonl', '--concurrency', '1'), stopEarly)
    const [job] = await jobs()
    const id = job?.id ?? ''

    const unasked = await promo(['jobs', 'resume', id], { stdin: '' })
    const plan = await promo(['jobs', 'resume', id, '--dry-run', '--csv', '--columns', 'method'])

    expect(unasked.exitCode).toBe(11)
    expect(unasked.stderr).toContain(`disable ${1000 - (job?.done ?? 0)} vouchers?`)
    expect(plan.exitCode).toBe(0)
    expect(plan.stdout.trimEnd().split('\n')).toHaveLength(1001 - (job?.done ?? 0))
    expect((await jobs())[0]?.done).toBe(job?.done)
  })

  test('of a finished job sends nothing, and ends as the job did', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nNO-1\n')))
    const id = await newestJob()

    const table = await promo(['jobs', 'resume', id, '--yes', '--verbose'])
    const json = await promo(['jobs', 'resume', id, '--yes', '--json'])
    const jsonl = await promo(['jobs', 'resume', id, '--yes', '--jsonl'])

    expect([table, json, jsonl].map(({ exitCode }) => exitCode)).toEqual([3, 3, 3])
    expect(table.stderr).toMatch(new RegExp(`nothing left to do: job ${id} disabled these rows on 20.* UTC`))
    expect(table.stderr).not.toContain('> POST')
    expect(json.stdout).toBe('[]\n')
    expect(summaryOf(jsonl.stdout)).toMatchObject({ ok: 1, failed: 1, pending: 0 })
  })

  test('refuses an input that was changed, and does without one that is gone', async () => {
    const path = input('codes.csv', readFileSync('examples/leaked-codes.csv', 'utf8'))
    await promo(disable(path, '--jsonl', '--concurrency', '1'), stopEarly)
    const id = await newestJob()
    appendFileSync(path, 'MORE,x\n')

    const changed = await promo(['jobs', 'resume', id, '--yes', '--verbose'])
    rmSync(path)
    const gone = await promo(['jobs', 'resume', id, '--yes'])

    expect(changed.exitCode).toBe(9)
    expect(changed.stderr).toContain('has changed since the job began; nothing was sent')
    expect(changed.stderr).not.toContain('> POST')
    expect(gone.exitCode).toBe(0)
    expect(gone.stderr).toContain(`"${path}" is gone; its rows are in the journal`)
  })

  test('continues what came from a pipe, from arguments, and in shards whose number a scheduler gave', async () => {
    const stop: RunOptions = { onStdout: (_, stopNow) => stopNow('SIGINT') }
    const lines = readFileSync('examples/leaked-codes.csv', 'utf8').replaceAll(/,.*$/gm, '').split('\n').slice(1, 60)
    const manner = ['--yes', '--jsonl', '--concurrency', '1', ...onSandbox]
    const pipe = ['vouchers', 'disable', '--from', '-', '--input-format', 'lines', ...manner]
    await promo(pipe, { ...stop, stdin: lines.join('\n') })
    await promo(['vouchers', 'disable', ...lines, ...manner], stop)
    await promo(disable('examples/leaked-codes.csv', ...manner.slice(0, 4), '--shard', 'auto/2'), {
      ...stop,
      env: { JOB_COMPLETION_INDEX: '1' },
    })
    const stopped = await jobs()

    const ended = []
    for (const { id } of stopped) ended.push((await promo(['jobs', 'resume', id, '--yes'])).exitCode)

    expect(stopped.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped'])
    expect(ended).toEqual([0, 0, 0])
    expect((await jobs()).map(({ state }) => state)).toEqual(['finished', 'finished', 'finished'])
  })

  test('works on the job of a folder of its own, and says so in its advice', async () => {
    const dir = join(folder, 'my job')
    const first = await promo(
      disable('examples/leaked-codes.csv', '--jsonl', '--concurrency', '1', '--journal', dir),
      stopEarly,
    )

    const { exitCode } = await promo(['jobs', 'resume', dir, '--yes'])

    expect(first.stderr).toContain(`go on with: promo jobs resume '${join(dir, 'job.sqlite')}'`)
    expect(exitCode).toBe(0)
  })

  test('finds the files of its flags again from another folder', async () => {
    const name = `body-${process.pid}.json`
    const body = join(folder, name)
    writeFileSync(body, '{"type":"GIFT_VOUCHER","gift":{"amount":100}}')
    const path = input('c.csv', codes(40))
    const here = relative(process.cwd(), body)
    const create = [
      'vouchers',
      'create',
      '--from',
      path,
      '--body',
      `@${here}`,
      '--yes',
      '--concurrency',
      '1',
      '--jsonl',
    ]
    await promo([...create, ...onSandbox], stopEarly)
    const id = await newestJob()

    const { stdout } = await promo(['jobs', 'show', id, '--json', '--query', 'command_line'])
    const { exitCode } = await promo(['jobs', 'resume', id, '--yes'])

    expect(stdout).toContain(`--body @${body} `)
    expect(exitCode).toBe(0)
  })

  test('never goes on in another project', async () => {
    server = await scriptedServer((asked) => voucher(asked))
    await promo(
      ['vouchers', 'disable', '--from', input('c.csv', codes(40)), '--yes', '--jsonl', '--concurrency', '1'],
      {
        ...stopEarly,
        env: env(),
      },
    )
    const id = await newestJob()
    const asked = server.asked.length

    const { exitCode, stderr } = await promo(['jobs', 'resume', id, '--yes'], {
      env: { ...env(), PROMO_APP_ID: 'other' },
    })

    expect(exitCode).toBe(9)
    expect(stderr).toContain('it was made for another project')
    expect(server.asked).toHaveLength(asked)
  })

  test('has no profile to choose', async () => {
    const { exitCode, stderr } = await promo(['jobs', 'resume', 'x', '--profile', 'live'])

    expect(exitCode).toBe(2)
    expect(stderr).toContain('--profile')
  })

  test('waits for nobody: while another process has the job, it exits 8 and says who', async () => {
    await promo(disable('examples/leaked-codes.csv', '--jsonl', '--concurrency', '1'), stopEarly)
    const [job] = await jobs()
    const { lockPath } = jobFileAt(job?.path ?? '')
    const lock = await takeLock(lockPath, { pid: 4711, host: 'elsewhere', since: '2026-05-06T07:08:09.000Z' })

    const { exitCode, stderr } = await promo(['jobs', 'resume', job?.id ?? '', '--yes'])
    lock.release()

    expect(exitCode).toBe(8)
    expect(stderr).toContain('held by process 4711 on elsewhere, started 2026-05-06T07:08:09.000Z')
  })

  test('of a damaged file exits 9', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')))
    const [job] = await jobs()
    const database = new DatabaseSync(job?.path ?? '')
    database.exec('DELETE FROM row WHERE position = 2')
    database.close()

    const { exitCode, stderr } = await promo(['jobs', 'resume', job?.id ?? '', '--yes'])

    expect(exitCode).toBe(9)
    expect(stderr).toContain('it has 1 rows, and had 2')
  })
})

describe('jobs retry', () => {
  test('tries again only the rows that are asked for', async () => {
    let isWell = false
    server = await scriptedServer((asked) => {
      if (isWell || codeOf(asked) === 'C-0') return voucher(asked)
      return codeOf(asked) === 'C-1' ? refusal(400, 'no') : answer(429, {}, { 'retry-after': '400' })
    })
    const command = ['vouchers', 'disable', '--from', input('c.csv', codes(3)), '--yes', '--retries', '0']
    await promo([...command, '--concurrency', '1'], { env: env() })
    const id = await newestJob()
    isWell = true

    const none = await promo(['jobs', 'retry', id, '--only', 'unknown', '--yes'], { env: env() })
    const temporary = await promo(['jobs', 'retry', id, '--only', 'temporary', '--yes'], { env: env() })
    const between = server.asked.map(codeOf)
    const failed = await promo(['jobs', 'retry', id, '--only', 'failed', '--only', 'temporary', '--yes'], {
      env: env(),
    })

    expect(none.stderr).toContain(`nothing to do: job ${id} has no such rows`)
    expect(temporary.exitCode).toBe(3)
    expect(between).toEqual(['C-0', 'C-1', 'C-2', 'C-2'])
    expect(failed.exitCode).toBe(0)
    expect(server.asked.map(codeOf).slice(4)).toEqual(['C-1'])
    expect((await rowsOf(id)).map(({ promo_state, promo_attempts }) => [promo_state, promo_attempts])).toEqual([
      ['ok', 1],
      ['ok', 2],
      ['ok', 2],
    ])
  })

  test('of an unknown event says that it may count twice, and sends it only after a yes', async () => {
    server = await scriptedServer([{ do: 'reset' }, sent])
    const command = ['events', 'send', '--from', input('e.jsonl', twoEvents), '--yes', '--concurrency', '1']
    await promo(command, { env: env() })
    const id = await newestJob()

    const unasked = await promo(['jobs', 'retry', id, '--only', 'unknown'], { env: env(), stdin: '' })
    const askedBefore = server.asked.length
    const meant = await promo(['jobs', 'retry', id, '--only', 'unknown', '--yes'], { env: env() })

    expect([unasked.exitCode, meant.exitCode]).toEqual([11, 0])
    expect(unasked.stderr).toContain(
      'send 1 event, which may have been applied before and would then count twice?',
    )
    expect([askedBefore, server.asked.length]).toEqual([2, 3])
    expect((await rowsOf(id)).map(({ promo_state }) => promo_state)).toEqual(['ok', 'ok'])
  })

  test('of events that were under way in a killed run counts them as unknown', async () => {
    server = await scriptedServer([sent])
    await promo(['events', 'send', '--from', input('e.jsonl', twoEvents), '--yes'], { env: env() })
    const [job] = await jobs()
    const database = new DatabaseSync(job?.path ?? '')
    database.exec('DELETE FROM outcome WHERE position = 2')
    outcomesIn(database).start(1)
    database.close()

    const listed = await jobs()
    const rows = await rowsOf(job?.id ?? '', '--only', 'unknown')
    const retried = await promo(['jobs', 'retry', job?.id ?? '', '--only', 'unknown', '--yes'], { env: env() })

    expect(listed).toMatchObject([{ state: 'finished', done: 2, wrong: 1 }])
    expect(rows).toMatchObject([{ promo_line: 2, promo_error: 'unknown_outcome' }])
    expect(retried.exitCode).toBe(0)
    expect(server.asked).toHaveLength(3)
  })

  test('needs to know which rows', async () => {
    const { exitCode, stderr } = await promo(['jobs', 'retry', 'x'])

    expect(exitCode).toBe(2)
    expect(stderr).toContain('missing --only')
  })
})

/** Makes of a job what a kill leaves behind that comes between its last outcome and the end of its run. */
function killBeforeEnd(path: string): void {
  const database = new DatabaseSync(path)
  outcomesIn(database).start(Date.parse('2026-05-06T07:08:09Z'))
  database.close()
}

describe('a job that was killed when all its rows had an outcome, and before it could say so', () => {
  const create = (...more: string[]) => [
    'vouchers',
    'create',
    '--from',
    join(folder, 'new.csv'),
    '--type',
    'GIFT_VOUCHER',
    '--set',
    'gift.amount=100',
    '--yes',
    ...onSandbox,
    ...more,
  ]
  const told = (id: string, ends: string) =>
    `nothing left to do: job ${id} created these rows on 2026-05-06 07:08 UTC; --restart creates them again\n${ends}\n`

  test('is ended by the same command line, which sends nothing and says what the rows came to', async () => {
    input('new.csv', codes(3))
    await promo(create())
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')

    const { exitCode, stdout, stderr } = await promo(create('--verbose'))

    expect([exitCode, stdout]).toEqual([0, ''])
    expect(stderr).toBe(told(job?.id ?? '', 'created 3 vouchers (3 rows, 3 of them before, in 0.0 s)'))
    expect(await jobs()).toMatchObject([{ id: job?.id, state: 'finished', done: 3, wrong: 0, ended_by: 'done' }])
  })

  test('ends with the exit code of what its rows came to, and counts them in JSON Lines', async () => {
    input('new.csv', 'code\nC-0\nMORNING\n')
    await promo(create())
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')

    const { exitCode, stdout, stderr } = await promo(create('--jsonl'))

    expect(exitCode).toBe(3)
    expect(summaryOf(stdout)).toMatchObject({ job: job?.id, total: 2, before: 2, ok: 1, conflict: 1, pending: 0 })
    expect(stderr).toContain('created 1 voucher, 1 in conflict (2 rows, 2 of them before, in 0.0 s)')
  })

  test('is over then: once more, the same command line begins a new one', async () => {
    const command = disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n'))
    await promo(command)
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')
    await promo(command)

    const { stderr } = await promo(command)

    expect(stderr).toContain('disabled 0 vouchers, 2 already off (2 rows in ')
    expect(await jobs()).toHaveLength(2)
  })

  test('is ended by its id as well', async () => {
    input('new.csv', codes(3))
    await promo(create())
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')

    const { exitCode, stderr } = await promo(['jobs', 'resume', job?.id ?? '', '--yes'])

    expect(exitCode).toBe(0)
    expect(stderr).toContain('created 3 vouchers (3 rows, 3 of them before, in 0.0 s)')
    expect((await jobs())[0]).toMatchObject({ ended_by: 'done' })
  })

  test('is left as it is by --dry-run', async () => {
    input('new.csv', codes(3))
    await promo(create())
    const [job] = await jobs()
    killBeforeEnd(job?.path ?? '')

    const { stderr } = await promo(create('--dry-run'))

    expect(stderr).toContain('would create 0 vouchers')
    expect(await jobs()).toMatchObject([{ id: job?.id, ended_by: null }])
  })

  test.each([['unknown'], ['retry']])(
    'is ended without an event sent twice, with --on-ambiguous %s',
    async (onAmbiguous) => {
      server = await scriptedServer([sent])
      const path = input('e.jsonl', twoEvents)
      const command = ['events', 'send', '--from', path, '--yes', '--on-ambiguous', onAmbiguous]
      await promo(command, { env: env() })
      const [job] = await jobs()
      killBeforeEnd(job?.path ?? '')

      const { exitCode, stderr } = await promo(command, { env: env() })

      expect(exitCode).toBe(0)
      expect(stderr).toContain('sent 2 events (2 rows, 2 of them before, in 0.0 s)')
      expect(server.asked).toHaveLength(2)
      expect(await jobs()).toMatchObject([{ id: job?.id, ended_by: 'done' }])
    },
  )

  test('counts an event that was under way as unknown, also in its journal', async () => {
    server = await scriptedServer([sent])
    const command = ['events', 'send', '--from', input('e.jsonl', twoEvents), '--yes']
    await promo(command, { env: env() })
    const [job] = await jobs()
    const database = new DatabaseSync(job?.path ?? '')
    database.exec('DELETE FROM outcome WHERE position = 2')
    database.close()
    killBeforeEnd(job?.path ?? '')

    const { exitCode } = await promo(command, { env: env() })

    expect(exitCode).toBe(6)
    expect(server.asked).toHaveLength(2)
    expect(await rowsOf(job?.id ?? '', '--only', 'unknown')).toMatchObject([{ promo_line: 2, promo_attempts: 0 }])
    expect((await jobs())[0]).toMatchObject({ ended_by: 'done', wrong: 1 })
  })
})

describe('the same command line, when its job of calls that happen twice is complete', () => {
  const command = () => ['events', 'send', '--from', join(folder, 'e.jsonl'), '--yes']

  test.each([
    ['', []],
    [', also when it may send a lost one twice', ['--on-ambiguous', 'retry']],
  ])('says so, sends nothing, and names the way to send them again%s', async (_, more) => {
    server = await scriptedServer([sent])
    input('e.jsonl', twoEvents)
    await promo([...command(), ...more], { env: env() })
    const id = await newestJob()

    const { exitCode, stdout, stderr } = await promo([...command(), ...more], { env: env() })

    expect([exitCode, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(
      new RegExp(`^nothing left to do: job ${id} sent these rows on \\d{4}-.* UTC; --restart sends them again\n$`),
    )
    expect(server.asked).toHaveLength(2)
  })

  test('ends with the exit code of what its rows came to', async () => {
    server = await scriptedServer([{ do: 'reset' }, sent])
    input('e.jsonl', twoEvents)
    await promo([...command(), '--concurrency', '1'], { env: env() })

    const { exitCode, stderr } = await promo(command(), { env: env() })

    expect(exitCode).toBe(6)
    expect(stderr).toContain('sent 1 event, 1 with an unknown outcome')
    expect(stderr).toContain(`see which rows: promo jobs report ${await newestJob()} --only unknown`)
  })
})

async function isActive(code: string): Promise<boolean> {
  return JSON.parse((await promo(['vouchers', 'get', code, '--json', ...onSandbox])).stdout).active
}

/** Makes the answers of a job tell nothing about whether they changed anything. */
function forgetChanges(path: string, position: number): void {
  const database = new DatabaseSync(path)
  const store = outcomesIn(database)
  const outcome = store.report(position - 1, 1)[0]?.outcome
  if (outcome) store.put(position, { state: outcome.state, lost: false, attempts: outcome.attempts })
  database.close()
}

describe('jobs undo', () => {
  test('switches on again exactly what the job switched off', async () => {
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

  test('of an enable switches off again, and can itself be undone', async () => {
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
    expect(stderr).toContain('enable 2 vouchers?')
    expect(await jobs()).toMatchObject([{ state: 'finished' }])
  })

  test('that was stopped is gone on with by the same line, which says when it is complete', async () => {
    await promo(disable('examples/leaked-codes.csv'))
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

  test('of a job that was stopped ends it: it is neither resumed nor continued by its command line', async () => {
    const command = disable('examples/leaked-codes.csv', '--jsonl', '--concurrency', '1')
    await promo(command, stopEarly)
    const [job] = await jobs()
    await promo(['jobs', 'undo', job?.id ?? '', '--yes'])

    const resumed = await promo(['jobs', 'resume', job?.id ?? '', '--yes', '--verbose'])
    const retried = await promo(['jobs', 'retry', job?.id ?? '', '--only', 'failed', '--yes'])
    const again = await promo(command)

    expect([resumed.exitCode, retried.exitCode]).toEqual([9, 9])
    expect(resumed.stderr).toMatch(/job \S+ cannot be continued: job \S+ has undone it; nothing was sent/)
    expect(resumed.stderr).not.toContain('> POST')
    expect(summaryOf(again.stdout)).toMatchObject({ total: 1000, before: 0, changed: 1000 })
  })

  test('names rows of which nobody knows whether they changed, leaves them alone, and exits 6', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')))
    const [job] = await jobs()
    forgetChanges(job?.path ?? '', 1)

    const { exitCode, stderr } = await promo(['jobs', 'undo', job?.id ?? '', '--yes'])

    expect(exitCode).toBe(6)
    expect(stderr).toContain(
      '1 row is left alone, because it is unknown whether the job changed them: MORNING (line 2); see them with: promo jobs report',
    )
    expect([await isActive('MORNING'), await isActive('WEEKEND')]).toEqual([false, true])
  })

  test('of a job in a folder of its own is known there too', async () => {
    const dir = join(folder, 'own')
    const command = disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n'), '--journal', dir)
    await promo(command)
    await promo(['jobs', 'undo', dir, '--yes'])

    const listed = await promo(['jobs', 'list', '--journal', dir, '--csv', '--columns', 'state'])
    const again = await promo(command)

    expect(listed.stdout).toBe('state\nundone\n')
    expect(again.exitCode).toBe(9)
    expect(again.stderr).toContain('has undone it')
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
  ])('of %s is refused, with what can be undone', async (name, command) => {
    await promo([...command, '--yes', ...onSandbox])

    const { exitCode, stderr } = await promo(['jobs', 'undo', await newestJob(), '--yes'])

    expect(exitCode).toBe(2)
    expect(stderr).toContain(`a job of "${name}" cannot be undone`)
    expect(stderr).toContain('only "vouchers disable" and "vouchers enable" can be undone')
  })

  test('never goes to another project', async () => {
    server = await scriptedServer((asked) => {
      const { body, ...rest } = voucher(asked) as Extract<Action, { do: 'answer' }>
      return { ...rest, body: { ...(body as object), updated_at: '2999-01-01T00:00:00Z' } }
    })
    await promo(['vouchers', 'disable', '--from', input('c.csv', codes(3)), '--yes'], { env: env() })
    const asked = server.asked.length

    const { exitCode, stderr } = await promo(['jobs', 'undo', await newestJob(), '--yes'], {
      env: { ...env(), PROMO_APP_ID: 'other' },
    })

    expect(exitCode).toBe(9)
    expect(stderr).toContain('it was made for another project')
    expect(server.asked).toHaveLength(asked)
    expect(await jobs()).toHaveLength(1)
  })
})

describe('jobs prune', () => {
  const inTwoMonths = () => Date.now() + 60 * 86_400_000

  test('finds nothing where there is nothing', async () => {
    const table = await promo(['jobs', 'prune'])
    const json = await promo(['jobs', 'prune', '--json'])

    expect([table.exitCode, table.stdout, table.stderr]).toEqual([0, '', 'nothing to remove\n'])
    expect(json.stdout).toBe('[]\n')
  })

  test('removes what was finished a month ago, after asking', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    const id = await newestJob()

    const early = await promo(['jobs', 'prune', '--yes'])
    const unasked = await promo(['jobs', 'prune'], { now: inTwoMonths, stdin: '' })
    const plan = await promo(['jobs', 'prune', '--dry-run', '--csv', '--columns', 'kind,id,state'], {
      now: inTwoMonths,
    })
    const kept = await jobs()
    const { exitCode, stdout } = await promo(['jobs', 'prune', '--yes', '--csv', '--columns', 'kind,id'], {
      now: inTwoMonths,
    })

    expect(early.stderr).toBe('nothing to remove\n')
    expect([unasked.exitCode, kept.length]).toEqual([11, 1])
    expect(unasked.stderr).toContain('remove 1 job for good?')
    expect(plan.stdout).toBe(`kind,id,state\njob,${id},finished\nlock,,\n`)
    expect([exitCode, stdout]).toEqual([0, `kind,id\njob,${id}\nlock,\n`])
    expect(readdirSync(join(folder, 'state/jobs'))).toEqual([])
  })

  test('keeps a job with rows left and a damaged one, unless told otherwise', async () => {
    await promo(disable('examples/leaked-codes.csv', '--jsonl', '--concurrency', '1'), stopEarly)
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    const [damaged, stopped] = await jobs()
    writeFileSync(damaged?.path ?? '', 'garbage')

    const careful = await promo(['jobs', 'prune', '--yes', '--json'], { now: inTwoMonths })
    const all = await promo(['jobs', 'prune', '--unfinished', '--yes', '--json'], { now: inTwoMonths })

    expect(careful.stdout).toBe('[]\n')
    expect(new Set(JSON.parse(all.stdout).map(({ id }: Listed) => id))).toEqual(
      new Set([damaged?.id, stopped?.id, null]),
    )
    expect(await jobs()).toEqual([])
  })

  test('never removes a job that somebody holds', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\n')))
    const [job] = await jobs()
    const { lockPath } = jobFileAt(job?.path ?? '')
    const lock = await takeLock(lockPath, { pid: 4711, host: 'elsewhere', since: '2026-05-06T07:08:09.000Z' })

    const { stdout, stderr } = await promo(['jobs', 'prune', '--unfinished', '--yes', '--json'], { now: inTwoMonths })
    lock.release()

    expect(stdout).toBe('[]\n')
    expect(stderr).toContain('is in use again and was kept')
    expect(await jobs()).toHaveLength(1)
  })

  test('removes the drafts of killed processes, but not one that is being written', async () => {
    const dir = join(folder, 'state/jobs')
    mkdirSync(dir, { recursive: true })
    for (const name of ['draft-00aa.sqlite', 'draft-00bb.sqlite', 'draft-00aa.sqlite-journal', 'notes.txt']) {
      writeFileSync(join(dir, name), '')
    }
    utimesSync(join(dir, 'draft-00aa.sqlite'), 1, 1)

    const { stdout } = await promo(['jobs', 'prune', '--csv', '--columns', 'kind,path'])

    expect(stdout).toBe(`kind,path\ndraft,${join(dir, 'draft-00aa.sqlite')}\n`)
    expect(readdirSync(dir).toSorted()).toEqual(['draft-00bb.sqlite', 'notes.txt'])
  })

  test('keeps the undo of a job as long as the job, because it says that the job was undone', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')), { now: () => Date.now() + 50 * 86_400_000 })
    const [job] = await jobs()
    await promo(['jobs', 'undo', job?.id ?? '', '--yes'])

    const careful = await promo(['jobs', 'prune', '--yes', '--json'], { now: inTwoMonths })
    const both = await promo(['jobs', 'prune', '--older-than', '1d', '--yes', '--json', '--query', '[].kind'], {
      now: inTwoMonths,
    })

    expect(careful.stdout).toBe('[]\n')
    expect(JSON.parse(both.stdout).filter((kind: string) => kind === 'job')).toHaveLength(2)
  })

  test('says what a removed job of events kept from happening', async () => {
    server = await scriptedServer([sent])
    const send = ['events', 'send', '--from', input('e.jsonl', twoEvents), '--yes']
    await promo(send, { env: env() })
    await promo([...send, '--on-ambiguous', 'retry'], { env: env() })

    const { stderr } = await promo(['jobs', 'prune'], { now: inTwoMonths, stdin: '' })

    expect(stderr).toContain('remove 2 jobs for good (2 of them keep events from being sent twice)?')
  })
})
