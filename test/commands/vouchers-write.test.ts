import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nowhere, temporaryFolder, testHome } from '../support/promo.ts'

const home = testHome()
const { promo } = home
const onSandbox = ['--profile', 'sandbox']

async function voucher(code: string) {
  return JSON.parse((await promo(['vouchers', 'get', code, '--json', ...onSandbox])).stdout)
}

describe('vouchers create', () => {
  test('builds the body from flags, --set and --body, each value with the type of the contract', async () => {
    const argv = [
      ...'vouchers create T/1 --type DISCOUNT_VOUCHER --body'.split(' '),
      '{"metadata":{"a":"1"},"active":true}',
    ]
    const sets = [
      'discount.type=PERCENT',
      'discount.percent_off=12.5',
      'active=false',
      'metadata.n=3',
      'metadata.t=3a',
      'additional_info=10',
    ]

    expect(await promo([...argv, ...sets.flatMap((set) => ['--set', set]), ...onSandbox])).toEnd(0)
    expect(await voucher('T/1')).toMatchObject({
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 12.5 },
      active: false,
      additional_info: '10',
      metadata: { a: '1', n: 3, t: '3a' },
    })
  })

  test('reads further columns of a file as wire paths, and omits empty cells', async () => {
    const ran = await promo('vouchers create --from examples/new-codes.csv --yes --profile sandbox')

    expect(ran).toEnd(0, 'created 3 vouchers')
    expect((await voucher('SORRY-2026-3')).discount).toEqual({ type: 'AMOUNT', amount_off: 500 })
  })

  test('a taken code is a conflict and is left unchanged', async () => {
    const { exitCode, stdout } = await promo(
      ['vouchers', 'create', 'MORNING', '--type', 'GIFT_VOUCHER', '--set', 'gift.amount=1', '--csv'].concat(onSandbox),
    )

    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^1,MORNING,conflict,,duplicate_found,/m)
    expect((await voucher('MORNING')).type).toBe('DISCOUNT_VOUCHER')
  })

  const latin1 = join(temporaryFolder(), 'latin1.json')
  writeFileSync(latin1, Buffer.from('{"additional_info":"Caf\xe9"}', 'latin1'))

  test('stdin that is not UTF-8 is refused, and a file that says it is UTF-16 is read', async () => {
    const utf16 = join(home.folder, 'utf16.json')
    writeFileSync(utf16, Buffer.from('\ufeff{"additional_info":"Café"}', 'utf16le'))
    const gift = ['vouchers', 'create', 'X', '--type', 'GIFT_VOUCHER', '--set', 'gift.amount=1', '--dry-run', '--json']
    const create = (body: string, options = {}) => promo([...gift, '--body', body, ...onSandbox], options)

    const refused = await create('@-', { stdin: Buffer.from('{"additional_info":"Caf\xe9"}', 'latin1') })
    const read = await create(`@${utf16}`)

    expect(refused).toEnd(2, 'standard input is not UTF-8')
    expect([read.exitCode, read.stdout]).toEqual([0, expect.stringContaining('"Café"')])
  })

  test.each<[string, string[], RegExp]>([
    [
      'a number that is none',
      ['--set', 'discount.percent_off=ten'],
      /"discount.percent_off" takes a number, not "ten"/,
    ],
    ['an unknown field', ['--set', 'discont.type=PERCENT'], /discont/],
    ['an assignment without a path', ['--set', 'PERCENT'], /does not have the form path=value/],
    ['a path through a value', ['--body', '{"metadata":{"a":1}}', '--set', 'metadata.a.b=1'], /leads through "a"/],
    ['a body that is no object', ['--body', '[1]'], /--body is not a JSON object/],
    ['a body that is no JSON', ['--body', '{"a":}'], /--body, line 1, column 6/],
    ['a body that names a member twice', ['--body', '{"active":true,"active":false}'], /active/],
    [
      'a file that is missing',
      ['--body', `@${nowhere}.json`],
      /nowhere.json": there is no such file\ntry: check the path: /,
    ],
    ['a device', ['--body', '@/dev/zero'], /"\/dev\/zero" is a device, not a file/],
    ['nothing', ['--body', '@/dev/null'], /"\/dev\/null" is empty\ntry: promo vouchers create --help/],
    ['a name without @', ['--body', "it's.json"], /try: --body '@it'\\''s\.json'/],
    ['stdin without @', ['--body', '-'], /try: --body @-/],
    [
      'a file in another encoding',
      ['--body', `@${latin1}`],
      /latin1.json" is not UTF-8: the byte 0xe9 .*\ntry: iconv -f /,
    ],
  ])('refuses %s before any request', async (_what, flags, message) => {
    expect(await promo(['vouchers', 'create', 'X', ...flags, '-v', ...onSandbox])).toSendNothing(2, message)
  })

  test('refuses stdin that is longer than a document can be', async () => {
    const ran = await promo('vouchers create X --body @- --profile sandbox', {
      stdin: Buffer.alloc(33 * 1024 * 1024, ' '),
    })

    expect(ran).toEnd(2, /standard input is longer than 32 MiB\ntry: check that it is the right one/)
  })

  test('reports a row that the contract refuses, with its line, before the first request', async () => {
    const path = join(home.folder, 'codes.csv')
    writeFileSync(path, 'code,type,gift.amount\nG-1,GIFT_VOUCHER,100\nG-2,GIFT,100\nG-3,GIFT_VOUCHER,-5\n')

    const { exitCode, stderr } = await promo(`vouchers create --from ${path} --yes -v --profile sandbox`)

    expect(exitCode).toBe(2)
    expect(stderr).toContain('2 of 3 rows')
    expect(stderr).toMatch(/line 3: .*type/)
    expect(stderr).toMatch(/line 4: .*gift\.amount/)
    expect(stderr).not.toContain('> POST')
  })
})

describe('vouchers create with contents that do not fit', () => {
  const unit = '"type":"DISCOUNT_VOUCHER","discount":{"type":"UNIT"'

  test.each([
    ['no discount', '"type":"DISCOUNT_VOUCHER"', /discount is required for the type DISCOUNT_VOUCHER/],
    [
      'a gift beside it',
      '"type":"LOYALTY_CARD","loyalty_card":{"points":1},"gift":{"amount":1}',
      /gift does not go with/,
    ],
    ['no type and no contents', '"active":true', /type is required/],
    [
      'units without their effect',
      `${unit},"units":[{"unit_type":"prod_1","effect":"ADD_NEW_ITEMS"}]}`,
      /units needs the/,
    ],
    ['their effect without units', `${unit},"effect":"ADD_MANY_ITEMS"}`, /units is required with the effect/],
    ['a unit of nothing', `${unit},"unit_off":1}`, /unit_type is required/],
  ])('refuses a file in which one row has %s before the first request', async (_, members, message) => {
    const path = join(home.folder, 'codes.jsonl')
    const good = '{"code":"G-1","type":"GIFT_VOUCHER","gift":{"amount":100}}'
    writeFileSync(path, `${good}\n{"code":"G-2",${members}}\n`)

    const { exitCode, stderr } = await promo(`vouchers create --from ${path} --yes -v --profile sandbox`)

    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr).toContain('line 2')
    expect(stderr).not.toContain('> POST')
  })
})

describe('vouchers update', () => {
  test('changes only the named fields', async () => {
    const before = await voucher('MORNING')

    const { exitCode } = await promo('vouchers update MORNING --set "additional_info=Until noon" --profile sandbox')

    const after = await voucher('MORNING')
    expect(exitCode).toBe(0)
    // The URLs of its images contain the port, which differs each time.
    const { assets } = after
    expect(after).toEqual({ ...before, assets, additional_info: 'Until noon', updated_at: after.updated_at })
  })
})

describe('vouchers delete', () => {
  test('asks even for one, and sends nothing when no question is possible', async () => {
    expect(await promo('vouchers delete SORRY5 --profile sandbox', { stdin: '' })).toEnd(11)
    expect((await voucher('SORRY5')).code).toBe('SORRY5')
  })

  test('moves the voucher to the bin, where the code stays taken, unless forced', async () => {
    const create = (code: string) =>
      promo(['vouchers', 'create', code, '--type', 'GIFT_VOUCHER', '--set', 'gift.amount=1', ...onSandbox])

    const binned = await promo('vouchers delete SORRY5 --yes --profile sandbox')
    const forced = await promo('vouchers delete WEEKEND --yes --force --profile sandbox')

    expect([binned.exitCode, forced.exitCode]).toEqual([0, 0])
    expect((await create('SORRY5')).exitCode).toBe(3)
    expect((await create('WEEKEND')).exitCode).toBe(0)
  })
})

describe('a voucher that was printed', () => {
  test.each([
    ['a discount', 'DISCOUNT_VOUCHER', ['discount.type=PERCENT', 'discount.percent_off=10', 'redemption.quantity=3']],
    ['a gift card', 'GIFT_VOUCHER', ['gift.amount=5000', 'gift.effect=APPLY_TO_ITEMS']],
    ['a loyalty card', 'LOYALTY_CARD', ['loyalty_card.points=40', 'category=Gold']],
  ])('is created again as %s from its own JSON, and updated from it without a change', async (_, type, sets) => {
    const path = join(home.folder, 'voucher.json')
    const set = [...sets, 'metadata.a=1', 'start_date=2027-01-01'].flatMap((one) => ['--set', one])
    await promo(['vouchers', 'create', 'AGAIN', '--type', type, ...set, ...onSandbox])
    const printed = await voucher('AGAIN')
    writeFileSync(path, JSON.stringify(printed, undefined, 2))
    const other = { ...printed, code: 'OTHER' }
    writeFileSync(join(home.folder, 'others.json'), JSON.stringify([other], undefined, 2))

    const updated = await promo(`vouchers update --from ${path} --yes --profile sandbox`)
    const created = await promo(`vouchers create --from ${join(home.folder, 'others.json')} --yes --profile sandbox`)

    expect(updated).toEnd(0, '1 voucher')
    // Every command's service listens on another port.
    expect(await voucher('AGAIN')).toEqual({ ...printed, assets: expect.anything() })
    expect(created.exitCode).toBe(0)
    const { discount, gift, loyalty_card, category, metadata, start_date, redemption } = printed
    const url = '/v1/vouchers/OTHER/redemptions?page=1&limit=10'
    expect(await voucher('OTHER')).toMatchObject({
      type,
      discount,
      gift,
      loyalty_card,
      category,
      metadata,
      start_date,
      redemption: { ...redemption, url },
    })
  })

  test('still stops at a field that nobody knows', async () => {
    const path = join(home.folder, 'voucher.json')
    writeFileSync(path, JSON.stringify({ ...(await voucher('MORNING')), code: 'N', discont: 1 }))

    expect(await promo(`vouchers create --from ${path} --yes -v --profile sandbox`)).toSendNothing(2, 'discont')
  })
})

test('fields that promo does not know are sent only with --allow-unknown, for each row too', async () => {
  const fields = ['--type', 'DISCOUNT_VOUCHER', '--set', 'discount.percent_off=5', '--set', 'discount.type=PERCENT']
  const unknown = [...fields, '--set', 'discount.sparkle=2', '--dry-run', '--json', '--profile', 'sandbox']

  const refused = await promo(['vouchers', 'create', 'S-1', 'S-2', ...unknown])
  const planned = await promo(['vouchers', 'create', 'S-1', 'S-2', ...unknown, '--allow-unknown'])

  expect(refused).toEnd(2, 'discount has no field')
  expect(planned.exitCode).toBe(0)
  expect(JSON.parse(planned.stdout).map(({ body }: { body: object }) => body)).toMatchObject([
    { discount: { sparkle: 2 } },
    { discount: { sparkle: 2 } },
  ])
})

test('--if-exists lets a script create the same vouchers twice', async () => {
  const fields = ['--type', 'GIFT_VOUCHER', '--set', 'gift.amount=500', '--yes', '--json', '--profile', 'sandbox']
  const create = (...more: string[]) => promo(['vouchers', 'create', 'TWICE-1', ...fields, ...more])

  const first = await create('--if-exists', 'reuse')
  const again = await create('--if-exists', 'reuse')
  const failed = await create()
  const other = await create('--set', 'gift.amount=900', '--if-exists', 'update')
  const updated = await create('--set', 'metadata.source=mail', '--if-exists', 'update')

  expect([first, again, failed, other, updated].map(({ exitCode }) => exitCode)).toEqual([0, 0, 3, 3, 0])
  expect(JSON.parse(again.stdout)).toMatchObject([{ code: 'TWICE-1', state: 'ok', changed: false }])
  expect(again.stderr).toContain('1 already there')
  expect(JSON.parse(other.stdout)).toMatchObject([
    { state: 'conflict', error: { message: 'the code is taken by a voucher that differs in gift.amount' } },
  ])
  expect(JSON.parse(updated.stdout)).toMatchObject([{ changed: true, voucher: { metadata: { source: 'mail' } } }])
})
