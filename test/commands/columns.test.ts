// Files of others: what their columns are called, and which of them are read.
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { factsOf } from '../../src/cli/facts.ts'
import { readManifest } from '../../src/cli/help/manifest.ts'
import { listedKinds } from '../../src/cli/request/listed-key.ts'
import { answeredCalls, answersOf } from '../../src/contract/answers/answers.ts'
import { classOf, testHome } from '../support/promo.ts'
import { sampled } from '../support/size.ts'
import { root } from '../support/source-files.ts'

const home = testHome()
const { promo, input } = home
const onSandbox = ['--profile', 'sandbox']

/** The requests that a command line would send. */
async function planned(words: string[], stdin?: string): Promise<{ path: string; body: unknown }[]> {
  const argv = [...words, '--dry-run', '--json', ...onSandbox]
  const { exitCode, stdout, stderr } = await promo(argv, stdin === undefined ? {} : { stdin })
  expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, ''])
  return JSON.parse(stdout).map(({ url, body }: { url: string; body: unknown }) => ({
    path: new URL(url).pathname,
    body,
  }))
}

/** Every command that writes by rows: its line without rows, its key, and a key. */
const reading: Record<string, [words: string, key: string, value: string]> = {
  'vouchers:create': ['--type GIFT_VOUCHER --set gift.amount=100', 'code', 'A-1'],
  'vouchers:update': ['--set additional_info=x', 'code', 'MORNING'],
  'vouchers:disable': ['', 'code', 'MORNING'],
  'vouchers:enable': ['', 'code', 'MORNING'],
  'vouchers:delete': ['', 'code', 'MORNING'],
  'vouchers:balance:add': ['--amount 5', 'code', 'GIFT-001'],
  'vouchers:balance:remove': ['--amount 5', 'code', 'GIFT-001'],
  'customers:create': ['', 'source_id', 'shop-1001'],
  'customers:update': ['--set name=Ann', 'source_id', 'shop-1001'],
  'customers:delete': ['', 'source_id', 'shop-1001'],
  'redemptions:create': ['--amount 100', 'code', 'MORNING'],
  'redemptions:rollback': ['', 'id', 'r_1'],
  'events:send': ['--customer source_id=shop-1001', 'event', 'cupping_attended'],
  'loyalty:points:add': ['--points 5', 'code', 'CLUB-001'],
  'loyalty:points:remove': ['--points 5', 'code', 'CLUB-001'],
  'loyalty:points:transfer': ['--campaign camp_1 --to CLUB-002 --points 5', 'code', 'CLUB-001'],
  'loyalty:rewards:redeem': ['--reward rew_1', 'code', 'CLUB-001'],
  'referrals:holders:add': ['FRIEND-001', 'source_id', 'shop-1001'],
  'referrals:holders:remove': ['FRIEND-001', 'id', 'rh_1'],
  'publications:create': ['--campaign Welcome', 'customer.source_id', 'shop-1001'],
  'campaigns:vouchers:add': ['Welcome', 'code', 'A-1'],
}

test('every command that writes by rows takes columns of any name', async () => {
  const commands = Object.entries(readManifest(root))
    .filter(([id, { flags }]) => flags.map !== undefined && flags.from !== undefined && !id.endsWith(':get'))
    .map(([id]) => id)

  expect(commands.toSorted()).toEqual(Object.keys(reading).toSorted())
})

describe.each(Object.entries(reading))('%s', (id, [words, key, value]) => {
  const command = [...id.split(':'), ...words.split(' ').filter((word) => word !== '')]

  test('reads the columns of a printer under their names there, and leaves the others out', async () => {
    const file = input('cards.csv', `Card number;Serial number\n${value};7\n`)
    const plain = input('plain.csv', `${key}\n${value}\n`)
    const map = ['--map', `Card number=${key}`]

    const byName = await planned([...command, '--from', file, ...map, '--ignore-columns', 'Serial number'])
    const others = await planned([...command, '--from', file, ...map, '--ignore-columns', 'others'])
    const asJson = await planned(
      [...command, '--from', '-', '--input-format', 'json', ...map, '--ignore-columns', 'others'],
      JSON.stringify([{ 'Card number': value, 'Serial number': '7' }]),
    )
    const asUsual = await planned([...command, '--from', plain])

    expect(JSON.stringify(byName)).toContain(value)
    const ids = /"source_id":"[0-9a-f-]{36}"/g
    expect([byName, others, asJson].map((plan) => JSON.stringify(plan).replace(ids, ''))).toEqual(
      Array(3).fill(JSON.stringify(asUsual).replace(ids, '')),
    )
  })
})

describe.each(Object.entries(reading))('a job of %s', (id, [words, key, value]) => {
  const command = [...id.split(':'), ...words.split(' ').filter((word) => word !== '')]
  const theirs = ['Serial number', 'Card number', 'Note', 'promo_code']
  const cells = ['007', value, '5,00; "new"', '']

  /** Runs the job of a file, and returns its result and its report. */
  async function ran(name: string, content: string) {
    const journal = join(home.folder, 'job')
    const flags = ['--map', `Card number=${key}`, '--ignore-columns', 'others', '--journal', journal, '--yes', '--csv']
    const { stdout } = await promo([...command, '--from', input(name, content), ...flags, ...onSandbox])
    const { stdout: report } = await promo(['jobs', 'report', journal, '--csv'])
    return { result: rowsIn(stdout), report: rowsIn(report) }
  }

  function rowsIn(csv: string): Record<string, string>[] {
    return parse(csv, { columns: true, delimiter: [',', ';'] })
  }

  test('has a report with the whole file, and the ids of what it made in its result, too', async () => {
    const { result, report } = await ran(
      'cards.csv',
      `${theirs.join(';')}\n${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')}\n`,
    )

    expect(Object.entries(report[0] ?? {}).slice(0, 4)).toEqual(theirs.map((title, at) => [title, cells[at]]))
    const idsIn = (rows: Record<string, string>[]) =>
      Object.entries(rows[0] ?? {}).filter(([name]) => /^promo_result_.*(?:id|code)$/.test(name))
    expect(idsIn(result)).toEqual(idsIn(report))
    expect(idsIn(result).length > 0, 'what takes effect again with each call makes something').toBe(
      factsOf(await classOf(id)).repeat !== 'idempotent',
    )
  })

  test('has all members of a file in its report', async () => {
    const members = { ...Object.fromEntries(theirs.map((title, at) => [title, cells[at]])), Note: 5 }
    const { report } = await ran('cards.jsonl', JSON.stringify(members))

    expect(report[0]).toMatchObject({ 'Serial number': '007', Note: '5', promo_code: '', [key]: value })
  })
})

/** What other systems call the keys that commands read. */
const headings: Record<string, string[]> = {
  code: ['Code', 'Coupon Code', 'Promo Code', 'discount_code', 'couponCode', 'Gift Card Number', 'VOUCHER-CODE'],
  source_id: ['Source ID', 'Customer ID', 'customer_id', 'customerId', 'Email', 'E-Mail'],
  'customer.source_id': ['Customer ID', 'customer_id', 'Email'],
}

const found = Object.entries(reading).filter(([, [, key]]) => key in headings)

// Which heading is a key does not depend on the command: each has some, and all of them are met.
describe.each(
  found.map(([id, [words, key, value]], at) => ({ id, words, key, value, some: sampled(headings[key] ?? [], 3, at) })),
)('$id', ({ id, words, key, value, some }) => {
  const command = [...id.split(':'), ...words.split(' ').filter((word) => word !== '')]

  test.each(some)('finds its key under %s, in CSV and in JSON, and says so', async (heading) => {
    const usual = await planned([...command, '--from', input('plain.csv', `${key}\n${value}\n`)])
    const file = input('theirs.csv', `${heading};Note\n${value};x\n`)
    const run = [...command, '--ignore-columns', 'Note', '--dry-run', '--json', ...onSandbox, '--from']

    const csv = await promo([...run, file])
    const json = await promo([...run, '-', '--input-format', 'json'], { stdin: JSON.stringify([{ [heading]: value }]) })

    for (const { exitCode, stdout, stderr } of [csv, json]) {
      expect([exitCode, stderr]).toEqual([
        0,
        expect.stringContaining(`the column "${heading}" is taken for "${key}"\n`),
      ])
      const sent = JSON.parse(stdout).map(({ url, body }: Record<string, string>) => ({
        path: new URL(url as string).pathname,
        body,
      }))
      // Whoever is created under an e-mail address has it; the source id of a transfer is drawn.
      const alike = (plan: object) =>
        JSON.stringify(plan)
          .replace(/"source_id":"[0-9a-f-]{36}"/g, '')
          .replace(`,"email":"${value}"`, '')
      expect(alike(sent)).toBe(alike(usual))
    }
  })
})

describe('a column that is the key and a field', () => {
  const moodle = 'E-mail;First name\nann@shop.example;Ann\n'
  const create = ['customers', 'create', '--ignore-columns', 'First name', '--from']
  const ann = { path: '/v1/customers', body: { source_id: 'ann@shop.example', email: 'ann@shop.example' } }

  test.each<[string, string[]]>([
    ['named twice', ['--map', 'E-mail=email', '--column', 'email']],
    ['named by its title', ['--column', 'E-mail']],
    ['found by its heading', []],
  ])('is both: %s', async (_, flags) => {
    expect(await planned([...create, input('moodle.csv', moodle), ...flags])).toEqual([ann])
    expect(await planned([...create, '-', ...flags], '[{"E-mail": "ann@shop.example"}]')).toEqual([ann])
  })

  test('is both where its title is the name of the field', async () => {
    expect(await planned(['customers', 'create', '--from', '-'], 'email\nann@shop.example\n')).toEqual([ann])
    expect(await planned(['customers', 'create', '--from', '-'], '{"email": "ann@shop.example"}')).toEqual([ann])
  })

  test('is a column of the report once', async () => {
    await promo([...create, input('moodle.csv', moodle), '--yes', ...onSandbox])
    const report = await promo('jobs report latest --csv')

    expect(report.stdout).toMatch(/^E-mail;First name;promo_line;/)
    expect(report.stdout.match(/ann@shop\.example/g)).toHaveLength(1)
  })

  test('is refused under two names, with the line that means both', async () => {
    const maps = ['--map', 'E-mail=source_id', '--map', 'E-mail=email']
    const { exitCode, stderr } = await promo([...create, input('moodle.csv', moodle), ...maps, ...onSandbox])

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--map gives the column "E-mail" two names')])
  })

  test('is the key alone where it is an id, and where nothing is created', async () => {
    const byId = input('ids.csv', 'id;name\ncust_1;Ann\n')
    const update = await planned(
      ['customers', 'update', '--column', 'email', '--from', '-', '--set', 'name=A'],
      'email\nann@shop.example\n',
    )

    expect(await planned(['customers', 'create', '--column', 'id', '--from', byId])).toEqual([
      { path: '/v1/customers', body: { source_id: 'cust_1', name: 'Ann' } },
    ])
    expect(update[0]?.body).toEqual({ name: 'A' })
  })
})

describe('a column that means a member', () => {
  const create = ['vouchers', 'create', '--from', '-']
  const run = async (csv: string, words = create, env = {}) => {
    const { stdout, stderr } = await promo([...words, '--dry-run', '--json', ...onSandbox], { stdin: csv, env })
    return { body: stdout === '' ? undefined : JSON.parse(stdout)[0].body, stderr }
  }

  test.each<[string, object]>([
    ['discount.percent_off', { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5 } }],
    ['percent-off', { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5 } }],
    ['discount.amount_off', { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 5 } }],
    ['gift-amount', { type: 'GIFT_VOUCHER', gift: { amount: 5 } }],
    ['loyalty_card.points', { type: 'LOYALTY_CARD', loyalty_card: { points: 5 } }],
    ['points', { type: 'LOYALTY_CARD', loyalty_card: { points: 5 } }],
  ])('implies what its flag implies: %s', async (column, body) => {
    expect((await run(`code;${column}\nA-1;5\n`)).body).toEqual(body)
    expect((await run(`code;${column}\nA-1;5\n`)).body).toEqual(
      (await run(JSON.stringify({ code: 'A-1', ...body }))).body,
    )
  })

  test('may have the name of its flag, and is read as the flag reads it', async () => {
    const { body } = await run(
      'code,percent-off,starts,expires,uses,note,weekdays,hours\nA-1,5,2027-01-01,2027-01-31,3,n,"mon,tue",09:00-17:30\n',
    )
    const flags = ['--percent-off', '5', '--starts', '2027-01-01', '--expires', '2027-01-31', '--uses', '3']
    const words = [
      ...'vouchers create A-1'.split(' '),
      ...flags,
      ...'--note n --weekdays mon,tue --hours 09:00-17:30'.split(' '),
    ]

    expect(body).toEqual((await planned(words))[0]?.body)
  })

  test('has the name and the unit of an import, and says so', async () => {
    const columns =
      'Code,Voucher Type,Discount Type,Value,Start Date,Expiration Date,Redemption Limit,Active,Additional Info'
    const csv = `${columns}\nA-1,DISCOUNT_VOUCHER,AMOUNT,50,2026-07-01,2026-12-31,3,true,n\n`
    const { body, stderr } = await run(csv, create, { PROMO_TIMEZONE: 'America/New_York' })
    const gift = await run('Code,Gift Amount\nA-1,12.5\n')
    const percent = await run('Code,Discount Type,value\nA-1,PERCENT,12.5\n')

    expect(body).toEqual({
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'AMOUNT', amount_off: 5000 },
      start_date: '2026-07-01T04:00:00.000Z',
      expiration_date: '2027-01-01T04:59:59.999Z',
      redemption: { quantity: 3 },
      active: true,
      additional_info: 'n',
    })
    expect(stderr).toContain('the column "Value" is discount.amount_off, in major units: 50 is sent as 5000')
    expect(gift.body).toEqual({ type: 'GIFT_VOUCHER', gift: { amount: 1250 } })
    expect(percent.body).toMatchObject({ discount: { type: 'PERCENT', percent_off: 12.5 } })
  })

  test('says the unit of an amount that is mapped, once', async () => {
    const { body, stderr } = await run('code,Value\nA-1,50\nA-2,60\n', [...create, '--map', 'Value=gift.amount'])

    expect(body).toEqual({ type: 'GIFT_VOUCHER', gift: { amount: 50 } })
    expect(stderr.match(/smallest currency unit/g)).toHaveLength(1)
    expect(stderr).toContain(
      'the column "Value" is gift.amount, in the smallest currency unit: 50 is 0.50 of a currency with cents',
    )
  })

  test.each([
    ['code,Value\nA-1,50\n', /"Value" is a percentage, an amount or points, and nothing says which/],
    ['code,Discount Type,Value\nA-1,AMOUNT,"5,00"\n', /"Value" takes an amount in major units, like 14.50, not "5,00"/],
  ])('is refused where its value is not plain: %j', async (csv, message) => {
    expect((await run(csv)).stderr.replaceAll('\\"', '"')).toMatch(message)
  })
})

describe('a column of a file', () => {
  const update = ['vouchers', 'update', '--set', 'additional_info=x', '--from']

  test('that no request takes is named, with how to leave it out', async () => {
    const file = input('cards.csv', 'Code;Serial number\nMORNING;7\n')

    const refused = await promo([...update, file, '--dry-run', ...onSandbox])
    const loaded = await planned([...update, file, '--ignore-columns', 'Serial number'])

    expect(refused).toEnd(
      2,
      /^ {2}line 2: .*has no field "Serial number"$/m,
      /^try: --ignore-columns 'Serial number' leaves that column out; --map /m,
    )
    expect(loaded).toEqual([{ path: '/v1/vouchers/MORNING', body: { additional_info: 'x' } }])
  })

  test('is one line for all rows that have its fault, with their number and examples', async () => {
    const points = ['loyalty', 'points', 'add', '--from', '-', '--dry-run', ...onSandbox]
    const rows = Array.from({ length: 30 }, (_, at) => `C-${at},${at === 3 ? 5 : `x${at}`}`)
    const { exitCode, stderr } = await promo(points, { stdin: ['code,points', ...rows, ''].join('\n') })

    expect(exitCode).toBe(2)
    expect(stderr.match(/^ {2}.*$/gm)).toEqual([
      '  line 2: "points" takes a whole number, not "x0" (29 rows: 2, 3, 4, 6, …; also "x1", "x2")',
    ])
  })

  test('that is one of several unknown ones is named with them, in a line that leaves all out', async () => {
    const file = input('cards.csv', 'code;Serial number;Shop\nMORNING;7;Ulm\nWEEKEND;8;Bonn\n')
    const refused = await promo([...update, file, '--dry-run', ...onSandbox])
    const created = await promo(`vouchers create --from ${file} --dry-run --profile sandbox`)

    expect(refused.stderr).toMatch(/has no field "Serial number", "Shop" \(2 rows: 2, 3\)$/m)
    expect(refused.stderr).toContain(
      "try: --ignore-columns 'Serial number,Shop' leaves these columns out; --map 'Serial number=FIELD' --map Shop=FIELD gives each",
    )
    // Another fault of the row changes nothing.
    expect(created.stderr).toMatch(/"Shop"; type is required .*\ntry: --ignore-columns 'Serial number,Shop' leaves/)
    expect(await planned([...update, file, '--ignore-columns', 'Serial number,Shop'])).toHaveLength(2)
  })

  test('with the name of a field and values of something else is left out with the others, and said once', async () => {
    const file = input('shop.csv', 'code,type,Shop\nA-1,physical,Ulm\nA-2,digital,Ulm\n')
    const create = ['vouchers', 'create', '--percent-off', '5', '--from', file, '--ignore-columns', 'others']
    const { stdout, stderr } = await promo([...create, '--dry-run', '--json', ...onSandbox])

    expect(JSON.parse(stdout).map(({ body }: { body: object }) => body)).toEqual(
      Array(2).fill({ type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5 } }),
    )
    expect(stderr.match(/the column "type" is left out: "physical" is no type/g)).toHaveLength(1)
  })

  test.each([
    ['commas', 'Vouchers of spring\n\ncode,metadata.city\nMORNING,Ulm\n', 'line 1 is a title; the header is line 3'],
    [
      'semicolons',
      'Vouchers of spring;\n2026\nCode;metadata.city\nMORNING;Ulm\n',
      'line 1, line 2 are titles; the header is line 3',
    ],
    [
      'tabs',
      'Vouchers, of spring\nCoupon Code\tmetadata.city\nMORNING\tUlm\n',
      'line 1 is a title; the header is line 2',
    ],
  ])('is found below a title, with %s', async (_, csv, said) => {
    const { exitCode, stdout, stderr } = await promo([...update, '-', '--dry-run', '--json', ...onSandbox], {
      stdin: csv,
    })

    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`${said}\n`)])
    expect(JSON.parse(stdout)[0]).toMatchObject({
      url: expect.stringContaining('/v1/vouchers/MORNING'),
      body: { metadata: { city: 'Ulm' } },
    })
  })

  test('is missing as before where no line below a title has the key', async () => {
    const { exitCode, stderr } = await promo([...update, '-', ...onSandbox], { stdin: 'Spring\nName;City\nAnn;Ulm\n' })

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('has no column "code"')])
  })

  test('becomes a field by --map; one that is not there, or the same field twice, is refused', async () => {
    const file = input('cards.csv', 'code,Ort,Note\nMORNING,Ulm,x\n')

    const mapped = await planned([...update, file, '--map', 'Ort=metadata.city', '--ignore-columns', 'Note'])
    const missing = await promo([...update, file, '--map', 'City=metadata.city', ...onSandbox])
    const twice = await promo([...update, file, '--map', 'Ort=code', ...onSandbox])
    const same = await promo([...update, file, '--map', 'Ort=a', '--map', 'Note=a', ...onSandbox])
    const malformed = await promo([...update, file, '--map', 'Ort', ...onSandbox])
    const turned = await promo([...update, file, '--map', 'metadata.city=Ort', ...onSandbox])
    const near = await promo([...update, file, '--map', 'Ortt=metadata.city', ...onSandbox])

    expect(mapped[0]?.body).toEqual({ additional_info: 'x', metadata: { city: 'Ulm' } })
    expect([missing, twice, same, malformed].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2])
    expect(missing.stderr).toContain('has no column "City" to map; its first line names "code", "Ort", "Note"')
    expect(twice.stderr).toContain('names the column "code" more than once')
    expect(same.stderr).toContain('--map gives two columns the name "a"')
    expect(malformed.stderr).toContain('--map "Ort" does not have the form NAME=field')
    expect(turned.stderr).toContain('try: --map Ort=metadata.city: the column goes first\n')
    expect(near.stderr).toContain('try: --map Ort=metadata.city\n')
  })

  test('has its own title in the report of the job', async () => {
    const file = input('cards.csv', 'Card number,Ort\nMORNING,Ulm\nWEEKEND,Bonn\n')
    const map = ['--map', 'Card number=code', '--map', 'Ort=metadata.city']

    const done = await promo(['vouchers', 'update', '--from', file, ...map, '--yes', ...onSandbox])
    const [, job = ''] = /jobs report (\S+)/.exec(done.stderr) ?? /(?:job|Job) (\S+)/.exec(done.stderr) ?? []
    const { stdout: list } = await promo('jobs list --json --query [0].id')
    const report = await promo([
      'jobs',
      'report',
      job === '' ? JSON.parse(list) : job,
      ...'--csv --columns code,metadata.city,promo_state'.split(' '),
    ])

    expect(done.exitCode).toBe(0)
    expect(report.stdout).toMatch(/^Card number,Ort,promo_state\nMORNING,Ulm,ok\nWEEKEND,Bonn,ok\n$/)
  })

  test('may hold a lone quote where there is no quoting', async () => {
    const file = input('pipes.tsv', 'code\tmetadata.size\nMORNING\t5" pipe\nWEEKEND\t"7\n')
    const update = ['vouchers', 'update', '--from', file, '--delimiter', '\\t']

    const quoted = await promo([...update, '--dry-run', ...onSandbox])
    const plain = await planned([...update, '--no-quotes'])
    const lines = await promo('vouchers disable --from - --input-format lines --no-quotes --profile sandbox')

    expect(quoted.exitCode).toBe(2)
    expect(plain.map(({ body }) => body)).toEqual([{ metadata: { size: '5" pipe' } }, { metadata: { size: '"7' } }])
    expect(lines).toEnd(2, '--no-quotes is for CSV only')
  })

  test('is not needed in a JSON array of texts', async () => {
    const disable = ['vouchers', 'disable', '--from', '-', '--input-format', 'json']

    const texts = await planned(disable, '["MORNING", "a \\"b\\" {",\n"WEEKEND"]')
    const broken = await promo([...disable, ...onSandbox], { stdin: '["MORNING]' })

    expect(texts.map(({ path }) => decodeURIComponent(path))).toEqual([
      '/v1/vouchers/MORNING/disable',
      '/v1/vouchers/a "b" {/disable',
      '/v1/vouchers/WEEKEND/disable',
    ])
    expect(broken).toEnd(2, 'the text that begins here does not end')
  })
})

describe('a list that promo wrote', () => {
  const listed = async (words: string, format: string, ...rest: string[]) =>
    (await promo([...words.split(' '), ...rest, format, ...onSandbox])).stdout

  test.each(['--csv', '--json', '--jsonl', '--excel'])('is read by what it lists, in %s', async (format) => {
    await promo('redemptions create BEANS10 --amount 5000 --metadata till=7 --profile sandbox')
    const redemptions = await listed('redemptions list', format)
    const cards = await listed('loyalty cards list --limit 2', format, 'Bean Club')
    const vouchers = await listed('vouchers list --limit 2', format)
    const customers = await listed('customers list --limit 2', format)
    const form = format.replace('--', '').replace('excel', 'csv')
    const from = ['--from', '-', '--input-format', form]

    const rollback = await planned(['redemptions', 'rollback', '--reason', 'test', ...from], redemptions)
    const points = await planned(['loyalty', 'points', 'add', '--points', '5', ...from], cards)
    const notes = await planned(['vouchers', 'update', '--set', 'additional_info=x', ...from], vouchers)
    const people = await planned(['customers', 'create', ...from], customers)
    const given = await planned(
      ['publications', 'create', '--campaign', 'Welcome', '--map', 'source_id=customer.source_id', ...from],
      customers,
    )

    expect(rollback[0]).toEqual({
      path: expect.stringMatching(/^\/v1\/redemptions\/r_\w+\/rollback$/),
      body: { reason: 'test' },
    })
    expect(points.map(({ body }) => body)).toEqual([{ points: 5 }, { points: 5 }])
    expect(notes).toEqual(
      Array(2).fill({ path: expect.stringMatching(/^\/v1\/vouchers\/./), body: { additional_info: 'x' } }),
    )
    expect(people).toEqual(
      Array(2).fill({ path: '/v1/customers', body: expect.not.objectContaining({ id: expect.anything() }) }),
    )
    expect(given.map(({ body }) => body)).toEqual(
      Array(2).fill({ campaign: 'Welcome', customer: { source_id: expect.stringMatching(/^shop-/) } }),
    )
  })
})

describe('a list that promo wrote about something else', () => {
  const lists: Record<string, string> = {
    vouchers: 'vouchers list --customer shop-1004 --limit 1',
    redemptions: 'redemptions list --voucher GIFT-008 --limit 1',
    publications: 'publications list --limit 1',
    orders: 'orders list --limit 1',
    holders: 'referrals holders list FRIEND-001',
    customers: 'customers list --limit 1',
    products: 'products list --limit 1',
  }
  /** What each list calls what a command reads under this name; by an id only where the command takes one. */
  const named: Record<string, Record<string, string[]>> = {
    code: { vouchers: ['code'], redemptions: ['voucher', 'code'], publications: ['voucher', 'code'] },
    source_id: {
      customers: ['source_id'],
      redemptions: ['customer', 'source_id'],
      publications: ['customer', 'source_id'],
    },
    'an id': { orders: ['customer_id'], holders: ['customer_id'], vouchers: ['holder_id'] },
    redemption: { redemptions: ['id'] },
    holder: { holders: ['id'] },
  }
  const takesIds = ['customers:update', 'customers:delete', 'referrals:holders:add']

  function namesOf(id: string, key: string): Record<string, string[]> {
    if (key === 'code') return named.code ?? {}
    if (key === 'id') return named[id === 'redemptions:rollback' ? 'redemption' : 'holder'] ?? {}
    return { ...named.source_id, ...(takesIds.includes(id) && named['an id']) }
  }

  test.each(Object.entries(lists))('has the right key for every command, or none: %s', async (list, words) => {
    const forms = await Promise.all(
      ['csv', 'json'].map(async (form) => {
        const { stdout } = await promo([...words.split(' '), `--${form}`, ...onSandbox])
        return [form, stdout] as const
      }),
    )
    const [object] = JSON.parse(new Map(forms).get('json') ?? '') as Record<string, unknown>[]

    for (const [id, [given, key]] of Object.entries(reading)) {
      if (key === 'event') continue
      const place = namesOf(id, key)[list]
      const own = place?.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], object)
      // The list has the contents of a voucher.
      const flags = id === 'vouchers:create' && list === 'vouchers' ? '' : given
      const words = [...id.split(':'), ...flags.split(' ').filter((word) => word !== '')]
      for (const [form, text] of forms) {
        const argv = [...words, '--from', '-', '--input-format', form, '--dry-run', '--json', ...onSandbox]

        const { exitCode, stdout, stderr } = await promo(argv, { stdin: text })

        const about = `${id} --from ${list}, ${form}: ${stderr}`
        if (own === undefined) {
          expect([exitCode, about]).toEqual([
            2,
            expect.stringMatching(/ names no (voucher|customer|redemption|holder)/),
          ])
          continue
        }
        const sent = decodeURIComponent(stdout)
        expect([exitCode, about]).toEqual([0, about])
        expect([about, sent]).toEqual([about, expect.stringContaining(JSON.stringify(own).slice(1, -1))])
        if (own !== object?.id && list !== 'customers')
          expect([about, sent]).toEqual([about, expect.not.stringContaining(JSON.stringify(object?.id))])
      }
    }
  })

  test('is said to be one, keeps the columns that are mapped, and has its key in the report', async () => {
    const { stdout } = await promo('orders list --limit 2 --csv --profile sandbox')
    const orders = input('orders.csv', stdout)
    const update = ['customers', 'update', '--from', orders]

    const done = await promo([...update, '--map', 'status=metadata.paid', '--yes', ...onSandbox])
    const report = await promo('jobs report latest --csv --columns source_id,metadata.paid,promo_state'.split(' '))
    const byColumn = await planned([
      ...update,
      ...'--column customer_id --ignore-columns others --set name=A'.split(' '),
    ])

    expect(done.stderr).toContain('of the list, "customer_id" names the customer; nothing else of it is read')
    expect(report.stdout).toBe(
      'source_id,metadata.paid,promo_state\ncust_19b8d627a800000006,PAID,ok\ncust_19b8d627a800000005,PAID,ok\n',
    )
    expect(byColumn[0]).toEqual({ path: '/v1/customers/cust_19b8d627a800000006', body: { name: 'A' } })
  })

  test('can be of every kind that the service lists', () => {
    const kinds = answeredCalls.flatMap((id) => {
      const form = answersOf({ id, response: z.unknown() } as never)[200]
      if (form === undefined) return []
      const { properties = {} } = z.toJSONSchema(form as z.ZodType, { unrepresentable: 'any' }) as JsonSchema
      const isList = JSON.stringify(properties.object ?? {}).includes('"list"')
      return isList ? Object.values(properties).flatMap(({ items }) => (items ? kindsIn(items) : [])) : []
    })

    expect([...new Set(kinds)].filter((kind) => !listedKinds.includes(kind))).toEqual([])
    expect(kinds.length).toBeGreaterThan(30)
  })
})

interface JsonSchema {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  const?: string
}

function kindsIn({ properties, anyOf = [], oneOf = [] }: JsonSchema): string[] {
  const own = properties?.object?.const
  return [...(own === undefined ? [] : [own]), ...[...anyOf, ...oneOf].flatMap(kindsIn)]
}

describe('what the command line says of a list that promo wrote', () => {
  const plan = async (words: string, listWords: string, form: string) => {
    const { stdout } = await promo([...listWords.split(' '), `--${form}`, ...onSandbox])
    return await planned([...words.split(' '), '--from', '-'], stdout)
  }

  test.each(['csv', 'json', 'jsonl'])('is all that an update changes, in %s', async (form) => {
    const spring = 'vouchers list --limit 1'
    const ends = await plan('vouchers update --expires 2027-12-31 --percent-off 15', spring, form)
    const people = await plan('customers update --metadata tier=gold', 'customers list --limit 1', form)
    const edited = await plan('vouchers update', spring, form)

    expect(ends[0]?.body).toEqual({
      expiration_date: '2027-12-31T23:59:59.999Z',
      discount: { type: 'PERCENT', percent_off: 15 },
    })
    expect(people[0]?.body).toEqual({ metadata: { tier: 'gold' } })
    expect(edited[0]?.body).toMatchObject({ active: true, discount: { type: 'PERCENT', percent_off: 20 } })
  })

  test.each(['csv', 'json', 'jsonl'])('overrides it in what is created, name by name, in %s', async (form) => {
    const welcome = 'vouchers list --campaign Welcome --limit 1'
    const copied = await plan('vouchers create --percent-off 15 --metadata batch=2', welcome, form)
    const added = await plan('campaigns vouchers add Welcome --set metadata.batch=2', welcome, form)
    const people = await plan('customers create --metadata tier=gold', 'customers list --limit 1', form)

    expect(copied[0]?.body).toMatchObject({
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 15 },
      metadata: { batch: 2 },
    })
    expect(JSON.stringify(copied[0]?.body)).not.toContain('amount_off')
    expect(added[0]?.body).toMatchObject({ metadata: { batch: 2 } })
    expect(people[0]?.body).toMatchObject({ name: 'Hana Sato', metadata: { newsletter: false, tier: 'gold' } })
  })
})

test('a table with a lone quote, and a code with invisible characters, are answered with what helps', async () => {
  const quoted = await promo('vouchers disable --from - --dry-run --profile sandbox', {
    stdin: 'code\tsize\nMORNING\t5" pipe\n',
  })
  const copied = await promo('vouchers disable --from - --dry-run --profile sandbox', {
    stdin: 'code\nMOR\u00a0NING\nWEEK\u200bEND\n',
  })

  expect(quoted.stderr).toContain('try: correct the quotes, or add --no-quotes where the table has no quoting')
  expect(copied.stderr).toMatch(/warning: line 2: "MOR.NING" contains an invisible character or a no-break space/)
  expect(copied.stderr).toContain('1 more such key')
})

describe('an import', () => {
  test.each([
    [['vouchers', 'import'], 'promo vouchers create --profile sandbox --from '],
    [['campaigns', 'vouchers', 'import', 'Welcome'], 'promo campaigns vouchers add --profile sandbox --from '],
  ])('%j checks the header before it asks', async (words, otherwise) => {
    const file = input('codes.csv', 'Card number;Serial number\nA-1;7\n')
    const good = input('good.csv', '"CODE",Note\nA-1,7\n')

    const refused = await promo([...words, file, ...onSandbox], { terminal: { columns: 100 } })
    const planned = await promo([...words, good, '--dry-run', ...onSandbox])

    expect(refused).toEnd(2, 'has no column "Code"; its first line', `try: ${otherwise}`)
    expect(planned.exitCode).toBe(0)
  })
})
