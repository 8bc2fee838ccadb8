import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { testProjects } from '../support/projects.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Action, answer, scriptedServer } from '../support/scripted-server.ts'
import { transcripts } from '../support/transcripts.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)

beforeAll(async () => {
  await promo('profiles use sandbox')
})

const validate = (...argv: (string | string[])[]) => promo(['validate', 'redeemables', ...argv.flat()])

describe('validate redeemables', () => {
  transcripts(promo)(String.raw`
    # one that applies is one row, with its discount and reason
    $ validate redeemables BEANS10 --amount 5000
    > /\nBEANS10 +voucher +APPLICABLE +500 +4500 +10% off the order, at most 1500\n/
    !=
    # a validation that fails exits 12 and shows the reason for each redeemable
    $ validate redeemables SORRY5 NOPE BEANS10 --amount 5000 --csv --columns id,status,result.error.key,why => 12
    = id,status,result.error.key,why
    = SORRY5,APPLICABLE,,"500 off the order; not applied, because the validation as a whole failed"
    = NOPE,INAPPLICABLE,not_found,there is no such voucher (not_found)
    = BEANS10,SKIPPED,,"not evaluated, because voucher NOPE failed"
    # an amount after a code that is none is answered with how amounts are given
    $ validate redeemables CLUB-006=50 A=B --amount 5000 --csv --columns id,why => 12
    > CLUB-006=50,"there is no such voucher; credits of a gift card are given as gift:CLUB-006=50, a reward of a loyalty card as card:CLUB-006=REWARD_ID (not_found)"
    > A=B,"not evaluated
    $ validate redeemables tier:X=5 --amount 5000 --csv --columns why => 12
    = why
    = there is no such promotion tier (not_found)
    # JSON and JSON Lines are the service's own complete answer, to which a query applies, in a table too
    $ validate redeemables BEANS10 --amount 5000 --json
    json {"valid": true, "order": {"amount": 5000, "total_amount": 4500}, "stacking_rules": {"redeemables_limit": 30}}
    $ validate redeemables BEANS10 --amount 5000 --jsonl
    rows 1
    $ validate redeemables BEANS10 --amount 5000 --query order.total_amount
    = 4500
    # a key alone continues its lock
    $ validate redeemables A --session-key till-4 --session-ttl 5 --dry-run --json --query [0].body.session
    json = {"type": "LOCK", "key": "till-4", "ttl": 5}
    # with a session is a write: it names its target, and the lock it created
    $ validate redeemables WELCOME-001 --amount 5000 --session-type LOCK
    ! /^profile sandbox \(from .*\n(?:.*\n)*locked under the session ssn_\w+\n$/
  `)

  test('flags build the request: gift credits, order lines, customer, metadata, expansions, tracking', async () => {
    const { stdout } = await validate(
      'gift:GIFT-001=1500 tier:promo_1 card:CLUB-001=rew_1:20 --item product=prod_1,quantity=2,price=1500'.split(' '),
      ['--item', 'sku_id=sku_1,quantity=1,metadata.note=a,b', '--customer', 'source_id=ada,metadata.tier=gold'],
      ['--metadata', 'till=4', '--metadata', 'shop=a,b', '--expand', 'order,redeemable', '--tracking-id', 'ada'],
      ['--dry-run', '--json'],
    )

    expect(JSON.parse(stdout)[0].body).toEqual({
      customer: { source_id: 'ada', metadata: { tier: 'gold' } },
      order: {
        items: [
          { product_id: 'prod_1', quantity: 2, price: 1500 },
          { sku_id: 'sku_1', quantity: 1, metadata: { note: 'a,b' } },
        ],
      },
      metadata: { till: 4, shop: 'a,b' },
      redeemables: [
        { object: 'voucher', id: 'GIFT-001', gift: { credits: 1500 } },
        { object: 'promotion_tier', id: 'promo_1' },
        { object: 'voucher', id: 'CLUB-001', reward: { id: 'rew_1', points: 20 } },
      ],
      options: { expand: ['order', 'redeemable'] },
      tracking_id: 'ada',
    })
  })

  test('flags win over --set, and --set wins over --body', async () => {
    const body =
      '{"redeemables":[{"object":"voucher","id":"A"}],"order":{"amount":1,"status":"PAID"},"metadata":{"a":1,"b":1},"customer":{"id":"c","metadata":{"x":1}}}'

    const { stdout } = await validate(
      ['B', '--body', body, '--set', 'metadata.a=2', '--amount', '3', '--set', 'order.amount=2'],
      ['--customer', 'name=Ada', '--customer', 'metadata.tier=gold', '--metadata', 'b=3', '--dry-run', '--json'],
    )

    expect(JSON.parse(stdout)[0].body).toEqual({
      redeemables: [
        { object: 'voucher', id: 'A' },
        { object: 'voucher', id: 'B' },
      ],
      order: { amount: 3, status: 'PAID' },
      metadata: { a: 2, b: 3 },
      customer: { id: 'c', name: 'Ada', metadata: { x: 1, tier: 'gold' } },
    })
  })

  test.each([
    ['an unknown field of a line', ['A', '--item', 'colour=red'], 'has no field "colour"'],
    ['a line that is no pairs', ['A', '--item', 'prod_1'], '--item "prod_1" does not have the form name=value'],
    ['a price in words', ['A', '--item', 'product=p,price=cheap'], '"price" takes a whole number'],
    ['an unknown expansion', ['A', '--expand', 'everything'], 'options.expand[0]'],
    ['a query that does not parse', ['A', '--query', 'a['], 'the query "a[" cannot be used'],
    ['a session type that does not exist', ['A', '--session-type', 'OPEN'], 'LOCK'],
    ['expectations without carts', ['A', '--expect', 'x.csv'], '--from'],
    ['redeemables beside a file', ['A', '--from', 'x.jsonl'], 'not both'],
  ])('%s is wrong usage, found before any request', async (_, argv, message) => {
    const ran = await validate(...argv, '--verbose')

    expect(ran).toEnd(2, message)
    expect([ran.stdout, ran.stderr]).toEqual(['', expect.not.stringContaining('> POST')])
  })
})

describe('validate redeemables --explain', () => {
  test('breaks a long reason between words on a terminal, and nowhere else', async () => {
    const line = ['validate', 'redeemables', 'BEANS10', '--amount', '1500', '--explain', '--profile', 'sandbox']

    const [narrow, piped] = [await promo(line, { terminal: { columns: 80 } }), await promo(line)]

    expect(narrow.stdout).toMatch(/^ {2}the order does not meet its rules: .*\n {2}\S.*\(order_rules_violated\)$/m)
    for (const text of narrow.stdout.split('\n')) expect(text.length).toBeLessThanOrEqual(80)
    expect(piped.stdout).toMatch(/^ {2}the order does not meet its rules: .*\(order_rules_violated\)$/m)
  })

  transcripts(promo)(`
    # explains each redeemable in words and the order as a waterfall
    $ validate redeemables gift:GIFT-001=1500 SORRY5 --item product=prod_1,quantity=2,price=1500 --explain
    = valid: in this project every redeemable must apply
    =
    = voucher GIFT-001: APPLICABLE
    =   pays 1500 of gift credit, of a balance of 5000
    =
    = voucher SORRY5: APPLICABLE
    =   500 off the order
    =
    = initial amount           3000
    = voucher GIFT-001  -1500  1500
    = voucher SORRY5     -500  1000
    = total                    1000
    # with JSON the words go to stderr, and stdout has only the answer
    $ validate redeemables XMAS2025 --amount 5000 --json --explain => 12
    json {"valid": false}
    ! it has expired (voucher_expired)
    ! The service calculated no order.
  `)
})

describe('validate redeemables with a session', () => {
  test.each([
    ['without a key is never sent twice: its outcome is unknown, exit 6', ['--session-type', 'LOCK'], 6, 1],
    ['with a key is sent again', ['--session-key', 'till-4'], 0, 2],
    ['that is absent makes it a read, which is sent again', [], 0, 2],
  ])('one %s', async (_, flags, code, requests) => {
    const good = answer(200, { valid: true, redeemables: [], stacking_rules: {} })
    await using server = await scriptedServer([{ do: 'reset' }, good])

    const { exitCode } = await promoIn(temporaryFolder())(['validate', 'redeemables', 'A', ...flags], {
      env: server.env,
    })

    expect(exitCode).toBe(code)
    expect(server.asked).toHaveLength(requests)
  })
})

describe('validate redeemables --from', () => {
  const carts = 'examples/carts.jsonl'
  const expected = 'examples/carts-expected.csv'
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  transcripts(promo)(String.raw`
    # carts that all match their expectations exit 0 and show nothing but what was taken off, and from whom the most
    $ validate redeemables --from examples/carts.jsonl --expect examples/carts-expected.csv
    =
    ! /^validated 4 carts: 4 as expected \(\d+\.\d s\); 2,500 off 2 carts, 1,250 on average, most off line 4 \(2,000 of 3,000, 67 %\), line 1 \(500 of 5,000, 10 %\)\n$/
    # without expectations a cart that is not valid exits 12
    $ validate redeemables --from examples/carts.jsonl --csv --columns line,valid,statuses => 12
    = line,valid,statuses
    = 1,true,APPLICABLE
    = 2,false,INAPPLICABLE
    = 3,false,APPLICABLE INAPPLICABLE SKIPPED
    = 4,true,APPLICABLE APPLICABLE
    # one cart can be read from stdin
    $ validate redeemables --from -
    < {"redeemables":[{"object":"voucher","id":"SORRY5"}],"order":{"amount":900}}
    ! validated 1 cart: 1 valid
    # --dry-run shows every request and sends nothing
    $ validate redeemables --from examples/carts.jsonl --dry-run --json --query length(@) --verbose
    = 4
    sends 0
  `)

  test('a cart that does not match is listed with the expected and the actual result, exit 12', async () => {
    const wrong = put('wrong.csv', readFileSync(expected, 'utf8').replace('1,true,500', '1,true,400'))

    const table = await validate('--from', carts, '--expect', wrong)
    const jsonl = await validate('--from', carts, '--expect', wrong, '--jsonl')

    expect(table.exitCode).toBe(12)
    expect(table.stdout.trimEnd().split('\n')).toHaveLength(2)
    expect(table.stdout).toContain('total_discount_amount: expected 400, got 500')
    const lines = jsonl.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0].mismatches).toEqual([{ field: 'total_discount_amount', expected: 400, got: 500 }])
    expect(lines.at(-1)).toMatchObject({ t: 'summary', total: 4, ok: 4, wrong: 1 })
    const worst = [
      { line: 4, amount: 3000, discount: 2000 },
      { line: 1, amount: 5000, discount: 500 },
    ]
    expect(lines.at(-1).discount).toEqual({ carts: 2, total: 2500, average: 1250, worst })
  })

  test.each(['csv', 'jsonl'])('the output of one run as %s is valid expectations for the next', async (format) => {
    const recorded = join(folder, `recorded.${format}`)
    await validate('--from', carts, '--format', format, '--out', recorded)

    expect((await validate('--from', carts, '--expect', recorded)).exitCode).toBe(0)
  })

  test('--coverage shows which conditions were met and not, and which redeemables were never asked for', async () => {
    const rows = async (...more: string[]) => {
      const { stdout, stderr } = await validate('--from', carts, '--coverage', '--csv', ...more)
      return { stderr, rows: stdout.trimEnd().split('\n').slice(1) }
    }

    const { rows: all, stderr } = await rows()

    expect(all).toEqual(
      expect.arrayContaining([
        'rules/orders-above-20-euros,1: order.amount $more_than 2000,1,1,0,both',
        'rules/orders-of-30-euros-and-more,1: order.amount $more_than_or_equal 3000,0,0,0,never asked',
        'campaigns/gift-cards,,1,0,0,always met',
        'campaigns/terrace-season/tiers/three-euros-for-readers,,0,0,0,never asked',
        'codes/BEANS10,,1,1,0,both',
      ]),
    )
    expect(stderr).toContain('1 of 4 conditions met and not met')
  })

  test('--coverage guesses nothing: what is counted elsewhere, and what the service decides otherwise, is unknown', async () => {
    const service = await testProjects({ demo: false })
    const { call, promo: promoOf } = service.first
    const ada = await call('POST', '/v1/customers', { source_id: 'ada' })
    await call('POST', '/v1/customers', { source_id: 'bob' })
    const segment = await call('POST', '/v1/segments', { name: 'Regulars', type: 'static', customers: [ada.id] })
    const conditions = [
      { name: 'customer.segment', conditions: { $is: [segment.id] } },
      { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [1] } },
      { name: 'order.amount', conditions: { $more_than: [1000] } },
    ]
    for (const [at, one] of conditions.entries()) {
      const rule = await call('POST', '/v1/validation-rules', { name: `Rule ${at}`, rules: { '1': one, logic: '1' } })
      const discount = { type: 'PERCENT', percent_off: 5 }
      const redemption = { quantity: 1 }
      await call('POST', `/v1/vouchers/CODE${at}`, {
        type: 'DISCOUNT_VOUCHER',
        discount,
        redemption,
        validation_rules: [rule.id],
      })
    }
    const cart = (at: number, source_id: string, more: object = {}) =>
      JSON.stringify({
        redeemables: [{ object: 'voucher', id: `CODE${at}` }],
        customer: { source_id },
        order: { amount: 5000 },
        ...more,
      })
    // Somebody holds the last code, which only the service knows.
    await call('POST', '/v1/validations', JSON.parse(cart(2, 'ada', { session: { type: 'LOCK', key: 'held' } })))
    const suite = [cart(0, 'ada'), cart(0, 'bob'), cart(0, 'new'), cart(1, 'ada'), cart(2, 'bob')]

    const { stdout } = await promoOf([
      ...'validate redeemables --from'.split(' '),
      put('own.jsonl', suite.join('\n')),
      '--coverage',
      '--json',
    ])
    await service.close()

    const rows = JSON.parse(stdout) as { condition: string | null; object: string }[]
    expect(rows.filter(({ condition }) => condition !== null)).toMatchObject([
      { object: 'rules/rule-0', met: 1, not_met: 1, unknown: 1, result: 'both' },
      { object: 'rules/rule-1', met: 0, not_met: 0, unknown: 1, result: 'unknown' },
      { object: 'rules/rule-2', met: 0, not_met: 0, unknown: 1, result: 'unknown' },
    ])
    expect(rows.at(-1)).toMatchObject({ object: 'codes/CODE2', met: 0, not_met: 1, result: 'never met' })
  })

  test.each([
    ['no cart at all', '\n\n', 'has only blank lines'],
    ['a line that is no JSON', '{"redeemables":[}\n', 'line 1, column 17'],
    ['a line that is no object', '["A"]\n', 'line 1: is not an object'],
    ['a body the contract refuses', '{"redeemables":[]}\n', 'line 1: the body is not valid'],
  ])('%s is bad input, found before any request', async (_, text, message) => {
    expect(await validate('--from', put('bad.jsonl', text), '--verbose')).toSendNothing(2, message)
  })

  const lockOfA = '{"redeemables":[{"object":"voucher","id":"A"}],"session":{"type":"LOCK"}}\n'

  test('carts with locks are confirmed before anything is sent', async () => {
    const ran = await promo(`validate redeemables --from ${put('locks.jsonl', lockOfA)} --no-input -v`)

    expect(ran).toSendNothing(11, 'lock what applies in 1 cart')
  })

  describe('is the same run as that of every bulk command', () => {
    const question = '{"redeemables":[{"object":"voucher","id":"A"}]}\n'
    const lock = lockOfA
    const confirmed = answer(200, { valid: true, redeemables: [], stacking_rules: {} })
    const refused = answer(400, { code: 400, key: 'invalid_payload', message: 'no', details: 'no' })

    async function validated(
      text: string,
      script: Parameters<typeof scriptedServer>[0],
      more: string[] = [],
      options: Parameters<typeof promo>[1] = {},
    ) {
      await using server = await scriptedServer(script)
      const own = temporaryFolder()
      const path = join(own, 'carts.jsonl')
      writeFileSync(path, text)
      const env = server.env
      const line = ['validate', 'redeemables', '--from', path, '--concurrency', '1', '--yes', ...more]
      const ran = await promoIn(own)(line, { ...options, env })
      return { ...ran, own, requests: server.asked.length }
    }

    test('stops after a hundred refused carts, as --max-errors says', async () => {
      const { exitCode, stderr, requests } = await validated(question.repeat(151), (_, index) =>
        index === 0 ? confirmed : refused,
      )

      expect(requests).toBe(102)
      expect({ exitCode, stderr }).toEnd(
        7,
        'validated 151 carts: 1 valid, 101 refused, 49 not attempted',
        'too many rows went wrong (--max-errors)',
      )
    })

    test('stops when the first ten carts are all refused for the same reason', async () => {
      const { exitCode, requests } = await validated(question.repeat(12), [refused])

      expect([exitCode, requests]).toEqual([7, 10])
    })

    test('never sends twice a cart whose lock has no key: its outcome is unknown', async () => {
      const { exitCode, requests } = await validated(lock, [{ do: 'reset' }])

      expect([exitCode, requests]).toEqual([6, 1])
    })

    test('ends with the exit code of its unknown rows when an error ends it', async () => {
      const ran = await validated(lock.repeat(3), [
        { do: 'reset' },
        answer(401, { code: 401, key: 'unauthorized', message: 'no', details: 'no' }),
      ])

      expect(ran).toEnd(6, 'the service refused validations.validate (401')
    })

    test('reports the results of the carts when its end mark cannot be written', async () => {
      let isGone = false
      const own = temporaryFolder()
      const ran = await validated(
        question,
        (): Action => {
          rmSync(join(own, 'job.sqlite'))
          isGone = true
          return confirmed
        },
        ['--journal', own],
        { now: () => Date.now() + (isGone ? 5000 : 0) },
      )

      expect(ran).toEnd(9, /validated 1 cart: 1 valid .*\n.*the journal is damaged: its file was moved or removed/s)
    })

    test('keeps the heap close to the size of live objects', async () => {
      const told = vi.spyOn(process.getBuiltinModule('node:v8'), 'setFlagsFromString').mockReturnValue()

      await validated(question, [confirmed])

      expect(told).toHaveBeenCalledWith('--heap-growing-percent=50')
      told.mockRestore()
    })

    test('has the summary record of every bulk command', async () => {
      const { own, stdout } = await validated(
        question + lock.repeat(2),
        [confirmed, refused, { do: 'reset' }],
        ['--jsonl'],
      )
      const disabled = await promoIn(own)(['vouchers', 'disable', 'A', '--jsonl', '--profile', 'sandbox'])

      const [carts, vouchers] = [stdout, disabled.stdout].map((text) =>
        JSON.parse(text.trim().split('\n').at(-1) ?? ''),
      )
      expect(Object.keys(carts)).toEqual([...Object.keys(vouchers), 'discount'])
      expect(carts).toMatchObject({ verb: 'validate', total: 3, ok: 1, failed: 1, unknown: 1, wrong: 2, shard: null })
    })

    test('shows the header of its columns when nothing is left to do', async () => {
      const { own } = await validated(question, [confirmed])
      await using server = await scriptedServer([confirmed])
      const [{ id }] = JSON.parse((await promoIn(own)(['jobs', 'list', '--json'], { env: server.env })).stdout)

      const { exitCode, stdout } = await promoIn(own)(['jobs', 'resume', id, '--csv'], { env: server.env })

      expect(exitCode).toBe(0)
      expect(stdout).toMatch(/^line,state,valid,total_discount_amount,/)
      expect(server.asked).toHaveLength(0)
    })
  })

  describe('as a job', () => {
    const invalid = '{"redeemables":[{"object":"voucher","id":"NO-SUCH"}]}\n'
    const valid = '{"redeemables":[{"object":"voucher","id":"SORRY5"}],"order":{"amount":900}}\n'
    const own = () => promoIn(temporaryFolder())
    const onSandbox = ['--profile', 'sandbox']

    test('continues where it stopped, and still reports the carts that failed before', async () => {
      const run = own()
      const many = put('many.jsonl', invalid + valid.repeat(60))
      const line = ['validate', 'redeemables', '--from', many, '--jsonl', '--concurrency', '1', ...onSandbox]
      const first = await run(line, { onStdout: (_, stop) => stop('SIGINT') })

      const second = await run(line)
      const jobs = JSON.parse((await run(['jobs', 'list', '--json'])).stdout)

      const summary = JSON.parse(second.stdout.trimEnd().split('\n').at(-1) ?? '')
      expect([first.exitCode, second.exitCode]).toEqual([130, 12])
      expect(first.stderr).toContain('resume with: promo jobs resume')
      expect(summary).toMatchObject({ t: 'summary', job: jobs[0].id, total: 61, ok: 61, wrong: 1 })
      expect(summary.before).toBeGreaterThan(0)
      expect(second.stderr).toContain('validated 61 carts: 60 valid, 1 not')
      expect(jobs).toMatchObject([{ command: 'validate redeemables', state: 'finished' }])
    })

    test('that is resumed compares with its original expectations, and reports the result when it is complete', async () => {
      const run = own()
      const many = put('expected.jsonl', valid.repeat(40))
      const recorded = put(
        'expected.csv',
        `line,valid\n${Array.from({ length: 40 }, (_, at) => `${at + 1},false\n`).join('')}`,
      )
      const line = ['validate', 'redeemables', '--from', many, '--expect', recorded, '--jsonl', '--concurrency', '1']
      await run([...line, ...onSandbox], { onStdout: (_, stop) => stop('SIGINT') })
      const [{ id }] = JSON.parse((await run(['jobs', 'list', '--json'])).stdout)

      const resumed = await run(['jobs', 'resume', id, '--csv', '--columns', 'mismatch'])
      const again = await run(['jobs', 'resume', id])
      const shown = JSON.parse((await run(['jobs', 'show', id, '--json'])).stdout)

      expect([resumed.exitCode, again.exitCode]).toEqual([12, 12])
      expect(resumed.stdout.split('\n')[1]).toBe('"valid: expected false, got true"')
      expect(again.stderr).toContain('validated 40 carts: 0 as expected, 40 not')
      expect(shown.errors).toMatchObject([{ key: 'not_as_expected', rows: 40, line: 40 }])
    })

    test('is not continued with different expectations', async () => {
      const run = own()
      const many = put('other.jsonl', valid.repeat(40))
      const recorded = put('other.csv', 'line,valid\n1,true\n')
      const line = ['validate', 'redeemables', '--from', many, '--expect', recorded, '--jsonl', '--concurrency', '1']
      await run([...line, ...onSandbox], { onStdout: (_, stop) => stop('SIGINT') })
      put('other.csv', 'line,valid\n1,false\n')

      expect((await run([...line, ...onSandbox])).exitCode).toBe(9)
    })

    test('reports the problem of each cart, and the report is itself an input of carts', async () => {
      const run = own()
      await run(['validate', 'redeemables', '--from', put('report.jsonl', invalid + valid), ...onSandbox])
      const [{ id }] = JSON.parse((await run(['jobs', 'list', '--json'])).stdout)
      const report = await run(['jobs', 'report', id, '--jsonl'])

      const again = await run(['validate', 'redeemables', '--from', put('again.jsonl', report.stdout), ...onSandbox])

      expect(
        report.stdout
          .split('\n')
          .slice(0, 2)
          .map((line) => JSON.parse(line)),
      ).toMatchObject([
        { promo_line: 1, promo_state: 'ok', promo_error: 'not_valid', promo_message: 'the cart is not valid' },
        { promo_line: 2, promo_state: 'ok', promo_error: null },
      ])
      expect(again.stderr).toContain('validated 2 carts: 1 valid, 1 not')
    })

    test('with a lock that has no key is never restarted by accident', async () => {
      const run = own()
      const locks = put(
        'once.jsonl',
        '{"redeemables":[{"object":"voucher","id":"SORRY5"}],"session":{"type":"LOCK"},"order":{"amount":900}}\n',
      )
      const line = ['validate', 'redeemables', '--from', locks, '--yes', ...onSandbox]
      await run(line)

      const { exitCode, stderr } = await run([...line, '--verbose'])

      expect(exitCode).toBe(0)
      expect(stderr).toMatch(
        /nothing left to do: job \S+ validated these rows on .* UTC; --restart validates them again/,
      )
      expect(stderr).not.toContain('> POST')
    })
  })
})

describe('validate promotions', () => {
  const promotions = (...argv: (string | string[])[]) => promo(['validate', 'promotions', ...argv.flat()])

  transcripts(promo)(String.raw`
    # lists the tiers that apply, each on its own
    $ validate promotions --amount 5000 --csv --columns name,discount_amount,order.total_amount
    > /^Ten percent from 40 euros,500,4500$/m
    # exits 12 when none applies: an empty table, the answer in JSON, words with --explain
    $ validate promotions --amount 1 => 12
    =
    != no promotion applies
    $ validate promotions --amount 1 --json => 12
    json = {"valid": false, "promotions": []}
    $ validate promotions --amount 1 --explain => 12
    > No promotion applies.
    # --explain shows the discount of each
    $ validate promotions --amount 5000 --explain
    > /\(Ten percent from 40 euros\)\n {2}10% off the order\n {2}5000 less 500 is 4500\n/
    # --audience-rules-only and --filter go into the query
    $ validate promotions --amount 5000 --audience-rules-only --filter promotion_id=promo_1,promo_2 --verbose => 12
    ! /v1/promotions/validation?audienceRulesOnly=true&filters%5Bpromotion_id%5D%5Bconditions%5D%5B%24in%5D%5B0%5D=promo_1&filters%5Bpromotion_id%5D%5Bconditions%5D%5B%24in%5D%5B1%5D=promo_2
  `)

  test.each([
    ['a filter without a value', ['--filter', 'promotion_id'], 'does not have the form field=value'],
    ['an unknown field of the body', ['--set', 'basket=1'], 'basket'],
    ['columns of JSON', ['--json', '--columns', 'id'], '--columns shapes a table or CSV'],
  ])('%s is wrong usage, found before any request', async (_, argv, message) => {
    expect(await promotions(...argv, '--verbose')).toSendNothing(2, message)
  })
})
