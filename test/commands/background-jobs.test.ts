// Background jobs of the service: imports from CSV files, generated codes, and waiting for them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Interfaces } from '@oclif/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { reasonFlag } from '../../src/cli/flags/flags.ts'
import { waitFlags } from '../../src/cli/flags/wait.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { allCommands, commandIds, promoIn, temporaryFolder, testHome } from '../support/promo.ts'
import { type Action, answer, scriptedServer } from '../support/scripted-server.ts'
import { workbook } from '../support/workbook.ts'

const home = testHome()
const { promo } = home
const onSandbox = ['--profile', 'sandbox']
const waiting = ['--wait', '--yes', '--json', ...onSandbox]

function file(...lines: string[]): string {
  const path = join(home.folder, 'codes.csv')
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const read = async (code: string) => JSON.parse((await promo(['vouchers', 'get', code, '--json', ...onSandbox])).stdout)

/** Whether an answer or a body has this member, on any level. */
const has = (schema: z.ZodType | undefined, member: string) =>
  schema !== undefined &&
  JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })).includes(`"${member}":`)

test.each<[string, (call: Endpoint) => boolean, Interfaces.FlagInput]>([
  ['starts a background job has --wait', ({ response }) => has(response, 'async_action_id'), waitFlags],
  ['takes a reason has --reason', ({ body }) => has(body, 'reason'), reasonFlag],
])('every command whose call %s, in the same words', async (_, isDue, flags) => {
  const due = (await allCommands()).filter(({ Class: { calls } }) => calls !== 'any' && calls.some(isDue))

  expect(due.length).toBeGreaterThan(5)
  for (const { id, Class } of due)
    for (const [name, { description, dependsOn }] of Object.entries(flags))
      expect([id, Class.flags[name]], id).toMatchObject([id, { description, ...(dependsOn && { dependsOn }) }])
})

test.each([
  ['campaigns', 'Spring mailing', 1000],
  ['loyalty programs', 'Bean Club', 6],
])('%s delete waits for the vouchers to be deleted, or says how to', async (topic, name, vouchers) => {
  const run = promoIn(temporaryFolder())
  const words = [...topic.split(' '), 'delete', name, '--yes', '--json', ...onSandbox]

  const waited = await run([...words, '--wait'])
  const started = await promoIn(temporaryFolder())(words)

  expect(waited).toEnd(0)
  expect(JSON.parse(waited.stdout)).toMatchObject({ status: 'DONE', result: { done_count: vouchers } })
  const id = JSON.parse(started.stdout).async_action_id
  expect(started).toEnd(0, `the service works on it: promo async wait --profile sandbox ${id}\n`)
})

test('a catalogue is imported from two files: products, and their SKUs', async () => {
  const named = file('name,source_id,price,roast', 'Decaf,decaf,18.50,dark', 'Filter papers,filter-100,4,')
  const products = await promo(['products', 'import', named, ...waiting])
  const variants = file(
    'source_id,product_id,sku,price',
    'decaf-250,decaf,Decaf 250 g,6.50',
    'decaf-1000,decaf,Decaf 1 kg,22',
  )
  const skus = await promo(['skus', 'import', variants, ...waiting])

  expect([products.exitCode, skus.exitCode], products.stderr + skus.stderr).toEqual([0, 0])
  expect(JSON.parse(products.stdout)).toMatchObject({ type: 'PRODUCTS.IMPORT_CSV', result: { done_count: 2 } })
  expect(JSON.parse(skus.stdout)).toMatchObject({ type: 'SKUS.IMPORT_CSV', result: { done_count: 2 } })
  const decaf = JSON.parse((await promo('products get decaf --json --profile sandbox')).stdout)
  const { stdout } = await promo(`skus list ${decaf.id} --csv --columns source_id,price --no-header --profile sandbox`)
  expect(decaf).toMatchObject({ name: 'Decaf', price: 1850, metadata: { roast: 'dark' } })
  expect(stdout.trim().split('\n').toSorted()).toEqual(['decaf-1000,2200', 'decaf-250,650'])
})

/** Every command that imports a file: its line, its key, and a row of it. */
const imports: Record<string, { words: string[]; key: string; row: Record<string, string> }> = {
  'campaigns:vouchers:import': {
    words: ['campaigns', 'vouchers', 'import', 'Spring mailing'],
    key: 'Code',
    row: { Code: 'X-1' },
  },
  'products:import': { words: ['products', 'import'], key: 'source_id', row: { source_id: 'x-1', name: 'Decaf' } },
  'skus:import': {
    words: ['skus', 'import'],
    key: 'source_id',
    row: { source_id: 'x-1', product_id: 'espresso-dark', sku: '250 g' },
  },
  'vouchers:import': { words: ['vouchers', 'import'], key: 'Code', row: { Code: 'X-1' } },
}

test('every command that imports a file is walked', () => {
  expect(commandIds.filter((id) => id.endsWith(':import')).toSorted()).toEqual(Object.keys(imports).toSorted())
})

describe.each(Object.entries(imports))('%s', (_, { words, key, row }) => {
  const csv = (...rows: Record<string, string>[]) =>
    file([...new Set(rows.flatMap(Object.keys))].join(','), ...rows.map((one) => Object.values(one).join(',')))

  test('refuses a file without its key, with the columns and the flag that names it', async () => {
    const { [key]: _key, ...others } = row
    const path = csv({ Titel: 'Ulm', ...others })
    const refused = await promo([...words, path, '--yes', '-v', ...onSandbox])
    const mapped = await promo([...words, path, '--map', `Titel=${key}`, '--dry-run', ...onSandbox])

    expect(refused).toEnd(2, `has no column "${key}"`)
    expect(refused.stderr).toContain('; its first line names "Titel"')
    expect(refused.stderr).toContain('--map')
    expect(refused.stderr).not.toContain('> POST')
    expect(mapped.exitCode, mapped.stderr).toBe(0)
  })

  test.each<[string, Record<string, string>[], string[], RegExp]>([
    ['a key that is empty', [{ ...row, [key]: '', note: 'x' }], [], /line 2, column 1 \(".+"\): is empty/],
    ['a key with blanks', [{ ...row, [key]: 'X-1 ' }], [], /has white space around it.*\ntry: --trim/s],
    [
      'the same key with other values',
      [
        { ...row, note: 'a' },
        { ...row, note: 'b' },
      ],
      [],
      /"[Xx]-1" occurred on line 2 with other values/,
    ],
    ['a row with too many cells', [{ ...row, note: 'a,b' }], [], /line 2: has \d fields, the header has \d/],
  ])('checks rows as every command does: %s', async (_what, rows, flags, message) => {
    const { exitCode, stdout, stderr } = await promo([...words, csv(...rows), ...flags, '--yes', '-v', ...onSandbox])

    expect([exitCode, stdout], stderr).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('> POST')
  })

  test('sends the rows that were checked: equal ones once, without blanks, and warns of a damaged key', async () => {
    const path = csv({ ...row, [key]: ' 1.23E+15' }, { ...row, [key]: '1.23E+15 ' })
    const { stdout, stderr } = await promo([...words, path, '--trim', '--dry-run', '--json', ...onSandbox])

    const sent = /text\/csv\r\n\r\n(.*?)\r\n-+promo--/s.exec(JSON.parse(stdout)[0].body)?.[1]
    expect(sent?.match(/1\.23E\+15/g)).toHaveLength(1)
    expect(sent).not.toMatch(/ 1\.23|15 /)
    expect(stderr).toContain('1 row deduplicated')
    expect(stderr).toContain('warning: line 2: "1.23E+15" looks like a number that a spreadsheet shortened')
  })
})

describe('a file of a shop or a spreadsheet', () => {
  const sent = async (words: string[]) => {
    const { stdout, stderr } = await promo([...words, '--dry-run', '--json', ...onSandbox])
    const { body = '' } = JSON.parse(stdout)[0]
    return { content: /text\/csv\r\n\r\n(.*?)\r\n-+promo--/s.exec(body)?.[1], stderr }
  }

  test('is sent with the columns of the service, with commas, and value by value as it was', async () => {
    const shop = join(home.folder, 'shop.csv')
    writeFileSync(shop, '\ufeffNr;Titel;Preis;Lager\r\nk-1;"Kaffee, ""gut""";18.50;7\r\n\r\nt-1;Tee;4;\r\n')
    const mapping = ['--map', 'Titel=name', '--map', 'Nr=source_id', '--map', 'Preis=price']

    const known = await sent(['products', 'import', shop, ...mapping, '--ignore-columns', 'others'])
    const all = await sent(['products', 'import', shop, ...mapping])
    const named = await sent(['products', 'import', shop, ...mapping.slice(0, 4), '--ignore-columns', 'Preis'])
    const cards = file('Code;Value;Redemption Limit;Gift Amount;Shop', 'C-1;10;2;5;Berlin')
    const into = await sent(['campaigns', 'vouchers', 'import', 'Welcome', cards, '--ignore-columns', 'others'])
    const titled = file('SOURCE ID\tProduct-Id\tSKU', 'a\tb\tc')
    const skus = await sent(['skus', 'import', titled])

    expect(into.content).toBe('Code,Gift Amount\nC-1,5\n')
    expect(known.content).toBe('source_id,name,price\nk-1,"Kaffee, ""gut""",18.50\nt-1,Tee,4\n')
    expect(all.content).toBe('source_id,name,price,Lager\nk-1,"Kaffee, ""gut""",18.50,7\nt-1,Tee,4,\n')
    expect(named.content).toBe('source_id,name,Lager\nk-1,"Kaffee, ""gut""",7\nt-1,Tee,\n')
    expect(skus.content).toBe('source_id,product_id,sku\na,b,c\n')
  })

  test('is sent with the instants that a day means in the time zone of the project, as create sends them', async () => {
    const rows = [
      'Code,Voucher Type,Discount Type,Value,Start Date,Expiration Date',
      'E-1,DISCOUNT_VOUCHER,PERCENT,10,2026-07-01,2026-12-31',
    ]
    const env = { PROMO_TIMEZONE: 'America/New_York' }
    const run = (...words: string[]) => promo([...words, file(...rows), '--dry-run', '--json', ...onSandbox], { env })

    const { stdout, stderr } = await run('vouchers', 'import')
    const ofCampaign = await run('campaigns', 'vouchers', 'import', 'Welcome')

    expect(JSON.parse(stdout)[0].body).toContain('2026-07-01T04:00:00.000Z,2027-01-01T04:59:59.999Z\n')
    expect(stderr).toContain('expiration_date: a day is sent as its end in America/New_York')
    // There, dates are metadata.
    expect(JSON.parse(ofCampaign.stdout)[0].body).toContain('10,2026-07-01,2026-12-31\n')
  })

  test.each([
    ['Expiration Date', '31.12.2026', 'takes a day like 2026-12-31'],
    ['Value', '5,00', 'takes an amount in major units, like 14.50, not "5,00"'],
    ['Redemption Limit', 'once', 'takes a whole number'],
    ['Active', 'yes', 'takes true or false'],
  ])('is refused before it is sent for a cell of %s: %s', async (column, value, message) => {
    const path = file(`Code;Voucher Type;Discount Type;${column}`, `E-1;DISCOUNT_VOUCHER;AMOUNT;${value}`)
    const { exitCode, stderr } = await promo(`vouchers import ${path} --yes -v --profile sandbox`)

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(stderr).not.toContain('> POST')
  })

  test('is read from a workbook, by the name of its sheet', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
    const sheet = (...rows: string[][]) => rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')
    const path = join(home.folder, 'shop.xlsx')
    const products = sheet(['source_id', 'name'], ['007', 'Tée'])
    writeFileSync(path, workbook({ sheets: { Notes: sheet(['x']), Products: products } }))

    const { content } = await sent(['products', 'import', path, '--sheet', 'Products'])

    expect(content).toBe('source_id,name\n007,Tée\n')
  })

  test('is read in another encoding, and imported', async () => {
    const path = join(home.folder, 'latin.csv')
    writeFileSync(path, Buffer.from('Artikel;Nr\nTée;tee-1\n', 'latin1'))
    const mapping = ['--map', 'Artikel=name', '--map', 'Nr=source_id']

    const plain = await promo(['products', 'import', path, ...mapping, ...waiting])
    const read = await promo(['products', 'import', path, '--encoding', 'windows-1252', ...mapping, ...waiting])

    expect(plain).toEnd(2, '--encoding windows-1252, if')
    expect(read.exitCode, read.stderr).toBe(0)
    expect((await promo('products get tee-1 --json --query name --profile sandbox')).stdout).toBe('"Tée"\n')
  })

  test.each([
    [
      ['A;B', 'x;y'],
      ['--map', 'name=A'],
      /has no column "name" to map; .*\ntry: --map A=name: the column goes first\n/,
    ],
    [['A;B', 'x;y;z'], ['--map', 'A=name', '--map', 'B=source_id'], /line 2: has 3 fields, the header has 2/],
    [['A;B', 'x;"y'], ['--map', 'A=name', '--map', 'B=source_id'], /line 2: the quote that opens here is never closed/],
    [['A;B', 'x;y'], ['--map', 'A=name', '--delimiter', '|'], /has no column "A" to map; its first line names "A;B"\n/],
  ])('is refused before anything is sent: %j %j', async (rows, flags, message) => {
    const { exitCode, stdout, stderr } = await promo([
      'products',
      'import',
      file(...rows),
      ...flags,
      '--yes',
      ...onSandbox,
    ])

    expect([exitCode, stdout], stderr).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})

describe('vouchers import', () => {
  test('creates the vouchers of a file, and changes one that exists', async () => {
    const path = file('Code,Voucher Type,Discount Type,Value,channel', 'A-1,DISCOUNT_VOUCHER,PERCENT,10,web')
    const header = 'Code,Voucher Type,Discount Type,Value,Active'
    await promo(['vouchers', 'import', path, ...waiting])
    const again = file(header, 'A-1,DISCOUNT_VOUCHER,PERCENT,10,false', 'A-2,DISCOUNT_VOUCHER,PERCENT,20,true')

    const { exitCode, stdout } = await promo(['vouchers', 'import', again, ...waiting])

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ type: 'VOUCHERS.IMPORT_CSV', status: 'DONE', result: { done_count: 2 } })
    expect(await read('A-1')).toMatchObject({ active: false, metadata: { channel: 'web' } })
    expect(await read('A-2')).toMatchObject({ discount: { type: 'PERCENT', percent_off: 20 } })
  })

  test('exits 3 when a row failed, and shows which', async () => {
    const path = file(
      'Code,Voucher Type,Discount Type,Value',
      'B-1,DISCOUNT_VOUCHER,PERCENT,10',
      'B-2,DISCOUNT_VOUCHER,UNIT,1',
    )

    const { exitCode, stdout } = await promo(['vouchers', 'import', path, ...waiting])

    expect(exitCode).toBe(3)
    expect(JSON.parse(stdout).result).toMatchObject({
      done_count: 1,
      failed_count: 1,
      failed: [{ code: 'B-2', row: 3 }],
    })
  })

  test('shows a person the first of many rows that failed, and how many there are', async () => {
    const rows = Array.from({ length: 1200 }, (_, at) => `B-${at},DISCOUNT_VOUCHER,UNIT,1`)
    const path = file('Code,Voucher Type,Discount Type,Value', ...rows)

    const { exitCode, stdout } = await promo(`vouchers import ${path} --wait --yes --profile sandbox`)

    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^result\.failed +\[\{"code":"B-0".*,…\] \(1,200 items; --json has them all\)$/m)
    expect(stdout).not.toContain('B-10"')
  })

  test('without --wait shows the job, which async wait waits for', async () => {
    const path = file(
      'Code,Voucher Type,Discount Type,Value',
      'C-1,DISCOUNT_VOUCHER,PERCENT,10',
      'C-2,DISCOUNT_VOUCHER,PERCENT,10',
    )

    const started = await promo(`vouchers import ${path} --yes --json --profile sandbox`)
    const { async_action_id: id } = JSON.parse(started.stdout)
    const ended = await promo(`async wait ${id} --json --profile sandbox`)

    expect(started).toEnd(0, `the service works on it: promo async wait --profile sandbox ${id}\n`)
    expect(JSON.parse(ended.stdout)).toMatchObject({ id, status: 'DONE' })
  })

  test('asks before it sends, with the number of rows: a line break inside quotes ends none', async () => {
    const path = file('Code,Additional Info', 'D-1,"two', 'lines"', '', 'D-2,')

    const ran = await promo(`vouchers import ${path} -v --profile sandbox`, { stdin: '' })

    expect(ran).toSendNothing(11, 'import 2 rows of vouchers, and change those whose code exists in project ')
  })

  test('shows the form in a dry run, and sends nothing', async () => {
    const path = file('Code', 'E-1')

    const { exitCode, stdout } = await promo(`vouchers import ${path} --dry-run --json --profile sandbox`)

    const [{ url, body }] = JSON.parse(stdout)
    expect(exitCode).toBe(0)
    expect(url).toMatch(/\/v1\/vouchers\/importCSV$/)
    expect(body).toContain('filename="rows.csv"\r\nContent-Type: text/csv\r\n\r\nCode\nE-1\n')
  })

  test.each<[string, () => string, RegExp]>([
    [
      'a file that does not exist',
      () => join(home.folder, 'none.csv'),
      /cannot read ".*none\.csv": there is no such file/,
    ],
    ['a file with nothing but a header', () => file('Code'), /has no rows/],
    ['a file that is not UTF-8', () => latin1(), /is not UTF-8: the byte 0x.. at byte offset/],
    ['a damaged workbook', () => damagedWorkbook(), /is damaged/],
    ['a file above 10 MB', () => large(), /larger than 10 MB/],
  ])('refuses %s before any request', async (_, path, message) => {
    expect(await promo(['vouchers', 'import', path(), '--yes', '-v', ...onSandbox])).toSendNothing(2, message)
  })
})

describe('campaigns vouchers', () => {
  const campaign = 'Spring mailing'

  test('import adds the codes of a file', async () => {
    const { exitCode } = await promo(['campaigns', 'vouchers', 'import', campaign, '-', ...waiting], {
      stdin: 'Code\nF-1\nF-2\n',
    })

    expect(exitCode).toBe(0)
    expect(await read('F-2')).toMatchObject({ campaign })
  })

  test('add generates as many codes as --count says', async () => {
    const countOf = async () => {
      const list = ['vouchers', 'list', '--campaign', campaign, '--json', '--query', 'length(@)', ...onSandbox]
      return Number((await promo(list)).stdout)
    }
    const before = await countOf()

    const many = await promo(['campaigns', 'vouchers', 'add', campaign, '--count', '12', ...waiting])
    const one = await promo([
      ...'campaigns vouchers add'.split(' '),
      campaign,
      ...'--count 1 --set metadata.for=Ann --json'.split(' '),
      ...onSandbox,
    ])

    expect(JSON.parse(many.stdout)).toMatchObject({ type: 'CAMPAIGN.VOUCHERS_GENERATE', status: 'DONE' })
    expect(JSON.parse(one.stdout)).toMatchObject({ object: 'voucher', campaign, metadata: { for: 'Ann' } })
    expect(await countOf()).toBe(before + 13)
  })

  test('add takes codes of your own, also from a file whose columns differ from row to row', async () => {
    const path = file('code,additional_info,metadata.shop', 'G-1,first,north', 'G-2,,south', 'WELCOME-001,,')

    const ran = await promo([
      ...'campaigns vouchers add'.split(' '),
      campaign,
      '--from',
      path,
      ...'--set active=false --yes --jsonl'.split(' '),
      ...onSandbox,
    ])

    const [first, second, taken] = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(ran.exitCode).toBe(3)
    expect([first.state, second.state, taken.state]).toEqual(['ok', 'ok', 'conflict'])
    expect(await read('G-1')).toMatchObject({
      campaign,
      active: false,
      additional_info: 'first',
      metadata: { shop: 'north' },
    })
  })

  test('add finds out whether a code of which the answer was lost is its own', async () => {
    const there = { id: 'v_1', code: 'H-1', object: 'voucher', campaign, active: true }
    const taken = answer(409, { code: 409, key: 'duplicate_found', message: 'Duplicate' })
    const script = (voucher: object): Action[] => [{ do: 'reset' }, taken, answer(200, voucher)]
    const added = async (voucher: object) => {
      await using server = await scriptedServer(script(voucher))
      return (await promo(['campaigns', 'vouchers', 'add', campaign, 'H-1', '--retries', '1'], { env: server.env }))
        .exitCode
    }

    expect(await added(there)).toBe(0)
    expect(await added({ ...there, campaign: 'Another' })).toBe(6)
  })

  test('generating many codes is never sent again after a lost answer', async () => {
    await using server = await scriptedServer([{ do: 'reset' }])

    expect(await promo('campaigns vouchers add X --count 5 --yes', { env: server.env })).toEnd(6)
    expect(server.asked).toHaveLength(1)
  })

  test.each([
    ['a count beside codes', ['X', 'CODE', '--count', '2'], /--count generates codes/],
    ['a count of nothing', ['X', '--count', '0'], /whole number from 1/],
    ['a count beside a file', ['X', '--count', '2', '--from', 'f.csv'], /--count/],
    ['a count beside a pace', ['X', '--count', '2', '--rate', '1/s'], /so --rate has no meaning/],
    ['a field that a voucher of a campaign does not have', ['X', 'C', '--set', 'colour=red'], /colour/],
  ])('add refuses %s before any request', async (_, words, message) => {
    const ran = await promo(['campaigns', 'vouchers', 'add', ...words, '-v', '--yes', ...onSandbox])

    expect(ran).toSendNothing(2, message)
  })
})

describe('async wait', () => {
  const job = { id: 'aa_1', object: 'async_action', type: 'VOUCHERS.IMPORT' }
  const waited = async (answers: Action[], ...flags: string[]) => {
    await using server = await scriptedServer(answers)
    return await promo(['async', 'wait', 'aa_1', ...flags], { env: server.env })
  }

  test.each([
    ['succeeded', { status: 'DONE', operation_status: 'SUCCESS', result: { done_count: 2, failed_count: 0 } }, 0],
    ['failed', { status: 'FAILED' }, 3],
    ['is done with failed rows', { status: 'DONE', result: { done_count: 1, failed_count: 1 } }, 3],
    ['is done and says that it failed', { status: 'DONE', operation_status: 'FAILED' }, 3],
  ])('exits by what came of a job that %s', async (_, state, expected) => {
    const running = answer(200, { ...job, status: 'IN_PROGRESS', progress: 40 })

    const { exitCode, stdout } = await waited([running, answer(200, { ...job, ...state })], '--json')

    expect(exitCode).toBe(expected)
    expect(JSON.parse(stdout)).toMatchObject(state)
  })

  test('gives up after --timeout-wait, and says how to go on', async () => {
    const ran = await waited([answer(200, { ...job, status: 'ENQUEUED' })], '--timeout-wait', '1ms')

    expect(ran).toEnd(5, 'background job "aa_1" is still ENQUEUED', 'try: promo async wait aa_1')
  })
})

function latin1(): string {
  const path = join(home.folder, 'latin1.csv')
  writeFileSync(path, Buffer.from('Code\nCAF\u00c9\n', 'latin1'))
  return path
}

function damagedWorkbook(): string {
  const path = join(home.folder, 'codes.xlsx')
  writeFileSync(path, 'PK\x03\x04\x14\0\x06\0\x08\0..................[Content_Types].xml')
  return path
}

function large(): string {
  return file('Code,note', ...Array.from({ length: 11_000 }, (_, at) => `L-${at},${'x'.repeat(1000)}`))
}
