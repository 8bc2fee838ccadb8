// Whoever is named by an e-mail address or a phone number is looked up, wherever a customer is named: nobody is created by it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { pathsOf } from '../../src/cli/request/body.ts'
import { isContact } from '../../src/cli/request/customers/flag.ts'
import { keysFor, lines, notFound } from '../support/command-lines.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

const mail = 'customer7@example.com'
const grace = 'cust_19b8d627a800000007'
const sandbox = ['--profile', 'sandbox']

function fileOf(text: string, name = 'rows.csv'): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  return path
}

/** The ways in which a command that takes many rows names customers: by arguments, by the column `customer`, by any column. */
const places: Readonly<Record<string, string[][]>> = {
  'customers:create': [
    [mail, '--name', 'Ann'],
    ['--from', fileOf(`Login\n${mail}\n`), '--column', 'Login'],
    ['--from', fileOf(`${mail}\n`, 'people.txt')],
  ],
  'customers:delete': [
    [mail],
    ['shop-1001', mail],
    ['--from', fileOf(`E-Mail\n${mail}\n`), '--column', 'E-Mail'],
    ['--from', fileOf(`${mail}\n`, 'people.txt')],
  ],
  'customers:update': [
    [mail, '--name', 'Ann'],
    ['--from', fileOf(`E-Mail,name\n${mail},Ann\n`), '--column', 'E-Mail'],
  ],
  'events:send': [
    ['--from', fileOf(`event,customer\ncupping_attended,${mail}\n`)],
    ['--from', fileOf(`{"event":"cupping_attended","customer":"${mail}"}\n`, 'rows.jsonl')],
    ['cupping_attended', '--from', fileOf(`E-Mail\n${mail}\n`), '--column', 'E-Mail'],
    ['cupping_attended', '--from', fileOf(`customer\n${mail}\n`)],
  ],
  'publications:create': [
    ['--voucher', 'MORNING', '--from', fileOf(`customer\n${mail}\n`)],
    ['--voucher', 'MORNING', '--from', fileOf(`E-Mail\n${mail}\n`), '--column', 'E-Mail'],
    ['--voucher', 'MORNING', '--from', fileOf(`E-Mail\n${mail}\n`), '--map', 'E-Mail=customer'],
    ['--voucher', 'MORNING', '--from', fileOf(`${mail}\n`, 'people.txt')],
    ['--voucher', 'MORNING', '--from', fileOf(`{"customer":"${mail}"}\n`, 'rows.jsonl')],
  ],
  'redemptions:create': [['--from', fileOf(`code,customer\nBEANS10,${mail}\n`), '--set', 'order.amount=5000']],
  'redemptions:rollback': [['--from', fileOf(`id,customer\nr_1,${mail}\n`)]],
  'referrals:holders:add': [
    ['FRIEND-001', '--from', fileOf(`E-Mail\n${mail}\n`), '--column', 'E-Mail'],
    ['FRIEND-001', '--from', fileOf(`${mail}\n`, 'people.txt')],
  ],
}

/** The commands of many rows whose calls name a customer; carts of `validate redeemables` are bodies as they are sent. */
const naming: string[] = []
beforeAll(async () => {
  for (const id of Object.keys(lines)) {
    const Class = await classOf(id)
    if (Class === undefined || Class.calls === 'any' || Class.effect !== 'write' || !('from' in Class.flags)) continue
    const isNaming = Class.calls.some(({ path, body, method }) => {
      const takes = method === 'GET' || body === undefined ? () => false : pathsOf(body)
      const isKey = takes(['customer', 'source_id']) || takes(['holders']) || id === 'customers:create'
      return isKey || (path.includes('{customerId}') && method !== 'GET')
    })
    if (isNaming && id !== 'validate:redeemables') naming.push(id)
  }
})

test('every command of many rows that names customers is here, and takes texts for source ids only with its flag', async () => {
  expect(naming.toSorted()).toEqual(Object.keys(places).toSorted())
  for (const id of naming) expect(Object.keys((await classOf(id)).flags ?? {}), id).toContain('as-source-id')
})

const all = Object.entries(places).flatMap(([id, ways]) => ways.map((way) => [id.replaceAll(':', ' '), way] as const))

describe('an e-mail address', () => {
  test.each(all)('is no source id in a dry run of `%s` %j, unless it is said to be one', async (command, way) => {
    const promo = promoIn(temporaryFolder())
    const line = [...command.split(' '), ...way, '--dry-run', '--json', ...sandbox]

    const looked = await promo(line)
    const said = await promo([...line, '--as-source-id'])

    const sent = new RegExp(`"source_id": "${mail}"|/${encodeURIComponent(mail)}"`)
    expect(looked.stdout).not.toMatch(sent)
    expect(looked.stderr).toMatch(/looked up before anything is sent|looks like an e-mail address/)
    expect(said.stdout).toMatch(sent)
  })

  test.each(all.filter(([command]) => !/customers create|rollback/.test(command)))(
    'means the customer who has it for `%s` %j, and makes no other',
    async (command, way) => {
      const promo = promoIn(temporaryFolder())

      const ran = await promo([...command.split(' '), ...way, '--yes', '--jsonl', ...sandbox])
      const customers = await promo(['customers', 'list', '--all', '--csv', '--columns', 'id', ...sandbox])

      expect(ran.exitCode, ran.stderr).toBe(0)
      expect(customers.stdout.includes(grace)).toBe(command !== 'customers delete')
      expect(customers.stdout.trim().split('\n').slice(1).length).toBe(
        command === 'customers delete'
          ? 8 - way.filter((word) => /^shop-|@/.test(word)).length - (way.includes('--from') ? 1 : 0)
          : 8,
      )
    },
  )

  test('of nobody makes a row bad, and nothing is sent', async () => {
    const promo = promoIn(temporaryFolder())
    const rows = fileOf(`customer,voucher\nshop-1001,MORNING\nnobody@example.com,MORNING\n${mail},MORNING\n`)

    const { exitCode, stderr } = await promo([
      ...'publications create --from'.split(' '),
      rows,
      '--yes',
      '--verbose',
      ...sandbox,
    ])

    expect(exitCode).toBe(2)
    expect(stderr).toContain('line 3: no customer is known by "nobody@example.com"')
    expect(stderr).toContain('try: add --as-source-id where that is a source id\n')
    expect(stderr).not.toContain('POST')
  })

  test('or a part of a name names nobody in a write, and whom it may mean is listed', async () => {
    const promo = promoIn(temporaryFolder())
    await promo(['customers', 'create', 'j-1', '--name', 'Joanna Doe', '--email', 'joanna@example.com', ...sandbox])
    const give = ['publications', 'create', '--voucher', 'MORNING', '--yes', '--customer']

    const part = await promo([...give, 'joann', ...sandbox])
    const whole = await promo([...give, 'joanna doe', ...sandbox])
    const read = await promo(['customers', 'show', 'joann', ...sandbox])

    expect([part.exitCode, whole.exitCode, read.exitCode]).toEqual([3, 0, 0])
    expect(part.stderr).toContain('no customer is known by "joann", and a write takes no part of a name; it may mean:')
    expect(part.stderr).toMatch(/^ {2}name +Joanna Doe +joanna@example.com +j-1 +cust_/m)
  })

  test('is not the customer whom the service answers with where that has another id and source id', async () => {
    const promo = promoIn(temporaryFolder())
    const server = await scriptedServer(({ url }) =>
      url.includes('/v1/customers/')
        ? answer(200, { id: 'cust_2', source_id: 'shop-10', object: 'customer' })
        : answer(404, { code: 404, key: 'not_found', message: 'No' }),
    )

    const { exitCode, stdout } = await promo('customers forget shop-1 --yes', { env: server.env })

    expect([exitCode, stdout]).toEqual([3, ''])
    expect(server.asked.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('that several have makes a row bad', async () => {
    const promo = promoIn(temporaryFolder())
    await promo(['customers', 'create', 'twin', '--email', mail, ...sandbox])
    const rows = fileOf(`E-Mail\n${mail}\n`)

    const ran = await promo(['customers', 'delete', '--from', rows, '--column', 'E-Mail', '--yes', ...sandbox])

    expect(ran).toEnd(2, `line 2: 2 customers are known by ${JSON.stringify(mail)}`)
  })

  test('is looked up once, however many rows have it, and never again when the job is resumed', async () => {
    const promo = promoIn(temporaryFolder())
    const rows = fileOf(`customer,event\n${`${mail},cupping_attended\n`.repeat(30)}shop-1001,cupping_attended\n`)
    const journal = temporaryFolder()

    const send = ['events', 'send', '--from', rows, '--journal', join(journal, 'j'), '--yes', '--verbose', ...sandbox]
    const ran = await promo(send)
    const again = await promo(send)

    expect(ran.stderr.match(/> GET .*customer7/g)).toHaveLength(2)
    expect(ran.stderr.match(/> POST/g)).toHaveLength(31)
    expect([again.exitCode, again.stderr.match(/> (?:GET|POST)/g)]).toEqual([0, null])
  })

  test('in a column of source ids is one', async () => {
    const promo = promoIn(temporaryFolder())
    const rows = fileOf('customer.source_id\nnew@example.com\n')

    const { stdout } = await promo([
      ...'publications create --voucher MORNING --from'.split(' '),
      rows,
      '--yes',
      '--json',
      ...sandbox,
    ])

    expect(JSON.parse(stdout)[0].publication.tracking_id).toBe('new@example.com')
  })

  test('is an e-mail address of a new customer, too, where the file says so', async () => {
    const promo = promoIn(temporaryFolder())
    const rows = fileOf('email,name\nnew@example.com,Ann\n')

    const ran = await promo(['customers', 'create', '--from', rows, '--column', 'email', '--yes', ...sandbox])

    expect(ran.exitCode, ran.stderr).toBe(0)
  })
})

test('a customer is forgotten by e-mail address, and what is left is counted afterwards', async () => {
  const promo = promoIn(temporaryFolder())
  const line = ['customers', 'forget', 'customer6@example.com', ...sandbox]

  const unasked = await promo(line)
  const { stdout, stderr } = await promo([...line, '--yes', '--json'])
  const again = await promo([...line, '--yes'])

  expect([unasked.exitCode, again.exitCode]).toEqual([11, 3])
  const rows = JSON.parse(stdout).map(({ what, before, left, ids }: Record<string, unknown[]>) => [
    what,
    before,
    left,
    ids?.length,
  ])
  expect(rows).toEqual([
    ['customers', 1, 0, 0],
    ['orders', 2, 0, 0],
    ['vouchers', 1, 1, 1],
    ['redemptions', 2, 2, 2],
    ['publications', 1, 1, 1],
  ])
  expect(stderr).toContain('promo history --profile sandbox --subject cust_19b8d627a800000006')
})

describe('an e-mail address, and a number that is no whole one, names nobody else', () => {
  const other = { id: 'cust_9', object: 'customer', email: 'x-ann@shop.example', name: 'Joann' }
  const ann = 'ann@shop.example'
  test.each([
    ['whose address ends with it', { ...other }, 'newest'],
    ['whom the service answers for it', { ...other, email: 'bob@shop.example' }, 'filter'],
    ['who has letters that look like it', { ...other, email: '\u0430nn@shop.example' }, 'filter'],
    ['who is named like it', { ...other, email: null, name: `Shop of ${ann}` }, 'newest'],
    ['whose number ends with it', { ...other, phone: '+49 89 301234' }, 'newest', '(030) 1234'],
  ])('%s', async (_, customer, where, text = ann) => {
    await using server = await scriptedServer(({ method, url }) => {
      const isList = method === 'GET' && url.startsWith('/v1/customers?')
      if (!isList) return notFound
      const customers = url.includes('email=') === (where === 'filter') ? [customer] : []
      return answer(200, { object: 'list', data_ref: 'customers', customers, total: customers.length })
    })
    const env = keysFor(server.origin)
    const { exitCode, stderr } = await promoIn(temporaryFolder())(['customers', 'forget', text, '--yes'], { env })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining(`no customer is known by "${text}`),
    })
    expect(server.asked.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

test('a file may name customers by the ids of the service', async () => {
  const promo = promoIn(temporaryFolder())
  const rows = fileOf(`customer\n${grace}\n`)

  const { stdout } = await promo([
    ...'publications create --voucher MORNING --from'.split(' '),
    rows,
    '--dry-run',
    '--json',
    ...sandbox,
  ])

  expect(JSON.parse(stdout)[0].body.customer).toEqual({ id: grace })
})

test.each([
  ['ann@example.com', true],
  ['+49 30 1234567', true],
  ['+4915112345678', true],
  ['030 1234567', true],
  ['0151-12345678', true],
  ['004915112345678', true],
  ['(555) 123-4567', true],
  ['555-123-4567', true],
  ['shop-1001', false],
  ['9013808660771', false],
  ['0077001', false],
  ['0000012345', false],
  ['2026-00017', false],
  ['@ann', false],
  ['ann@home', false],
])('%s looks like an e-mail address or a phone number: %s', (text, isOne) => {
  expect(isContact(text)).toBe(isOne)
})
