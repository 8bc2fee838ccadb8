import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { endpoints } from '../../src/contract/catalogue.ts'
import { nowhere, testHome } from '../support/promo.ts'
import { type Action, answer, scriptedServer } from '../support/scripted-server.ts'

const home = testHome()
const { promo } = home
const onSandbox = ['--profile', 'sandbox']
const exportOf = (card: string, ...more: string[]) => ['loyalty', 'transactions', 'export', card, ...more, ...onSandbox]

const fileOfFirstCard =
  'Created At,Amount,Balance\n' +
  '2026-01-15T12:00:00.000Z,100,100\n2026-01-22T12:00:00.000Z,42,142\n2026-01-29T12:00:00.000Z,-60,82\n'
const fields = ['--fields', 'created_at,amount,balance']

describe('loyalty transactions export', () => {
  test("without --wait returns the service's own export, which is scheduled", async () => {
    const { exitCode, stdout, stderr } = await promo(
      exportOf('CLUB-001', '--json', ...fields, '--order', '-created_at'),
    )

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'export',
      status: 'SCHEDULED',
      exported_object: 'voucher_transactions',
      parameters: {
        order: '-created_at',
        fields: ['created_at', 'amount', 'balance'],
        filters: { voucher_id: { conditions: { $in: ['CLUB-001'] } } },
      },
      result: null,
    })
    expect(stderr).toMatch(/^profile sandbox/)
  })

  test('is narrowed by a period, whose days are both included, and by filters of the service', async () => {
    const period = ['--since', '2026-02-01', '--until', '2026-02-08', '--fields', 'created_at,amount', '--wait']
    const whole = await promo(exportOf('CLUB-004', ...period))
    const spent = await promo(exportOf('CLUB-004', ...period, '--filter', 'type=POINTS_REDEMPTION'))

    const header = 'Created At,Amount\n'
    const last = '2026-02-08T12:00:00.000Z,-120\n'
    expect(whole.stdout.replaceAll('\r', '')).toBe(`${header}2026-02-01T12:00:00.000Z,75\n${last}`)
    expect(spent.stdout.replaceAll('\r', '')).toBe(`${header}${last}`)
  })

  test('takes a period once: as flags or as a filter', async () => {
    const twice = ['--since', '2026-02-01', '--filter', 'created_at:$before=2026-03-01']
    const ran = await promo(exportOf('CLUB-004', ...twice))

    expect(ran).toEnd(2, '--filter created_at and --since or --until say the same twice')
  })

  test('with --wait waits for it and writes the file unchanged to stdout', async () => {
    const { exitCode, stdout, stderr } = await promo(exportOf('CLUB-001', ...fields, '--order', 'created_at', '--wait'))

    expect(exitCode).toBe(0)
    expect(stdout).toBe(fileOfFirstCard)
    expect(stderr).toMatch(/started export exp_\w+\n$/)
  })

  test('with --wait --out writes the complete file, and nothing to stdout', async () => {
    const out = join(home.folder, 'out.csv')

    const { exitCode, stdout, stderr } = await promo(
      exportOf('CLUB-001', ...fields, '--order', 'created_at', '--wait', '--out', out, '--campaign', 'Bean Club'),
    )

    expect(exitCode).toBe(0)
    expect(stdout).toBe('')
    expect(readFileSync(out, 'utf8')).toBe(fileOfFirstCard)
    expect(stderr).toContain(`wrote ${fileOfFirstCard.length} bytes to ${out}`)
  })

  test.each([
    ['--excel', [], '\ufeff', ';', '\r\n', ["'=1+1", "'-1.50"]],
    ['--csv-delimiter=tab', ['--csv'], '', '\t', '\n', ['=1+1', '-1.50']],
  ])('with --wait and later it is written for %s', async (flag, asCsv, mark, delimiter, end, marked) => {
    const file = 'code,amount,note\n"=1+1",-1.50,"a;""b""\tc\nd"\n'
    await using server = await scriptedServer(({ url }) =>
      url.startsWith('/file')
        ? { do: 'text', status: 200, text: file, headers: { 'content-type': 'text/csv' } }
        : answer(200, {
            id: 'exp_1',
            object: 'export',
            status: 'DONE',
            result: { url: `${server.origin}/file?token=t` },
          }),
    )
    const out = join(home.folder, 'shaped.csv')
    const keys = server.env
    const service = { env: { LC_ALL: 'de_DE.UTF-8', ...keys } }

    const created = await promo(['exports', 'create', 'vouchers', '--wait', flag, ...asCsv], service)
    const later = await promo(['exports', 'download', 'exp_1', flag, '--out', out], service)

    const shaped = [
      ['code', 'amount', 'note'],
      [...marked, '"a;""b""\tc\nd"'],
    ]
      .map((cells) => cells.join(delimiter) + end)
      .join('')
    expect([created.exitCode, later.exitCode], created.stderr + later.stderr).toEqual([0, 0])
    expect(created.stdout).toBe(mark + shaped)
    expect(readFileSync(out, 'utf8')).toBe(mark + shaped)
    expect(later.stderr).toContain(`wrote ${Buffer.byteLength(mark + shaped)} bytes to `)
  })

  test('never shows the token of the file on stderr, a table or CSV', async () => {
    const ran = await promo(exportOf('CLUB-001', '--wait', '--verbose'))
    const table = await promo('exports list --profile sandbox')
    const csv = await promo('exports list --csv --columns id,result.url --profile sandbox')
    const [{ id, result }] = JSON.parse((await promo('exports list --json --profile sandbox')).stdout)
    const block = await promo(`exports get ${id} --verbose --profile sandbox`)

    const token = new URL(result.url).searchParams.get('token') ?? 'missing'
    expect(token.length).toBeGreaterThan(20)
    for (const text of [ran.stderr, table.stdout, csv.stdout, block.stdout, block.stderr])
      expect(text).not.toContain(token)
    expect(csv.stdout).toContain(`hidden; promo exports download ${id}`)
    expect(ran.stderr).toContain('token=[redacted]')
  })

  test.each<[string, string[], RegExp]>([
    ['an unknown field', ['--fields', 'created_at,amonut'], /parameters\.fields/],
    ['an order by an unknown field', ['--order', 'age'], /parameters\.order/],
    ['an empty field', ['--fields', 'a,,b'], /empty name/],
    ['a shape for a file that is as it is', ['--wait', '--json'], /no flag can shape it/],
    ['columns for a file that is as it is', ['--wait', '--columns', 'id'], /no flag can shape it/],
    ['a time to wait without waiting', ['--timeout-wait', '5s'], /--wait/],
    ['a folder that does not exist', ['--wait', '--out', `${nowhere}/x.csv`], /\/nowhere/],
    ['a folder as the file', ['--wait', '--out', '/'], /cannot write/],
  ])('refuses %s before any request', async (_what, flags, message) => {
    const { exitCode, stderr } = await promo(exportOf('CLUB-001', ...flags, '-v'))

    expect([2, 10]).toContain(exitCode)
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('> POST')
  })

  test('whose answer is lost is requested again, and a second export may exist', async () => {
    const job = { id: 'exp_1', object: 'export', status: 'SCHEDULED', result: null }
    await using server = await scriptedServer([{ do: 'reset' }, answer(200, job)])

    const { exitCode, stderr } = await promo('loyalty transactions export CLUB-001', { env: server.env })

    expect(exitCode).toBe(0)
    expect(server.asked).toHaveLength(2)
    expect(stderr).toContain('warning: the export was requested more than once, so a second one may exist')
  })
})

describe('exports create', () => {
  const create = (kind: string, ...more: string[]) => promo(['exports', 'create', kind, ...more, ...onSandbox])
  const planned = async (kind: string, ...more: string[]) =>
    JSON.parse((await create(kind, ...more, '--dry-run', '--json')).stdout)[0].body

  test.each([
    ['vouchers', 'Code,Voucher Type,Value,Discount Type'],
    ['redemptions', 'ID,Object,Voucher Code,Customer ID,Date,Result'],
    ['publications', 'Voucher Code,Customer ID,Date,Channel'],
    ['customers', 'Name,Source ID'],
    ['orders', 'ID,Source ID,Status'],
    ['points', 'ID,Campaign ID,Voucher ID,Status,Expires At,Points'],
    ['transactions', 'ID,Type,Source ID,Reason,Source,Balance,Amount,Created At'],
    ['products', 'ID,Name,Price,Image URL,Source ID,Attributes,Created At'],
    ['skus', 'ID,SKU,Product ID,Currency,Price,Image URL,Source ID,Attributes,Created At'],
  ])('of %s with --wait writes the file of the service', async (kind, header) => {
    const { exitCode, stdout } = await create(kind, '--wait')

    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, header])
  })

  test('writes every voucher to a file with --out, and says how large it is', async () => {
    const out = join(home.folder, 'vouchers.csv')

    const { exitCode, stdout, stderr } = await create('vouchers', '--fields', 'code', '--wait', '--out', out)

    const { length } = JSON.parse((await promo('vouchers list --json --profile sandbox')).stdout)
    expect([exitCode, stdout]).toEqual([0, ''])
    expect(readFileSync(out, 'utf8').trimEnd().split('\n')).toHaveLength(length + 1)
    expect(stderr).toMatch(/wrote [\d,]+ bytes to /)
  })

  test('sends filters, dates, order and fields in the form of a body', async () => {
    const flags = ['--filter', 'result=FAILURE', '--filter', 'voucher_code:$starts_with=A', '--order', '-created_at']
    const dates = ['--created-after', '2026-01-01', '--created-before', '2026-02-01']

    expect(await planned('redemptions', ...flags, ...dates, '--fields', 'id,date')).toEqual({
      exported_object: 'redemption',
      parameters: {
        order: '-created_at',
        fields: ['id', 'date'],
        filters: {
          result: { conditions: { $in: ['FAILURE'] } },
          voucher_code: { conditions: { $starts_with: ['A'] } },
          created_at: { conditions: { $after: ['2025-12-31T23:59:59.999Z'], $before: ['2026-02-01T00:00:00.000Z'] } },
          junction: 'and',
        },
      },
    })
    expect(await planned('vouchers', '--campaign-id', 'camp_1')).toEqual({
      exported_object: 'voucher',
      parameters: { campaign_id: 'camp_1' },
    })
    expect(await planned('customers')).toEqual({ exported_object: 'customer' })
  })

  test('has the rows that its filters and dates leave, and no others', async () => {
    const [, ...all] = (await create('vouchers', '--fields', 'created_at', '--wait')).stdout.trimEnd().split('\n')
    const middle = all.toSorted()[Math.floor(all.length / 2)] as string

    const later = await create('vouchers', '--fields', 'created_at', '--wait', '--created-after', middle)
    const active = await create('vouchers', '--fields', 'active', '--filter', 'active:$is=false', '--wait')

    const [, ...rest] = later.stdout.trimEnd().split('\n')
    expect(rest.toSorted()).toEqual(all.filter((instant) => instant >= middle).toSorted())
    expect(new Set(active.stdout.trimEnd().split('\n').slice(1))).not.toContain('true')
  })

  test.each<[string, string, string[], RegExp]>([
    ['a kind nobody knows', 'invoices', [], /vouchers, redemptions/],
    ['a campaign for another kind', 'customers', ['--campaign-id', 'x'], /--filter campaign_id=x/],
    ['a date of creation for points', 'points', ['--created-after', '7d'], /expires_at:\$before=/],
    ['a filter without a value', 'vouchers', ['--filter', 'code'], /does not have the form field=value/],
    ['a shape for a file that is as it is', 'vouchers', ['--wait', '--json'], /no flag can shape it/],
  ])('refuses %s before any request', async (_what, kind, flags, message) => {
    expect(await create(kind, ...flags, '-v')).toSendNothing(2, message)
  })

  test.each(
    endpoints.flatMap(({ paging, query }) => {
      if (paging.style !== 'page' || paging.exportedAs === undefined) return []
      const { options } = (query as z.ZodObject<{ order: z.ZodOptional<z.ZodEnum> }>).shape.order.unwrap()
      const { exportedAs, unexportedOrder } = paging
      return options
        .filter((order) => unexportedOrder === undefined || !String(order).endsWith(unexportedOrder))
        .map((order) => [exportedAs, order])
    }),
  )('of %s has the order %s of the list that points to it', async (kind, order) => {
    expect((await create(String(kind), '--order', String(order))).exitCode).toBe(0)
  })

  test('of a field that the service does not have exits 3 and names those it has', async () => {
    const ran = await create('vouchers', '--fields', 'colour', '--wait')

    expect(ran).toEnd(3, /invalid_export_fields.*Allowed fields: .*code/s)
  })
})

describe('exports', () => {
  test('can be waited for when started earlier, and the file is fetched', async () => {
    const { id } = JSON.parse((await promo(exportOf('CLUB-001', '--json', ...fields, '--order', 'created_at'))).stdout)

    const { exitCode, stdout } = await promo(`exports download ${id} --wait --profile sandbox`)

    expect(exitCode).toBe(0)
    expect(stdout).toBe(fileOfFirstCard)
  })

  test.each(['get', 'download'])('%s of an unknown export exits 3', async (verb) => {
    expect(await promo(['exports', verb, 'exp_none', '--wait', ...onSandbox])).toEnd(3, 'exp_none')
  })
})

describe('the file of an export', () => {
  const job = (origin: string, more: object = {}) => ({
    id: 'exp_1',
    object: 'export',
    status: 'DONE',
    result: { url: `${origin}/v1/exports/exp_1?token=sEcReT` },
    ...more,
  })

  /** Runs `exports download` against a service that returns this export and answers this way for its file. */
  async function downloading(jobOf: (origin: string) => object, file: Action, ...flags: string[]) {
    let origin = ''
    await using server = await scriptedServer(({ url }) => (url.includes('token=') ? file : answer(200, jobOf(origin))))
    origin = server.origin
    const ran = await promo(['exports', 'download', 'exp_1', '--verbose', ...flags], { env: server.env })
    return { ...ran, asked: server.asked }
  }

  test('is requested with the credentials', async () => {
    const { asked, stdout } = await downloading(job, { do: 'text', status: 200, text: 'ID\nvtx_1\n' })

    expect(stdout).toBe('ID\nvtx_1\n')
    expect(asked[1]?.headers).toMatchObject({ 'x-app-id': 'app', 'x-app-token': 'app-token' })
  })

  test('on a foreign host is not requested', async () => {
    const { exitCode, stderr, asked } = await downloading(() => job('https://evil.example'), answer(200))

    expect(exitCode).toBe(3)
    expect(stderr).toContain('evil.example, which is not a host of the service')
    expect(stderr).not.toContain('sEcReT')
    expect(asked).toHaveLength(1)
  })

  test('that is truncated leaves an older file unchanged, and no temporary file', async () => {
    const out = join(home.folder, 'out.csv')
    writeFileSync(out, 'older')

    const { exitCode, stderr } = await downloading(job, { do: 'truncate', status: 200, text: 'ID\nvtx' }, '--out', out)

    expect(exitCode).toBe(5)
    expect(stderr).not.toContain('sEcReT')
    expect(readFileSync(out, 'utf8')).toBe('older')
    expect(readdirSync(home.folder).filter((name) => name.includes('out.csv'))).toEqual(['out.csv'])
  })

  test.each<[string, (origin: string) => object, number, RegExp]>([
    [
      'of an export that failed',
      (origin) => job(origin, { status: 'ERROR', result: null }),
      3,
      /export "exp_1" failed/,
    ],
    ['that is not there yet', (origin) => job(origin, { status: 'IN_PROGRESS', result: null }), 5, /--wait/],
    ['that is nowhere', (origin) => job(origin, { result: null }), 3, /is done, but has no file/],
  ])('%s is not made', async (_what, jobOf, code, message) => {
    const out = join(home.folder, 'out.csv')

    const { exitCode, stderr } = await downloading(jobOf, answer(200), '--out', out)

    expect(exitCode).toBe(code)
    expect(stderr).toMatch(message)
    expect(existsSync(out)).toBe(false)
  })

  const html = '<!doctype html>\n<html><body>Welcome to the guest network</body></html>\n'
  const text = (body: string, headers = { 'content-type': 'text/plain' }): Action => ({
    do: 'text',
    status: 200,
    text: body,
    headers,
  })
  const bad: [string, Action][] = [
    ['is a web page', text(html, { 'content-type': 'text/html' })],
    ['is a web page that is called text', text(html)],
    ['is empty', text('')],
    ['is compressed', text('x', { 'content-encoding': 'gzip' } as never)],
    ['has another column than those asked for', text('ID,Code,Type\n1,A,B\n')],
    ['has fewer columns than those asked for', text('ID\n1\n')],
    ['is cut in its last line', text('ID,Code\n1,A\n2')],
    ['is cut within quotes', text('ID,Code\n1,"A')],
    ['has a line of something else', text('ID,Code\n1,A\nService unavailable\n2,B\n')],
    ['is cut by the end of the connection', { do: 'garbage', text: 'HTTP/1.1 200 OK\r\n\r\nID,Code\n1,A\n2,' }],
    ['breaks off', { do: 'truncate', status: 200, text: 'ID,Code\n1,A\n' }],
    ['is not UTF-8', { do: 'bytes', status: 200, bytes: Buffer.from([0x49, 0xff]) }],
  ]
  const downloads = [
    ['exports', 'download', 'exp_1'],
    ['exports', 'create', 'vouchers', '--fields', 'id,code', '--wait'],
    ['loyalty', 'transactions', 'export', 'C', '--fields', 'id,reason', '--wait'],
  ]

  test.each(downloads.flatMap((argv) => bad.map(([what, file]) => ({ argv, what, file }))))(
    'that $what is none to $argv, and the old file stays',
    async ({ argv, file }) => {
      const out = join(home.folder, 'out.csv')
      writeFileSync(out, 'older')
      let origin = ''
      const parameters = { fields: ['id', 'code'] }
      await using server = await scriptedServer(({ url }) =>
        url.includes('token=') ? file : answer(200, job(origin, { parameters })),
      )
      origin = server.origin

      const { exitCode, stderr } = await promo([...argv, '--out', out, '--retries', '0'], { env: server.env })

      expect(exitCode, stderr).toBe(5)
      expect(stderr).toMatch(/^try: /m)
      expect(stderr).not.toContain('sEcReT')
      expect(readFileSync(out, 'utf8')).toBe('older')
      expect(readdirSync(home.folder).filter((name) => name.includes('out.csv'))).toEqual(['out.csv'])
    },
  )

  test.each([
    ['with a comma, a line break and quotes in a cell', 'ID,Code\n1,"A, ""B""\nC"\n'],
    ['without a line break at its end', 'ID,Code\r\n1,A'],
    ['without rows', 'ID,Code\n'],
  ])('%s is the promised one', async (_, body) => {
    const { exitCode, stdout } = await downloading(
      (origin) => job(origin, { parameters: { fields: ['id', 'code'] } }),
      text(body),
    )

    expect([exitCode, stdout]).toEqual([0, body])
  })

  test.each([
    ['ID,Code\n1,A\n2,B\n1,A\n', 1],
    ['Code,"id"\r\nA,"1"\r\n"x,\ny",2\r\nB,1\r\nA,2\r\n', 2],
    ['code,id\n\nA,1\nA,2\n', 0],
    ['code,type\nA,1\nA,1\n', 0],
  ])(
    '%j has %i rows whose id came before: it is printed, they are counted, and a file stays as it was',
    async (body, count) => {
      const out = join(home.folder, 'repeats.csv')
      rmSync(out, { force: true })
      const { exitCode, stderr } = await downloading(job, text(body), '--out', out)

      const printed = await downloading(job, text(body))
      expect([existsSync(out), printed.stdout]).toEqual([count === 0, body])
      expect([exitCode, printed.exitCode]).toEqual(count === 0 ? [0, 0] : [5, 5])
      expect(stderr.includes('may not have all rows')).toBe(count > 0)
      if (count > 0)
        expect(stderr).toContain(`: ${count} row${count === 1 ? ' repeats' : 's repeat'} the id of another one`)
    },
  )

  test.each(downloads)('%j is refused under the name of a workbook, with the next step', async (...argv) => {
    const { exitCode, stderr } = await promo([...argv, '--out', 'x.xlsx', '--profile', 'sandbox'])

    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('no spreadsheet opens a text under that name\ntry: --out x.csv\n'),
    ])
  })

  test('keeps its byte order mark and its line endings', async () => {
    const out = join(home.folder, 'out.csv')
    const bytes = Buffer.from('\u{feff}ID,Reason\r\n1,☕\r\n')

    await downloading(job, { do: 'bytes', status: 200, bytes }, '--out', out)

    expect(readFileSync(out)).toEqual(bytes)
  })

  test('shows no control character on a terminal', async () => {
    await using server = await scriptedServer(({ url }) =>
      url.includes('token=')
        ? { do: 'text', status: 200, text: 'ID\r\n\u001b]0;owned\u0007\r\n' }
        : answer(200, job(server.origin)),
    )

    const { stdout } = await promo('exports download exp_1', { env: server.env, terminal: { columns: 80 } })

    expect(stdout).toBe('ID\n\\x1b]0;owned\\x07\n')
  })
})
