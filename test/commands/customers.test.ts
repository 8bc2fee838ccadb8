import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testHome } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

const home = testHome()
const { promo } = home
const onSandbox = ['--profile', 'sandbox']

function input(content: string): string {
  const path = join(home.folder, 'customers.csv')
  writeFileSync(path, content)
  return path
}

async function namesFrom(...argv: string[]): Promise<string[]> {
  const { stdout } = await promo(['customers', ...argv, '--json', '--query', '[].name', ...onSandbox])
  return JSON.parse(stdout)
}

describe('customers list', () => {
  test('is limited to an e-mail address, a name, and a period in which they were created', async () => {
    expect(await namesFrom('list', '--email', 'customer3@example.com')).toEqual(['Chloé Martin'])
    expect(await namesFrom('list', '--name', 'Hana Sato')).toEqual(['Hana Sato'])
    expect(await namesFrom('list', '--created-after', '2026-01-11', '--created-before', '2026-01-12')).toEqual([
      'Grace Lindqvist',
    ])
    expect(await namesFrom('list', '--order', 'source_id', '--limit', '2')).toEqual(['Ada Okafor', 'Bruno Keller'])
  })
})

describe('customers find', () => {
  test.each([
    ['cust_19b8d627a800000003', 'Chloé Martin'],
    ['shop-1003', 'Chloé Martin'],
    ['customer3@example.com', 'Chloé Martin'],
    ['source_id=shop-1003', 'Chloé Martin'],
    [' "Chloé Martin" ', 'Chloé Martin'],
    ['lindqvist', 'Grace Lindqvist'],
  ])('finds a customer by %s', async (text, name) => {
    expect(await namesFrom('find', text)).toEqual([name])
  })

  test('finds a phone number however it is written, and a name with an apostrophe', async () => {
    const phone = ['--set', 'phone=+49 (30) 123-4567']
    await promo(['customers', 'create', 'p-1', '--set', "name=Ann O'Neill", ...phone, ...onSandbox])

    for (const text of ['030 1234567', '+49301234567', '1234567', "Ann O'Neill"]) {
      expect(await namesFrom('find', text)).toEqual(["Ann O'Neill"])
    }
  })

  test('exits 12 when there is none, and says how far it looked', async () => {
    const none = await promo('customers find Zoltan --profile sandbox')
    const some = await promo('customers find Ada --search 3 --json --profile sandbox')
    const noSearch = await promo('customers find Ada --search 0 --profile sandbox')
    const code = await promo('customers find CLUB-006 --profile sandbox')

    expect([none.exitCode, none.stdout, none.stderr]).toEqual([12, '', 'no customer found\n'])
    expect([some.exitCode, some.stdout]).toEqual([12, '[]\n'])
    expect(some.stderr).toContain('compared with the 3 newest customers, there are older ones')
    const also = 'promo customers show --profile sandbox CLUB-006 looks for a code, an order and a redemption, too'
    expect([code.exitCode, code.stderr]).toEqual([12, `no customer found\n${also}\n`])
    expect(noSearch.stderr).toContain('phone numbers and parts of names were not compared')
  })
})

describe('customers create, update and delete', () => {
  test('create stores a file by source id, and the same file again changes nothing', async () => {
    const path = input('source_id,name,metadata.tier\nnew-1,Ann,gold\nnew-2,Ben,\n')
    const argv = [
      ...'customers create --from'.split(' '),
      path,
      ...'--set metadata.from=fair --yes --jsonl'.split(' '),
      ...onSandbox,
    ]

    const first = await promo(argv)
    await promo(argv)

    const [ann] = first.stdout.split('\n').map((line) => line && JSON.parse(line))
    expect(first.exitCode).toBe(0)
    expect(ann).toMatchObject({
      source_id: 'new-1',
      state: 'ok',
      customer: { name: 'Ann', metadata: { tier: 'gold', from: 'fair' } },
    })
    expect(await namesFrom('list', '--created-after', '2026-02-01')).toEqual(['Ben', 'Ann'])
  })

  test('create sends a customer with a source id again after a lost answer, and one without never', async () => {
    const calls = async (...argv: string[]) => {
      let sent = 0
      await using server = await scriptedServer(({ method }) => {
        if (method === 'GET') return answer(404)
        sent += 1
        return sent === 1 ? { do: 'reset' } : answer(200, { id: 'cust_1', object: 'customer' })
      })
      const { exitCode } = await promo(['customers', 'create', ...argv], { env: server.env })
      return [exitCode, sent]
    }

    expect(await calls('shop-1')).toEqual([0, 2])
    expect(await calls('--set', 'source_id=shop-1')).toEqual([0, 2])
    expect(await calls('--set', 'name=Ann')).toEqual([6, 1])
  })

  test('create refuses one id for several rows', async () => {
    expect(await promo('customers create a b --set id=cust_1 --profile sandbox')).toEnd(2, '"id" names one customer')
  })

  test('update changes what is named, and delete asks even for one', async () => {
    const update = await promo('customers update shop-1008 --set address.city=Kyoto --jsonl --profile sandbox')
    const asked = await promo('customers delete shop-1008 --profile sandbox', { stdin: '' })
    const deleted = await promo('customers delete shop-1008 --yes --profile sandbox')

    expect(JSON.parse(update.stdout.split('\n')[0] ?? '')).toMatchObject({
      customer: { name: 'Hana Sato', address: { city: 'Kyoto' } },
    })
    expect(asked).toEnd(11, /delete customer "\S+" in project/)
    expect(deleted.exitCode).toBe(0)
    expect(await namesFrom('find', 'Hana Sato')).toEqual([])
  })
})

test('a deleted customer leaves orders behind, and one who is forgotten none', async () => {
  const ordersOf = async (id: string) => {
    const { stdout } = await promo([
      ...'orders list --json --query'.split(' '),
      `[?customer_id=='${id}'] | length(@)`,
      ...onSandbox,
    ])
    return Number(stdout)
  }
  const [deleted, forgotten] = ['cust_19b8d627a800000004', 'cust_19b8d627a800000005']
  const before = [await ordersOf(deleted), await ordersOf(forgotten)]

  await promo(['customers', 'delete', deleted, '--yes', ...onSandbox])
  await promo(`api POST /v1/customers/${forgotten}/permanent-deletion --yes --profile sandbox`)

  expect(before.every((count) => count > 0)).toBe(true)
  expect([await ordersOf(deleted), await ordersOf(forgotten)]).toEqual([before[0], 0])
})

describe('customers show', () => {
  test('puts on one page who it is, and what the customer holds and redeemed, within 80 columns', async () => {
    const { exitCode, stdout } = await promo('customers show customer6@example.com --profile sandbox', {
      terminal: { columns: 80 },
      env: { NO_COLOR: '1' },
    })

    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Customer\n {2}name {8}Farid Rahman\n {2}email {7}customer6@example.com\n/)
    expect(stdout).toMatch(/^ {2}spent {7}10500 in 2 orders$/m)
    expect(stdout).toMatch(/^Vouchers and cards\n.*\n {2}CLUB-006 {2}LOYALTY_CARD {2}on {11}0 {2}Bean Club$/m)
    expect(stdout).toMatch(
      /^ {2}2026-03-21 12:00:00 {2}GIFT-008 {2}6300 credits {4}4500 {2}northlight-2006\n {4}id {2}r_19b8d627a800000006$/m,
    )
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('shows why a redemption failed, and its id', async () => {
    await promo('vouchers disable WELCOME-005 --profile sandbox')
    const till = ['redemptions', 'create', 'WELCOME-005', '--amount', '4000', '--customer', 'source_id=shop-1007']
    await promo([...till, ...onSandbox])

    const { stdout } = await promo('customers show shop-1007 --profile sandbox', { terminal: { columns: 80 } })

    expect(stdout).toMatch(/ WELCOME-005 +refused: voucher_disabled\n .*id.* rf_\w+$/m)
  })

  test('keeps what the next step needs of each redemption at 80 columns, whatever happened to one', async () => {
    await promo('redemptions rollback r_19b8d627a800000006 --yes --profile sandbox')

    const { stdout } = await promo('customers show shop-1006 --profile sandbox', {
      terminal: { columns: 80 },
      env: { NO_COLOR: '1' },
    })

    expect(stdout).toMatch(/^ {2}created_at \(UTC\) +code +outcome +to_pay +order$/m)
    expect(stdout).toMatch(/ GIFT-008 +rollback refused: +4500 +northlight-2006\n +\w+\n {4}id {2}rrf_\w+$/m)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('says how all redemptions are listed, where the page has the newest', async () => {
    const rows = Array.from({ length: 11 }, (_, sale) => `BEANS10,${5000 + sale},shop-1002`)
    const stdin = ['code,order.amount,customer.source_id', ...rows, ''].join('\n')
    await promo('redemptions create --from - --yes --profile sandbox', { stdin })

    const page = await promo('customers show shop-1002 --profile sandbox')
    const few = await promo('customers show shop-1003 --profile sandbox')

    const all = 'promo redemptions list --profile sandbox --customer cust_19b8d627a800000002 --all'
    expect(page.stdout).toContain('Last redemptions (the newest 10)')
    expect(page.stderr).toBe(`all redemptions: ${all}\n`)
    expect(few.stderr).toBe('')
  })

  test('names segments, who referred whom, and the codes that were given to friends', async () => {
    const segment = { name: 'Regulars', type: 'static', customers: ['shop-1001'] }
    await promo(['api', 'POST', '/v1/segments', '--body', JSON.stringify(segment), ...onSandbox])
    await promo([
      ...'api POST /v1/segments --body'.split(' '),
      '{"name":"Others","type":"static","customers":[]}',
      ...onSandbox,
    ])
    await promo('referrals holders add FRIEND-001 --holder source_id=shop-1008 --profile sandbox')

    const page = await promo('customers show shop-1001 --profile sandbox')
    const { stdout } = await promo('customers show shop-1001 --json --profile sandbox')

    expect(page.stdout).toMatch(/^ {2}segments {4}Regulars$/m)
    expect(page.stdout).toMatch(/^ {2}referred {2}Hana Sato {2}customer8@example.com {2}FRIEND-001$/m)
    expect(JSON.parse(stdout)).toMatchObject({
      customer: { source_id: 'shop-1001' },
      segments: [{ name: 'Regulars' }],
      holdings: [{ voucher_type: 'LOYALTY_CARD' }, { redeemable: { voucher: { code: 'FRIEND-001' } } }],
      referrals: { referred_by: [], referred: [{ source_id: 'shop-1008', name: 'Hana Sato', code: 'FRIEND-001' }] },
      more: [],
      not_shown: [],
    })
  })

  test('names a part that the credentials may not read, and shows the others', async () => {
    await using server = await scriptedServer(({ url }) => {
      if (url.includes('/redemptions')) return answer(403, { code: 403, key: 'forbidden', message: 'Forbidden' })
      if (url.endsWith('/v1/customers/shop-1')) return answer(200, { id: 'cust_1', name: 'Ann', object: 'customer' })
      if (/\/(vouchers|orders)\/shop-1$/.test(url)) return answer(404, { code: 404, key: 'not_found', message: 'No' })
      return answer(200, { object: 'list', data_ref: 'data', data: [], total: 0 })
    })

    const page = await promo('customers show shop-1', { env: server.env })
    const { stdout } = await promo('customers show shop-1 --json', { env: server.env })

    expect(page.exitCode).toBe(0)
    expect(page.stdout).toMatch(/^Last redemptions\n {2}not shown: /m)
    expect(page.stdout).toMatch(/^Vouchers and cards\n {2}none$/m)
    expect(page.stderr).toMatch(/^warning: redemptions not shown: /m)
    expect(JSON.parse(stdout).not_shown).toMatchObject([{ part: 'redemptions' }])
  })

  test('finds the customer by whatever is said of one', async () => {
    await promo('customers update shop-1006 --set phone=+49305550106 --profile sandbox')
    const said = {
      'an e-mail address': 'customer6@example.com',
      'an e-mail address in capitals, with blanks': ' CUSTOMER6@EXAMPLE.COM ',
      'a name': 'Farid Rahman',
      'a name in lower case': 'farid rahman',
      'a part of a name': 'rahm',
      'the code of a card as it is typed': 'club 006',
      'a phone number as it is spoken': '030 555 0106',
      'a source id': 'shop-1006',
      'an id': 'cust_19b8d627a800000006',
      'the code of a card': 'CLUB-006',
      'an order of the shop': 'northlight-2006',
      'a redemption': 'r_19b8d627a800000006',
    }

    for (const [what, text] of Object.entries(said)) {
      const { stdout, exitCode } = await promo(['customers', 'show', text, ...onSandbox])
      expect([what, exitCode, stdout]).toEqual([what, 0, expect.stringMatching(/^Customer\n {2}name +Farid Rahman$/m)])
    }
  })

  test('lists all whom a text means, with what tells them apart, and chooses none', async () => {
    const shared = ['--set', 'email=team@example.com']
    for (const id of ['a', 'b'])
      await promo(['customers', 'create', id, ...shared, '--set', `name=${id}nn`, ...onSandbox])
    await promo('customers create CLUB-006 --set name=Eve --profile sandbox')

    const byMail = await promo('customers show team@example.com --profile sandbox')
    const byCode = await promo('customers show CLUB-006 --profile sandbox')

    expect(byMail.stderr).toMatch(
      /^promo: 2 customers are known by "team@example.com":\n {2}by +name +email +source_id +id\n {2}e-mail +bnn +team@example.com +b +cust_\w+\n {2}e-mail +ann +team@example.com +a +cust_\w+\ntry: promo customers show --profile sandbox ID, with one of these ids\n$/,
    )
    expect(byCode.stderr).toMatch(
      /^ {2}source id +Eve +CLUB-006 +cust_\w+\n {2}code +Farid Rahman +customer6@example.com/m,
    )
    expect([byMail, byCode].map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
      [3, ''],
      [3, ''],
    ])
  })

  test('says of what it knows without a customer that nobody has it, and of the rest how to go on', async () => {
    const code = await promo('customers show GIFT-004 --profile sandbox')
    const none = await promo('customers show nobody@example.com --profile sandbox')
    const phone = await promo('customers show "+420 600 000 006" --profile sandbox')

    expect(phone.stderr).toMatch(/\ntry: promo customers list --profile sandbox$/m)
    expect(code.stderr).toMatch(
      /; the code "GIFT-004" exists, and nobody holds it\ntry: promo vouchers get --profile sandbox GIFT-004$/m,
    )
    expect(none.stderr).toContain('try: promo customers list')
    expect([code.exitCode, none.exitCode]).toEqual([3, 3])
  })
})
