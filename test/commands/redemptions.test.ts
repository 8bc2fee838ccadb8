import { stripVTControlCharacters } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'
import { transcripts } from '../support/transcripts.ts'

let promo: ReturnType<typeof promoIn>
const onSandbox = ['--profile', 'sandbox']
const till = ['redemptions', 'create', 'BEANS10', '--amount', '5000', '--customer', 'source_id=shop-1001']
/** Each line in a home of its own. */
const fresh: typeof promo = (line, options) => promoIn(temporaryFolder())(line, options)

beforeEach(() => {
  promo = promoIn(temporaryFolder())
})

async function told(argv: string[]): Promise<unknown> {
  return JSON.parse((await promo([...argv, '--json', ...onSandbox])).stdout)
}

describe('redemptions create', () => {
  transcripts(fresh)(String.raw`
    # redeems a code for a cart, and says what it took off and how to take it back
    $ redemptions create BEANS10 --amount 5000 --customer source_id=shop-1001 --csv --columns voucher.code,order.total_amount --profile sandbox
    = voucher.code,order.total_amount
    = BEANS10,4500
    ! /took 500 off 5,000, 4,500 left to pay; to take it back: promo redemptions rollback --profile sandbox r_\w+\n/
    # shows a row for each of several codes, and the whole answer to programs
    $ redemptions create BEANS10 gift:GIFT-001=1500 --amount 5000 --csv --columns voucher.code,amount --profile sandbox
    = voucher.code,amount
    = BEANS10,
    = GIFT-001,1500
    $ redemptions create BEANS10 gift:GIFT-001=1500 --amount 5000 --json --profile sandbox
    json {"redemptions": [{}, {}], "parent_redemption": {}, "order": {"total_amount": 3000}}
    # exits 3 for a code that does not apply, with the reason of the service
    $ redemptions create BEANS10 --amount 500 --profile sandbox => 3
    ! order_rules_violated
  `)
})

describe('redemptions list', () => {
  test('filters by code, customer, result and time', async () => {
    await promo([...till, ...onSandbox])
    await promo('redemptions create BEANS10 --amount 500 --profile sandbox')
    const list = ['redemptions', 'list', '--query', '[].voucher.code']

    expect(await told([...list, '--voucher', 'GIFT-008'])).toEqual(['GIFT-008'])
    expect(await told([...list, '--customer', 'shop-1001', '--created-before', '2026-02-01'])).toEqual(['CLUB-001'])
    expect(await told([...list, '--result', 'FAILURE'])).toEqual(['BEANS10'])
    expect(await told([...list, '--created-after', '2026-03-20', '--created-before', '2026-03-21'])).toEqual([
      'GIFT-004',
    ])
    expect(
      await told([...list, '--campaign', 'Gift cards', '--filter', 'result=SUCCESS', '--order', 'created_at']),
    ).toEqual(['GIFT-004', 'GIFT-008'])
    expect(await told([...list, '--voucher', 'GIFT-008', '--filter', 'result=FAILURE'])).toEqual([])
  })
})

describe('redemptions rollback', () => {
  const rollback = ['redemptions', 'rollback']
  const spent = async (amount: number) => {
    const words = [
      'redemptions',
      'create',
      `gift:GIFT-005=${amount}`,
      ...'--amount 5000 --query redemptions[0].id'.split(' '),
    ]
    return (await told(words)) as string
  }

  transcripts(fresh)(String.raw`
    # asks even for a single one, and says that it cannot be undone
    $ redemptions rollback r_19b8d627a800000005 --profile sandbox => 11
    wide 200
    ? (y/N) => n{enter}
    ! /roll back redemption "r_\w+" \(.+\) in project \S+ of profile "sandbox"\? This cannot be undone\./
    ! nothing was sent
    # says after a rollback that comes too late how the credit is given back
    $ redemptions rollback r_19b8d627a800000006 --yes --profile sandbox => 3
    ! try: promo vouchers balance add --profile sandbox CODE --amount N gives the credit back, promo loyalty
  `)

  test('gives credits back, with the reason', async () => {
    const id = await spent(800)
    expect(await told([...rollback, id, '--reason', 'Broken cup', '--yes'])).toMatchObject([
      { state: 'ok', rollback: { object: 'redemption_rollback', reason: 'Broken cup', amount: -800 } },
    ])
    expect(await told(['vouchers', 'get', 'GIFT-005', '--query', 'gift'])).toMatchObject({ balance: 7500 })
    expect(await told(['redemptions', 'get', id, '--query', 'status'])).toBe('ROLLED_BACK')
  })

  test('tells a refused rollback in the words of the service, not in those for a refused code', async () => {
    const id = await spent(800)

    const argv = [...rollback, id, '--set', 'customer.source_id=shop-1002', '--yes', '--csv', ...onSandbox]
    const { exitCode, stdout } = await promo(argv)

    expect(exitCode).toBe(3)
    expect(stdout).toContain('400 invalid_customer: Invalid customer')
  })

  test('leads from a part, or from the whole, of what was redeemed together to the command that gives it back', async () => {
    const order = ['--amount', '5000', '--customer', 'source_id=shop-1001', '--json', '--yes', ...onSandbox]
    const together = await promo(['redemptions', 'create', 'BEANS10', 'gift:GIFT-001=500', ...order])
    const { redemptions, parent_redemption } = JSON.parse(together.stdout)
    const parent = parent_redemption.id

    const part = await promo([...rollback, redemptions[0].id, '--yes', ...onSandbox])
    const whole = await promo([...rollback, parent, '--yes', ...onSandbox])
    const shown = await promo('customers show shop-1001 --profile sandbox', {
      terminal: { columns: 80 },
      env: { NO_COLOR: '1' },
    })
    const done = await promo([...rollback, '--stacked', parent, '--yes', '--json', ...onSandbox])
    const alone = await promo([...rollback, '--stacked', 'r_19b8d627a800000007', '--yes', ...onSandbox])

    const step = `\ntry: promo redemptions rollback --profile sandbox --stacked ${parent} gives back everything`
    expect([part.stderr, whole.stderr]).toEqual([expect.stringContaining(step), expect.stringContaining(step)])
    expect(shown.stdout).toMatch(/^ {2}created_at \(UTC\) +code +outcome/m)
    expect(done.exitCode).toBe(0)
    expect(JSON.parse(done.stdout)).toMatchObject([{ state: 'ok', rollback: { rollbacks: [{}, {}] } }])
    expect(alone.stderr).toMatch(/try: promo redemptions rollback --profile sandbox r_\w+, without --stacked/)
  })

  test('takes a file with a reason for each, and has one outcome for each row', async () => {
    const stdin = `id,reason\n${await spent(100)},Late\nr_none,\n${await spent(200)},\n`

    const { exitCode, stdout } = await promo(
      [...rollback, '--from', '-', '--reason', 'Storm', '--yes', '--json', ...onSandbox],
      { stdin },
    )

    expect(exitCode).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject([
      { state: 'ok', rollback: { reason: 'Late' } },
      { state: 'failed', error: { api: { key: 'not_found' } } },
      { state: 'ok', rollback: { reason: 'Storm' } },
    ])
  })

  test.each([
    ['is applied when the redemption was rolled back for this reason', 'ROLLED_BACK', 'Late', 'ok_inferred', 0],
    ['is unknown when it was rolled back for another reason', 'ROLLED_BACK', 'Storm', 'unknown', 6],
    ['is unknown when it was not rolled back', 'SUCCEEDED', 'Late', 'unknown', 6],
  ])('after a lost answer and a refusal %s', async (_, status, reason, state, code) => {
    let writes = 0
    await using server = await scriptedServer(({ method, url }) => {
      if (method === 'GET' && url.endsWith('/rr_1')) return answer(200, { id: 'rr_1', reason })
      const rollbacks = status === 'ROLLED_BACK' ? [{ id: 'rr_1' }] : []
      if (method === 'GET') return answer(200, { id: 'r_1', status, related_redemptions: { rollbacks } })
      writes += 1
      return writes === 1 ? { do: 'reset' } : answer(400, { code: 400, key: 'already_rolled_back', message: 'x' })
    })

    const { exitCode, stdout } = await promo([...rollback, 'r_1', '--reason', 'Late', '--yes', '--json'], {
      env: server.env,
    })

    expect(exitCode).toBe(code)
    expect(JSON.parse(stdout)).toMatchObject([{ state }])
    expect(writes).toBe(2)
  })
})

describe('flags of a job', () => {
  const gift = ['publications', 'create', '--customer', 'source_id=guest-7', '--voucher', 'MORNING']

  test.each([
    [till, '--max-errors=5'],
    [till, '--journal=jobs'],
    [till, '--restart'],
    [gift, '--same-project'],
    [gift, '--concurrency=2'],
    [['loyalty', 'rewards', 'redeem', 'CLUB-001', '--reward', 'rew_1'], '--rate=2/s'],
    [['validate', 'redeemables', 'BEANS10'], '--concurrency=2'],
    [['validate', 'redeemables', 'BEANS10'], '--max-errors=5'],
  ])('are refused without a file: %s … %s', async (command, flag) => {
    await using server = await scriptedServer([])

    expect(await promo([...command, flag], { env: server.env })).toEnd(2, flag.split('=', 1)[0] ?? '', '--from')
    expect(server.asked).toEqual([])
  })
})

describe('redemptions list', () => {
  test('shows when which code was used, what it took and by which id, on a terminal of 80 columns', async () => {
    const options = ['--amount', '5000', '--yes', ...onSandbox]
    await promo(['redemptions', 'create', 'BEANS10', 'gift:GIFT-002=200', ...options])
    await promo(['redemptions', 'create', 'gift:GIFT-001=999999', '--customer', 'source_id=shop-1001', ...options])

    const { stdout, stderr } = await promo('redemptions list --limit 4 --profile sandbox', {
      terminal: { columns: 80 },
    })

    const lines = stripVTControlCharacters(stdout).trimEnd().split('\n')
    expect(lines[0]?.split(/ {2,}/)).toEqual(['created_at (UTC)', 'code', 'customer', 'outcome', 'to_pay'])
    expect(lines[1]).toMatch(/^[\d-]+ [\d:]+ +GIFT-001 +shop-1001 +refused: gift_amount_exceeded$/)
    expect(lines[2]).toMatch(/^ {2}id {2}rf_\w+$/)
    // Of what was redeemed together, 200 were credits: the total is not an amount off.
    expect(lines.filter((_, at) => at % 2 === 1).map((line) => line.replace(/^\S+ \S+ +/, ''))).toEqual([
      expect.stringContaining('GIFT-001'),
      expect.stringMatching(/^GIFT-002 +200 credits +4300$/),
      expect.stringMatching(/^BEANS10 +500 off +4500$/),
      expect.stringMatching(/^700 in all +4300$/),
    ])
    expect(stderr).toBe(
      'left out, because the terminal has 80 columns: part_of; choose with --columns,\nor use --csv\n',
    )
  })

  test('says of rollbacks what was returned, and of points that they were points', async () => {
    const card = await promo('redemptions list --voucher CLUB-001 --csv --profile sandbox')
    const spent = ['redemptions', 'create', 'gift:GIFT-003=150', '--amount', '900', '--yes', '--json', '--query']
    const { stdout: id } = await promo([...spent, 'redemptions[0].id', ...onSandbox])
    await promo(['redemptions', 'rollback', JSON.parse(id), '--yes', ...onSandbox])
    await promo(['redemptions', 'rollback', JSON.parse(id), '--yes', ...onSandbox])

    const { stdout } = await promo('redemptions list --limit 2 --csv --columns code,kind,taken --profile sandbox')
    const { stdout: json } = await promo('redemptions list --limit 1 --json --profile sandbox')
    const { stdout: table } = await promo('redemptions list --limit 3 --profile sandbox', {
      terminal: { columns: 80 },
      env: { NO_COLOR: '1' },
    })

    expect(table.split('\n').slice(1, 7)).toEqual([
      expect.stringMatching(/ GIFT-003 {2}rollback refused: already_rolled_back +750$/),
      expect.stringMatching(/^ {2}id {2}rrf_\w+$/),
      expect.stringMatching(/ GIFT-003 {2}rolled back: -150 credits +900$/),
      expect.stringMatching(/^ {2}id {2}rr_\w+$/),
      expect.stringMatching(/ GIFT-003 {2}150 credits, rolled back +750$/),
      expect.stringMatching(/^ {2}id {2}r_\w+$/),
    ])
    expect(card.stdout).toContain(',redemption,60 points,')
    expect(stdout).toBe("voucher.code,kind,taken\nGIFT-003,refused rollback,\nGIFT-003,rollback,'-150 credits\n")
    expect(JSON.parse(json)[0]).not.toHaveProperty('taken')
  })

  test('lists those of today and of yesterday, which are days of the project', async () => {
    const now = Date.parse('2026-03-21T23:30:00Z')
    const list = ['redemptions', 'list', '--jsonl', '--query', 'id', ...onSandbox]
    const ran = async (timeZone: string, ...when: string[]) => {
      const { stdout } = await promo([...list, ...when], { now: () => now, env: { PROMO_TIMEZONE: timeZone } })
      return stdout.split('\n').filter((id) => id !== '').length
    }

    expect(await ran('UTC', '--created-after', 'today', '--created-before', '2026-04-01')).toBe(1)
    expect(await ran('Asia/Tokyo', '--created-after', 'today', '--created-before', '2026-04-01')).toBe(0)
    expect(await ran('Asia/Tokyo', '--created-after', 'yesterday', '--created-before', 'today')).toBe(1)
  })

  test('finds the redemptions of an order by the id of the shop', async () => {
    const find = ['redemptions', 'list', '--jsonl', '--query', '{id: id, order: order.source_id}', '--order-id']

    const { stdout } = await promo([...find, 'northlight-2006', ...onSandbox])
    const unknown = await promo([...find, 'no-such-order', ...onSandbox])

    expect(JSON.parse(stdout)).toEqual({ id: 'r_19b8d627a800000006', order: 'northlight-2006' })
    expect(unknown).toMatchObject({ exitCode: 3, stdout: '' })
    expect(unknown.stderr).toContain('no-such-order')
  })
})

describe('redemptions create --from', () => {
  const fromStdin = ['redemptions', 'create', '--from', '-', '--customer', 'source_id=shop-1001']
  const sales =
    'code,order.amount,metadata.till\nBEANS10,5000,1\nBEANS10,3200,2\ngift:GIFT-001=1500,5000,\nNO-SUCH,100,\n'

  test('redeems each row on its own, equal codes too, and reports those that are refused', async () => {
    const { exitCode, stdout } = await promo([...fromStdin, '--yes', '--json', ...onSandbox], { stdin: sales })

    const outcomes = JSON.parse(stdout) as { state: string; answer?: { redemptions: object[]; order: object } }[]
    expect(exitCode).toBe(3)
    expect(outcomes.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'failed'])
    expect(outcomes[1]?.answer?.redemptions).toMatchObject([
      { customer: { source_id: 'shop-1001' }, metadata: { till: 2 }, result: 'SUCCESS' },
    ])
    expect(outcomes[2]?.answer?.redemptions).toMatchObject([{ amount: 1500 }])
  })

  test.each([
    ['redemptions create --amount 500', 'code,customer\nBEANS10,shop-1001\n', { customer: { source_id: 'shop-1001' } }],
    ['events send', 'event,customer\ncupping_attended,shop-1001\n', { customer: { source_id: 'shop-1001' } }],
    ['events send', '{"event":"cupping_attended","customer":"shop-1001"}\n', { customer: { source_id: 'shop-1001' } }],
    ['events send', 'event,customer\ncupping_attended,"{""id"":""cust_1""}"\n', { customer: { id: 'cust_1' } }],
    ['redemptions create', 'code,customer\nBEANS10,\n', {}],
  ])('takes a text in the place of a customer for the source id: %s %j', async (words, stdin, expected) => {
    const line = [...words.split(' '), '--from', '-', '--dry-run', '--json', '--query', '[0].body', ...onSandbox]

    const { stdout, stderr } = await promo(line, { stdin })

    const { customer } = JSON.parse(stdout)
    expect(customer === undefined ? {} : { customer }, stderr).toEqual(expected)
  })

  test('redeems the code of each row after the redeemables of --body, --set and the row', async () => {
    const plan = async (flags: string[], stdin: string) => {
      const { stdout } = await promo([...fromStdin, ...flags, '--dry-run', '--json', ...onSandbox], { stdin })
      return (JSON.parse(stdout) as { body: { redeemables: { id: string }[] } }[]).map(({ body }) =>
        body.redeemables.map(({ id }) => id),
      )
    }
    const first = { object: 'promotion_tier', id: 'promo_1' }
    const rows = 'code\nBEANS10\nMORNING\n'

    expect(await plan(['--body', JSON.stringify({ redeemables: [first] })], rows)).toEqual([
      ['promo_1', 'BEANS10'],
      ['promo_1', 'MORNING'],
    ])
    const line = JSON.stringify({ code: 'BEANS10', redeemables: [first] })
    expect(await plan(['--input-format', 'jsonl'], line)).toEqual([['promo_1', 'BEANS10']])
  })

  test('asks before it redeems, with the number of rows', async () => {
    expect(await promo([...fromStdin, ...onSandbox], { stdin: sales })).toEnd(
      11,
      /redeem 3 codes, in 4 rows in project \w+ of profile "sandbox"\?/,
    )
  })
})

describe('a refusal for which the shop has words of its own', () => {
  const said = 'Only for orders above 1,000 EUR'
  const words = `the order does not meet its rules: ${said}`
  const cart = ['RULED', '--amount', '500', ...onSandbox]

  beforeEach(async () => {
    const conditions = { $more_than: [100_000] }
    const rules = { 1: { name: 'order.amount', conditions, error: { message: said } }, logic: '1' }
    const body = JSON.stringify({ name: 'Large orders', type: 'basic', rules })
    const rule = await told(['api', 'POST', '/v1/validation-rules', '--yes', '--body', body])
    const discount = { type: 'PERCENT', percent_off: 10 }
    const voucher = { type: 'DISCOUNT_VOUCHER', discount, validation_rules: [(rule as { id: string }).id] }
    await promo(['vouchers', 'create', 'RULED', '--body', JSON.stringify(voucher), ...onSandbox])
  })

  test('a refused redemption shows them after the words for its key', async () => {
    const { exitCode, stderr } = await promo(['redemptions', 'create', ...cart])
    const json = await promo(['redemptions', 'create', ...cart, '--json'])

    expect(exitCode).toBe(3)
    expect(stderr).toContain(`the service refused redemptions.create (400 order_rules_violated: ${words}; `)
    expect(JSON.parse(json.stderr.trimEnd().split('\n').at(-1) ?? '').error.api).toMatchObject({
      key: 'order_rules_violated',
      custom_message: said,
    })
  })

  test('a validation shows them in the table and explained', async () => {
    const table = await promo(['validate', 'redeemables', ...cart])
    const explained = await promo(['validate', 'redeemables', ...cart, '--explain'])

    expect(table.stdout).toContain(`${words} (order_rules_violated`)
    expect(explained.stdout).toContain(`  ${words}; rule "Large orders", val_`)
  })
})

describe('publications create', () => {
  const publish = ['publications', 'create', '--customer', 'source_id=guest-7,name=Ann']

  test('gives any free code of a campaign, and stores who got it', async () => {
    const argv = [...publish, ...'--campaign Welcome --channel counter --source-id till-1 --metadata desk=2'.split(' ')]

    expect(await told(argv)).toMatchObject({
      customer: { source_id: 'guest-7', name: 'Ann' },
      voucher: { campaign: 'Welcome' },
      channel: 'counter',
      source_id: 'till-1',
      metadata: { desk: 2 },
    })
  })

  test('gives a certain code, and several codes of a campaign', async () => {
    const plan = await told([...publish, '--campaign', 'Welcome', '--count', '2', '--no-join-once', '--dry-run'])

    expect(await told([...publish, '--voucher', 'MORNING'])).toMatchObject({ voucher: { code: 'MORNING' } })
    expect(plan).toMatchObject([{ body: { campaign: { name: 'Welcome', count: 2 } } }])
    expect((plan as { url: string }[])[0]?.url).toContain('?join_once=false')
  })
})

describe('publications create --from', () => {
  const fromStdin = ['publications', 'create', '--from', '-', '--yes', '--jsonl']
  const outcomes = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { t: string; state?: string; publication?: unknown })
      .filter(({ t }) => t === 'item')

  test.each([
    ['CSV', 'csv', 'customer,channel,metadata.desk\nshop-1001,mail,2\nguest-8,,3\n'],
    [
      'JSON Lines',
      'jsonl',
      '{"customer":{"source_id":"shop-1001"},"channel":"mail","metadata":{"desk":2}}\n{"customer":"guest-8","metadata":{"desk":3}}\n',
    ],
  ])('gives each customer of %s a free code of the campaign', async (_, format, stdin) => {
    const argv = [...fromStdin, '--input-format', format, '--campaign', 'Welcome', '--channel', 'counter', ...onSandbox]

    const { exitCode, stdout, stderr } = await promo(argv, { stdin })

    expect(exitCode, stderr).toBe(0)
    expect(outcomes(stdout)).toMatchObject([
      { state: 'ok', publication: { customer: { source_id: 'shop-1001' }, channel: 'mail', metadata: { desk: 2 } } },
      { state: 'ok', publication: { customer: { source_id: 'guest-8' }, channel: 'counter', metadata: { desk: 3 } } },
    ])
  })

  test('sends nothing twice after a lost answer, not even when the job is run again', async () => {
    await using server = await scriptedServer([{ do: 'reset' }])
    const argv = [...fromStdin, '--campaign', 'Welcome']
    const options = { env: server.env, stdin: 'customer\nshop-1001\n' }

    const { exitCode, stdout } = await promo(argv, options)
    const { exitCode: again } = await promo(argv, options)

    expect([exitCode, outcomes(stdout)]).toMatchObject([6, [{ state: 'unknown' }]])
    expect([again, server.asked.length]).toEqual([6, 1])
  })

  test.each([
    ['one', ['publications', 'create', '--customer', 'source_id=guest-7', '--source-id', 'mail-1']],
    ['a row', ['publications', 'create', '--from', '-', '--yes']],
  ])('%s whose answer was lost is proved by its source id, and sent once', async (_, argv) => {
    const there = { id: 'pub_1', object: 'publication', source_id: 'mail-1', result: 'SUCCESS' }
    let sent = 0
    await using server = await scriptedServer(({ method, url }) => {
      if (method === 'POST') {
        sent += 1
        return { do: 'reset' }
      }
      const data = sent > 0 && url.includes('source_id=mail-1') ? [there] : []
      return answer(200, { object: 'list', data_ref: 'publications', publications: data, total: data.length })
    })
    const options = { env: server.env, stdin: 'customer,source_id\nguest-7,mail-1\n' }

    const { exitCode, stderr } = await promo([...argv, '--campaign', 'Welcome'], options)

    expect([exitCode, sent], stderr).toEqual([0, 1])
  })

  test('is found by its source id', async () => {
    const create = ['publications', 'create', '--customer', 'source_id=guest-7', '--campaign', 'Welcome']
    await promo([...create, '--source-id', 'mail-2', ...onSandbox])
    await promo([...create, '--no-join-once', ...onSandbox])

    expect(await told(['publications', 'list', '--source-id', 'mail-2', '--query', '[].source_id'])).toEqual(['mail-2'])
  })

  test('is not repeated for a file that is done, and says how to repeat it', async () => {
    const argv = [...fromStdin.slice(0, -1), '--campaign', 'Welcome', ...onSandbox]
    const options = { stdin: 'customer\nshop-1003\n' }
    await promo(argv, options)

    const ran = await promo(argv, options)

    expect(ran).toEnd(0, /^nothing left to do: .*; --restart gives a code to them again, and they count twice$/m)
  })

  test('takes the code that a row names instead of one of the campaign, and refuses a row with neither', async () => {
    const stdin = 'customer.source_id,voucher\nguest-9,MORNING\n'
    const given = await promo([...fromStdin, '--campaign', 'Welcome', ...onSandbox], { stdin })
    const refused = await promo([...fromStdin, '-v', ...onSandbox], { stdin: 'customer\nshop-1001\n' })

    expect(outcomes(given.stdout)).toMatchObject([{ publication: { voucher: { code: 'MORNING' } } }])
    expect(refused).toSendNothing(2, 'line 2: names no code and no campaign; --campaign NAME is that of all rows')
  })
})
