// How `jobs report` shows each row of a job.
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { disable, jobDesk, onSandbox, stopEarly } from '../support/jobs.ts'
import { forgeFailure } from '../support/journals.ts'

const desk = jobDesk()
const { leaked, promo, input, jobs, newestJob, rowsOf } = desk

describe('jobs report', () => {
  test('has the columns of the input, then the outcome of each row', async () => {
    const path = input('codes.csv', '10,code,2,note\n=1+1,MORNING,b,"a\tb\u200f"\n@x,NO-1,d,\n-1,MORNING,b,\n')
    await promo(disable(path))

    const { exitCode, stdout } = await promo(['jobs', 'report', await newestJob(), '--csv'])

    expect(exitCode).toBe(0)
    const [header, ...rows] = parse(stdout) as string[][]
    expect(header?.slice(0, 4)).toEqual(['10', 'code', '2', 'note'])
    expect(header?.slice(4).join()).toBe(
      'promo_line,promo_state,promo_error,promo_message,promo_request_id,promo_attempts,promo_result_updated_at',
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

  test('has the members of the input in JSON, and their paths in CSV', async () => {
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
    await promo(`vouchers create --from ${path} --yes --profile sandbox`)
    const id = await newestJob()

    const records = await rowsOf(id)
    const { stdout } = await promo(`jobs report ${id} --csv`)

    expect(records).toMatchObject(rows.map((row) => ({ ...row, promo_state: 'ok', promo_error: null })))
    expect(stdout.split('\n')[0]).toMatch(
      /^code,type,discount\.type,discount\.percent_off,metadata\.a,gift\.amount,promo_line,/,
    )
    expect(stdout.split('\n')[1]).toMatch(/^NEW-1,DISCOUNT_VOUCHER,PERCENT,10,"\[1,2\]",,1,ok,/)
  })

  test('shows only the rows with a requested outcome', async () => {
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

  test('shows which rows of a stopped job are left', async () => {
    await promo(disable(leaked(), '--jsonl', '--concurrency', '1'), stopEarly)
    const [job] = await jobs()

    const left = await rowsOf(job?.id ?? '', '--only', 'pending')

    expect(left).toHaveLength(200 - (job?.done ?? 0))
    expect(left[0]).toMatchObject({ promo_line: (job?.done ?? 0) + 2, promo_state: 'pending', promo_error: null })
  })

  test('keeps the problems of skipped bad rows', async () => {
    const path = input(
      'new.csv',
      'code,type,gift.amount\nA-1,GIFT_VOUCHER,100\nA-2,GIFT_VOUCHER,many\n,x,y\nA-1,GIFT_VOUCHER,7\n',
    )
    await promo(`vouchers create --from ${path} --skip-bad-rows --yes --profile sandbox`)

    expect(await rowsOf(await newestJob())).toMatchObject([
      { code: 'A-1', promo_line: 2, promo_state: 'ok' },
      { code: 'A-2', type: 'GIFT_VOUCHER', 'gift.amount': 'many', promo_state: 'skipped', promo_error: 'input' },
      { code: '', type: 'x', 'gift.amount': 'y', promo_line: 4, promo_state: 'skipped' },
      {
        code: 'A-1',
        type: 'GIFT_VOUCHER',
        promo_line: 5,
        promo_message: expect.stringContaining('occurred on line 2'),
      },
    ])
  })

  test.each(['csv', 'jsonl'])('in %s is an input of the same command', async (format) => {
    const path = input('new.csv', 'code,type,gift.amount,promo_code\nA-1,GIFT_VOUCHER,100,X\nA-2,GIFT_VOUCHER,200,Y\n')
    const cut = input('cut.csv', readFileSync(path, 'utf8').replaceAll(/,promo_code|,[XY]$/gm, ''))
    await promo(['vouchers', 'create', '--from', cut, '--yes', ...onSandbox])
    const report = join(desk.folder, `report.${format}`)
    await promo(['jobs', 'report', await newestJob(), '--format', format, '--out', report])

    const again = await promo(`vouchers create --from ${report} --yes --json --profile sandbox`)
    const second = await promo(['jobs', 'report', await newestJob(), '--csv'])
    const own = await promo(`vouchers create --from ${path} --yes --profile sandbox`)

    expect(JSON.parse(again.stdout).map(({ code, state }: Record<string, unknown>) => [code, state])).toEqual([
      ['A-1', 'conflict'],
      ['A-2', 'conflict'],
    ])
    expect(second.stdout).toMatch(/^code,type,gift\.amount,promo_line,promo_state,/)
    expect(own).toEnd(2, 'promo_code')
  })

  test('merges the shards of a folder in the order of the input, however each of them read the same rows', async () => {
    const codes = ['MORNING', 'WEEKEND', 'NO-1', 'SORRY5', 'NO-2', 'BEANS10', 'MORNING']
    const path = input('codes.csv', `code\n${codes.join('\n')}\n`)
    const dir = join(desk.folder, 'shards')
    for (const shard of ['0/3', '1/3']) await promo(disable(path, '--journal', dir, '--shard', shard))
    const spaced = input('spaced.csv', `code\n${codes.map((code) => `${code} `).join('\n')}\n`)
    await promo(disable(spaced, '--trim', '--journal', dir, '--shard', '2/3'))

    const rows = await rowsOf(dir)

    expect(rows.map(({ code }) => code)).toEqual(codes)
    expect(rows.map(({ promo_line }) => promo_line)).toEqual([2, 3, 4, 5, 6, 7, 8])
  })

  test('of shards with one missing names the missing one and exits 6', async () => {
    const path = input('codes.csv', 'code\nMORNING\nWEEKEND\nSORRY5\nBEANS10\nNO-1\nNO-2\n')
    const dir = join(desk.folder, 'shards')
    for (const shard of ['0/4', '2/4']) await promo(disable(path, '--journal', dir, '--shard', shard))

    const { exitCode, stderr, stdout } = await promo(`jobs report ${dir} --csv`)

    expect(exitCode).toBe(6)
    expect(stderr).toBe('shards missing: 1, 3; their rows are not in this report\n')
    expect(stdout).toMatch(/^code,/)
  })

  test.each([
    ['another input', 'code\nMORNING\nPAUSED\n', 'disable', '1/2', 'different input'],
    ['another number of shards', 'code\nMORNING\nWEEKEND\n', 'disable', '1/3', 'different number of shards'],
    ['another command', 'code\nMORNING\nWEEKEND\n', 'enable', '1/2', 'different command'],
  ])('refuses shards of %s', async (_, content, verb, shard, why) => {
    const dir = join(desk.folder, 'shards')
    const first = input('codes.csv', 'code\nMORNING\nWEEKEND\n')
    await promo(disable(first, '--journal', dir, '--shard', '0/2'))
    const other = input('other.csv', content)
    const elsewhere = join(desk.folder, 'elsewhere')
    await promo(['vouchers', verb, '--from', other, '--yes', ...onSandbox, '--journal', elsewhere, '--shard', shard])
    cpSync(elsewhere, dir, { recursive: true })

    const { exitCode, stdout, stderr } = await promo(`jobs report ${dir} --csv`)

    expect([exitCode, stdout]).toEqual([9, ''])
    expect(stderr).toContain(why)
  })

  test('exits 9 at a row that fails its checksum, and leaves no file', async () => {
    await promo(disable(input('codes.csv', 'code\nMORNING\nWEEKEND\n')))
    const [job] = await jobs()
    forgeFailure(job?.path ?? '', 2)

    const ran = await promo(`jobs report ${job?.id} --csv -o ${join(desk.folder, 'r.csv')}`)

    expect(ran).toEnd(9, 'the outcome of row 2 is not what was written')
    expect(readdirSync(desk.folder)).not.toContain('r.csv')
  })
})
