import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leakedCodes } from '../support/jobs.ts'
import { testHome } from '../support/promo.ts'

const home = testHome()
const { promo, input } = home
const onSandbox = ['--profile', 'sandbox']

async function isActive(code: string): Promise<boolean> {
  const { stdout } = await promo(['vouchers', 'get', code, '--json', ...onSandbox])
  return JSON.parse(stdout).active
}

describe('one code', () => {
  test('is disabled without a question, and the profile is named on stderr', async () => {
    const { exitCode, stdout, stderr } = await promo('vouchers disable MORNING --profile sandbox')

    expect(exitCode).toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^profile sandbox \(from --profile\)/)
    expect(stderr).toContain('disabled 1 voucher')
    expect(await isActive('MORNING')).toBe(false)
  })

  test.each(['LATTE ART/2026', 'CAFÉ☕'])('%s is disabled by its exact name', async (code) => {
    expect(await promo(['vouchers', 'disable', code, ...onSandbox])).toEnd(0)
    expect(await isActive(code)).toBe(false)
  })

  test('that was already disabled is reported as such', async () => {
    const { stderr } = await promo('vouchers disable PAUSED --profile sandbox')

    expect(stderr).toContain('disabled 0 vouchers, 1 already off')
  })
})

describe('many codes', () => {
  test('ask first; where no question is possible, nothing is sent and the exit code is 11', async () => {
    const ran = await promo('vouchers disable MORNING WEEKEND --profile sandbox -v', { stdin: '' })

    expect(ran).toEnd(11, 'try: add --yes to go ahead')
    expect(ran.stderr).not.toContain('> POST')
  })

  test('from the example file are all disabled; a second file reports that they were already disabled', async () => {
    const argv = ['vouchers', 'disable', '--from', 'examples/leaked-codes.csv', '--yes', '--csv', ...onSandbox]

    const first = await promo(argv)
    const second = await promo([...argv.slice(0, 3), input('some.csv', leakedCodes), ...argv.slice(4)])

    expect(first).toEnd(0, 'disabled 1,000 vouchers (1,000 rows in')
    expect(second).toEnd(0, 'disabled 0 vouchers, 200 already off')
    expect(first.stdout.split('\n')[1]).toMatch(/^2,SPRING-[A-Z0-9]+,ok,true,/)
  })

  test('that are unknown are named, and the rest are still disabled', async () => {
    const path = input('codes.csv', 'code\nMORNING\nNO-1\nWEEKEND\nNO-2\n')

    const { exitCode, stdout, stderr } = await promo(`vouchers disable --from ${path} --yes --profile sandbox`)

    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^ *3 +NO-1 +failed +not_found .*Cannot find voucher with id NO-1/m)
    expect(stdout).toMatch(/^ *5 +NO-2 +failed +not_found /m)
    expect(stdout).not.toContain('MORNING')
    expect(stderr).toContain('disabled 2 vouchers, 2 refused (4 rows in')
    expect(await isActive('WEEKEND')).toBe(false)
  })

  test('are read from stdin as lines, JSON Lines or CSV', async () => {
    const lines = await promo(
      ['vouchers', 'disable', '--from', '-', '--input-format', 'lines', '--json', ...onSandbox],
      {
        stdin: 'MORNING\n',
      },
    )
    const jsonl = await promo(
      ['vouchers', 'disable', '--from', '-', '--input-format', 'jsonl', '--json', ...onSandbox],
      {
        stdin: '{"code":"WEEKEND","reason":"test"}\n',
      },
    )
    const csv = await promo('vouchers disable --from - --column Voucher --json --profile sandbox', {
      stdin: '\u{feff}id,Voucher\r\n1,SORRY5\r\n',
    })

    expect([lines, jsonl, csv].map(({ stdout }) => JSON.parse(stdout)[0].code)).toEqual([
      'MORNING',
      'WEEKEND',
      'SORRY5',
    ])
  })

  test('stream as JSON Lines in input order and end with a summary', async () => {
    const { stdout } = await promo('vouchers disable WEEKEND NO-1 WEEKEND MORNING --jsonl --yes --profile sandbox')

    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

    expect(records.map(({ t, code, state }) => [t, code, state])).toEqual([
      ['item', 'WEEKEND', 'ok'],
      ['item', 'NO-1', 'failed'],
      ['item', 'WEEKEND', 'duplicate'],
      ['item', 'MORNING', 'ok'],
      ['summary', undefined, undefined],
    ])
    expect(records[4]).toMatchObject({ total: 4, ok: 2, failed: 1, duplicate: 1, pending: 0, stopped_by: null })
  })

  test('stop at --max-errors with exit 7 and count what was not attempted', async () => {
    const codes = Array.from({ length: 200 }, (_, at) => `NO-${at}`)
    const path = input('codes.txt', codes.join('\n'))

    const ran = await promo(`vouchers disable --from ${path} --yes --max-errors 5 --concurrency 1 --profile sandbox`)

    expect(ran).toEnd(7, '6 refused, 194 not attempted')
  })

  test('in a dry run are shown as requests, and none is sent', async () => {
    const table = await promo('vouchers disable --from examples/leaked-codes.csv --dry-run --profile sandbox')
    const jsonl = await promo('vouchers disable --from examples/leaked-codes.csv --dry-run --jsonl --profile sandbox')

    expect(table.exitCode).toBe(0)
    expect(table.stdout.trimEnd().split('\n')).toHaveLength(11)
    expect(table.stderr).toContain('dry run: would disable 1,000 vouchers; nothing was sent')
    const requests = jsonl.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(requests).toHaveLength(1000)
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: expect.stringMatching(/\/v1\/vouchers\/SPRING-[A-Z0-9]+\/disable$/),
    })
  })

  test('from an empty listing are no work and no error', async () => {
    const none = await promo(`vouchers disable --from ${input('none.csv', 'code\n')} --profile sandbox`)
    const terminal = await promo('vouchers disable --from - --yes --profile sandbox')

    expect(none).toEnd(0, 'disabled 0 vouchers (0 rows')
    expect(terminal).toEnd(2, 'terminal')
  })

  test('are stored in one file of their job, readable by the owner only', async () => {
    await promo('vouchers disable --from examples/unknown-codes.csv --yes --profile sandbox')

    const jobs = join(home.folder, 'state/jobs')
    const kept = readdirSync(jobs).map((name) => ({
      kind: name.replace(/^.*\./, ''),
      mode: (statSync(join(jobs, name)).mode & 0o777).toString(8),
    }))
    expect(kept).toHaveLength(2)
    expect(kept).toContainEqual({ kind: 'sqlite', mode: '600' })
    expect(kept).toContainEqual({ kind: 'lock', mode: '600' })
  })

  test('leave no copy when none is sent', async () => {
    await promo('vouchers disable --from examples/unknown-codes.csv --dry-run --profile sandbox')

    expect(readdirSync(join(home.folder, 'state/jobs'))).toEqual([])
  })
})

describe('a bad file', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['empty.csv', '', /is empty/],
    ['ragged.csv', 'code,reason\nA,b\nB\n', /line 3.*1 field/s],
    ['wrong-column.csv', 'cod,reason\nA,b\n', /no column "code".*did you mean "cod"/s],
    ['utf16.csv', Buffer.from('code\nAB\n', 'utf16le'), /UTF-16.*--encoding utf-16/s],
    ['nul.csv', 'code\nA\0B\n', /NUL/],
    ['dots.csv', 'code\nA\n.\n..\n', /2 of 3 rows.*nothing was sent.*line 3.*\(2 rows: 3, 4;/s],
    ['spaces.csv', 'code\n A \n', /line 2.*space/s],
    ['quote.csv', 'code\n"A\nB\n', /line 2.*quote/s],
    ['codes.xlsx', Buffer.from('PK\x03\x04rest', 'latin1'), /xlsx|zip/i],
    ['duplicate.csv', 'code,code\nA,B\n', /code/],
  ])('%s is refused before any request', async (name, content, problem) => {
    const path = input(name, content)

    const { exitCode, stdout, stderr } = await promo(`vouchers disable --from ${path} --yes -v --profile sandbox`)

    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(problem)
    expect(stderr).not.toContain('> POST')
    expect(stderr).not.toMatch(/\n {4}at /)
  })

  test('with --skip-bad-rows its good rows are sent and the bad ones are skipped', async () => {
    const path = input('dots.csv', 'code;reason\nMORNING;x\n..;y\n')

    const { exitCode, stdout, stderr } = await promo(
      ['vouchers', 'disable', '--from', path, '--delimiter', ';', '--skip-bad-rows', '--yes', '--csv'].concat(
        onSandbox,
      ),
    )

    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^2,MORNING,ok,/m)
    expect(stdout).toMatch(/^3,,skipped,/m)
    expect(stderr).toContain('disabled 1 voucher, 1 skipped')
  })

  test('a folder and a missing file are named', async () => {
    mkdirSync(join(home.folder, 'codes'))

    const directory = await promo(`vouchers disable --from ${join(home.folder, 'codes')} --yes --profile sandbox`)
    const missing = await promo(`vouchers disable --from ${join(home.folder, 'nothing.csv')} --yes --profile sandbox`)

    expect(directory).toEnd(2, /codes.*(folder|directory)/)
    expect(missing).toEnd(2, /nothing\.csv/)
  })
})
