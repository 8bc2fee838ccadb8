import { beforeEach, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

let promo: ReturnType<typeof promoIn>
const onSandbox = ['--profile', 'sandbox']
const add = ['loyalty', 'points', 'add']

beforeEach(() => {
  promo = promoIn(temporaryFolder())
})

async function told(argv: string[]): Promise<unknown> {
  return JSON.parse((await promo([...argv, '--json', ...onSandbox])).stdout)
}

const newest = (card: string) =>
  told([
    ...'loyalty transactions list --card'.split(' '),
    card,
    ...'--limit 1 --query'.split(' '),
    '[0].[type, reason, source_id, details.balance.points]',
  ])

describe('points', () => {
  test('are added to a card after a question that names points, card and profile', async () => {
    const argv = [...add, 'CLUB-001', '--points', '50', '--reason', 'Order 2001', '--columns', 'balance']
    const { exitCode, stdout, stderr } = await promo([...argv, ...onSandbox], {
      terminal: { columns: 200 },
      answers: [[/\(y\/N\)/, 'y\r']],
    })

    expect(exitCode).toBe(0)
    expect(stderr).toMatch(
      /add 50 points to loyalty card CLUB-001 of [A-Z][a-z]+ [A-Z][a-z]+, \d+ → \d+ in project \S+ of profile "sandbox"\?/,
    )
    expect(stderr).not.toContain('cannot be undone')
    expect(stdout).toContain('132')
    expect(await newest('CLUB-001')).toEqual(['POINTS_ADDITION', 'Order 2001', null, 50])
  })

  test('are taken off with their sign turned, and never below zero', async () => {
    const remove = ['loyalty', 'points', 'remove', 'CLUB-001', '--yes', '--points']

    expect(await told([...remove, '32', '--source-id', 'ticket-7'])).toMatchObject({ points: -32, balance: 50 })
    expect(await newest('CLUB-001')).toEqual(['POINTS_REMOVAL', null, 'ticket-7', -32])
    expect((await promo([...remove, '51', ...onSandbox])).stderr).toContain('loyalty_card_points_exceeded')
  })

  test('of a file are changed row by row, equal rows too, and the question has their sum', async () => {
    const stdin = 'code,points,reason\nCLUB-001,5,Late\nCLUB-001,5,Late\nCLUB-002,,\n'
    const argv = [...add, '--from', '-', '--points', '7']

    const asked = await promo([...argv, ...onSandbox], { stdin })
    const planned = await promo([...argv, '--dry-run', ...onSandbox], { stdin })
    const { stdout, stderr } = await promo([...argv, '--yes', '--json', ...onSandbox], { stdin })

    expect(asked).toEnd(
      11,
      'add 17 points to 2 loyalty cards, in 3 changes, of which 1 row repeats another: "CLUB-001" (line 3) in project ',
    )
    expect(planned.stderr).toContain(
      'would add points to 2 loyalty cards, in 3 rows; 1 row repeats another: "CLUB-001" (line 3); nothing was sent',
    )
    expect(stderr).toContain('warning: 1 row repeats another: "CLUB-001" (line 3), and all of them count\n')
    expect(stderr).toContain('added points to 2 loyalty cards, in 3 rows (3 rows in ')
    expect(JSON.parse(stdout)).toMatchObject([
      { code: 'CLUB-001', state: 'ok', balance: { points: 5, balance: expect.any(Number) } },
      { code: 'CLUB-001', state: 'ok', balance: { points: 5 } },
      { code: 'CLUB-002', state: 'ok', balance: { points: 7 } },
    ])
    expect(await told(['loyalty', 'cards', 'get', 'CLUB-001', '--query', 'loyalty_card.balance'])).toBe(92)
  })

  test.each([
    ['add', '0', 'is not a whole number from 1'],
    ['add', '50.00', '"50.00" is not a whole number'],
    ['add', '-5', 'a whole number'],
  ])('cannot be what %s is given as %s', async (verb, points, says) => {
    const ran = await promo(`loyalty points ${verb} CLUB-001 --points=${points} --yes --profile sandbox`)

    expect(ran).toEnd(2, says)
    expect(ran.stderr).not.toContain('smallest unit')
  })

  test('of a row must be positive, because the command says in which direction', async () => {
    const stdin = 'code,points\nCLUB-001,-5\n'

    const ran = await promo([...add, '--from', '-', '--yes', ...onSandbox], { stdin })

    expect(ran).toEnd(2, 'line 2: "points" must be at least 1, not -5')
  })
})

describe('a change whose answer was lost', () => {
  const change = (id: string, source_id: string | null, points: number) => ({
    id,
    source_id,
    details: { balance: { points } },
  })
  const old = change('vtx_1', 'ticket-7', 50)

  async function losing(listedAfter: object[], argv: string[], what = ['C'], stdin?: string) {
    let writes = 0
    await using server = await scriptedServer(({ method }) => {
      if (method === 'GET') {
        const data = writes === 0 ? [old] : [...listedAfter, old]
        return answer(200, { object: 'list', data_ref: 'data', data, has_more: false })
      }
      writes += 1
      return { do: 'reset' }
    })
    const { exitCode, stderr } = await promo([...add, ...what, '--points', '50', '--yes', ...argv], {
      env: server.env,
      ...(stdin !== undefined && { stdin }),
    })
    return { exitCode, stderr, writes, reads: server.asked.length - writes }
  }

  test.each([
    ['one call', 'C', undefined, 'the answer was lost'],
    ['a row of a file', '--from -', 'code\nC\n', 'added points to 1 loyalty card'],
  ])('of %s is applied when a new transaction has its source id and its points', async (_, what, stdin, says) => {
    const listed = [change('vtx_3', 'other', 50), change('vtx_2', 'ticket-7', 50)]
    const ran = await losing(listed, ['--source-id', 'ticket-7'], what.split(' '), stdin)

    expect(ran).toEnd(0, says)
    expect(ran.writes).toBe(1)
  })

  test.each([
    ['no transaction is new', []],
    ['the new one has other points', [change('vtx_2', 'ticket-7', 49)]],
    ['the new one is of someone else', [change('vtx_2', 'other', 50)]],
    ['two new ones could be it', [change('vtx_3', 'ticket-7', 50), change('vtx_2', 'ticket-7', 50)]],
  ])('is unknown when %s, and is not sent again', async (_, listed) => {
    expect(await losing(listed, ['--source-id', 'ticket-7'])).toMatchObject({ exitCode: 6, writes: 1 })
  })

  test('is unknown without a source id, and no list is read', async () => {
    expect(await losing([change('vtx_2', null, 50)], [])).toMatchObject({ exitCode: 6, writes: 1, reads: 0 })
  })
})

describe('points on the move', () => {
  const transfer = ['loyalty', 'points', 'transfer', '--campaign', 'Bean Club']

  test('goes to the program of the card that gets the points, which is not asked for', async () => {
    const line = ['loyalty', 'points', 'transfer', 'CLUB-004', '--points', '20', ...onSandbox]
    const to = [...line, '--to', 'CLUB-002']

    const asked = await promo(line, {
      terminal: { columns: 400 },
      answers: [
        [/the card that gets the points/, 'CLUB-002\r'],
        [/\(y\/N\)/, 'y\r'],
      ],
    })
    const dry = await promo([...to, '--dry-run', '--json', '--query', '[0].path'])
    const none = await promo([...line, '--to', 'MORNING', '--yes'])
    const file = await promo([...line.slice(0, 3), '--from', '-', '--yes', ...onSandbox], {
      stdin: 'code,to,points\nCLUB-004,CLUB-002,1\n',
    })

    expect(asked).toEnd(0, 'CLUB-004 of Dmitri Volkov')
    expect(JSON.parse(dry.stdout)).toBe('/v1/loyalties/PROGRAM/members/CLUB-002/transfers')
    expect(dry.stderr).toContain('--campaign: the program of CLUB-002 is looked up before it is sent\n')
    expect(none).toEnd(3, 'promo: "MORNING" is in no program\n')
    expect(file).toEnd(2, 'promo: no program given\ntry: --campaign')
  })

  test('go from one card to another, and both transactions have the reason', async () => {
    const argv = [...transfer, 'CLUB-004', '--to', 'CLUB-002', '--points', '20', '--reason', 'Lost card']
    const asked = await promo([...argv, ...onSandbox])
    const outcome = await told([...argv, '--source-id', 'ticket-9', '--yes'])

    expect(asked.stderr).toContain('move 20 points from loyalty card CLUB-004 to CLUB-002 in project ')
    expect(outcome).toMatchObject([{ state: 'ok', receiver: { code: 'CLUB-002', loyalty_card: { balance: 138 } } }])
    expect(await newest('CLUB-004')).toEqual(['POINTS_TRANSFER_OUT', 'Lost card', 'ticket-9', -20])
    expect(await newest('CLUB-002')).toEqual(['POINTS_TRANSFER_IN', 'Lost card', 'ticket-9', 20])
  })

  test('of a file go from and to the cards of each row', async () => {
    const stdin = 'code,to,points\nCLUB-004,CLUB-002,20\nCLUB-003,CLUB-005,1\n'

    expect(await promo([...transfer, '--from', '-', '--yes', ...onSandbox], { stdin })).toEnd(0)
    expect(await newest('CLUB-005')).toEqual(['POINTS_TRANSFER_IN', null, expect.any(String), 1])
  })

  test.each([
    ['code,points\nCLUB-004,20\n', 'line 2: no card given that gets the points'],
    ['code,to\nCLUB-004,CLUB-002\n', 'line 2: no points given'],
    ['code,to,points,colour\nCLUB-004,CLUB-002,1,red\n', 'line 2: a transfer has no field "colour"'],
  ])('of a file %j are refused', async (stdin, says) => {
    expect(await promo([...transfer, '--from', '-', '--yes', ...onSandbox], { stdin })).toEnd(2, says)
  })
})

describe('credits', () => {
  test('are added to and taken off gift cards in the smallest unit', async () => {
    const card = ['GIFT-001', '--yes', '--amount']

    expect(await told(['vouchers', 'balance', 'add', ...card, '1500'])).toMatchObject({ amount: 1500, balance: 6500 })
    expect(await told(['vouchers', 'balance', 'remove', ...card, '500'])).toMatchObject({ amount: -500, balance: 6000 })
  })

  test('in major units are refused with the number that is meant', async () => {
    const argv = ['vouchers', 'balance', 'add']
    const flag = await promo([...argv, 'GIFT-001', '--amount', '50.00', '--yes', ...onSandbox])
    const cell = await promo([...argv, '--from', '-', '--yes', ...onSandbox], {
      stdin: 'code,amount\nGIFT-001,50.00\n',
    })

    expect([flag.exitCode, cell.exitCode]).toEqual([2, 2])
    expect(flag.stderr).toContain('smallest unit of the currency: 5000')
    expect(cell.stderr).toContain('smallest unit of the currency: 5000')
  })
})

describe('points that expire', () => {
  const expiring = ['loyalty', 'points', 'expiring', '--query', '[].[expires_at, bucket.total_points, status]']
  const give = (card: string, points: number) => {
    const argv = ['api', 'POST', `/v1/loyalties/members/${card}/balance`, '--yes', '--body']
    return promo([...argv, JSON.stringify({ points, expiration_date: '2099-01-01' }), ...onSandbox])
  }

  test('are listed for a card without naming its program, and for every card of a program', async () => {
    await give('CLUB-002', 30)
    await give('CLUB-003', 5)

    expect(await told([...expiring, 'CLUB-002'])).toEqual([['2099-01-01', 30, 'ACTIVE']])
    expect(await told([...expiring, 'CLUB-001'])).toEqual([])
    expect(
      ((await told([...expiring, '--campaign', 'Bean Club'])) as string[][]).toSorted((a, b) =>
        String(a) < String(b) ? -1 : 1,
      ),
    ).toEqual([
      ['2027-12-31', 40, 'ACTIVE'],
      ['2099-01-01', 30, 'ACTIVE'],
      ['2099-01-01', 5, 'ACTIVE'],
    ])
  })

  test('leave out what is spent, unless all are asked for', async () => {
    await give('CLUB-002', 30)
    await promo('loyalty points remove CLUB-002 --points 30 --yes --profile sandbox')

    expect(await told([...expiring, 'CLUB-002'])).toEqual([])
    expect(await told([...expiring, 'CLUB-002', '--all'])).toEqual([['2099-01-01', 0, 'USED']])
  })

  test('are those of a card that is named by its code, which is no member of the answer', async () => {
    const list = ['loyalty', 'points', 'expiring', '--campaign', 'Bean Club', ...onSandbox]
    expect((await promo('loyalty points expiring "Bean Club" --profile sandbox')).stderr).toMatch(
      /^try: promo loyalty points expiring --profile sandbox --campaign 'Bean Club' lists those of a program; /m,
    )

    const table = await promo(list)
    const json = await promo([...list, '--json'])

    expect(table.stdout).toMatch(/^expires_at +points +status +card +id\n2027-12-31 +40 +ACTIVE +CLUB-005 +lopb_\w+$/m)
    expect(JSON.parse(json.stdout)[0]).not.toHaveProperty('code')
  })
})

describe('rewards', () => {
  test('of a program are listed with their names and prices', async () => {
    const { stdout } = await promo('loyalty rewards list "Bean Club" --profile sandbox')

    expect(stdout).toMatch(/Enamel mug +MATERIAL +300/)
    expect(stdout).toMatch(/Pay with points +COIN/)
  })

  test('are paid with points after a question, and the answer says how to take that back', async () => {
    const redeem = ['loyalty', 'rewards', 'redeem', 'CLUB-003', '--reward', 'rew_19b8d627a800000001', '--points', '20']
    const asked = await promo([...redeem, '--amount', '5000', ...onSandbox])
    const { exitCode, stdout, stderr } = await promo([...redeem, '--amount', '5000', '--yes', '--json', ...onSandbox])

    expect(asked.stderr).toContain(
      'spend 20 points of loyalty card CLUB-003 on reward rew_19b8d627a800000001 in project ',
    )
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/to take it back: promo redemptions rollback --profile sandbox r_\w+\n/)
    expect(JSON.parse(stdout)).toMatchObject({ loyalty_card: { points: 20 }, order: { total_amount: 4900 } })
  })

  test('are paid for by each row of a file on its own, equal cards too, with what the row says', async () => {
    const redeem = 'loyalty rewards redeem --from - --reward rew_19b8d627a800000001 --points 10'.split(' ')
    const stdin = 'code,order.amount,reward.points\nCLUB-003,5000,\nCLUB-003,5000,\nCLUB-001,5000,20\nNO-SUCH,5000,\n'

    const asked = await promo([...redeem, ...onSandbox], { stdin })
    const { exitCode, stdout } = await promo([...redeem, '--yes', '--json', ...onSandbox], { stdin })

    const outcomes = JSON.parse(stdout) as { state: string; redemption?: { loyalty_card: object } }[]
    expect(asked.stderr).toMatch(
      /spend points of 3 loyalty cards, in 4 rows, of which 1 row repeats another: "CLUB-003" \(line 3\) (?:\(.*\) )?in project \w+ of profile "sandbox"\?/,
    )
    expect(exitCode).toBe(3)
    expect(outcomes.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'failed'])
    expect(outcomes.map(({ redemption }) => redemption?.loyalty_card)).toMatchObject([
      { points: 10 },
      { points: 10 },
      { points: 20 },
      undefined as never,
    ])
  })

  test('of a file name the reward in the row, or the row is bad', async () => {
    const rows = (cells: string) =>
      promo('loyalty rewards redeem --from - --dry-run --profile sandbox', { stdin: cells })

    expect((await rows('code,reward.id\nCLUB-001,rew_1\n')).exitCode).toBe(0)
    expect((await rows('code,order.amount\nCLUB-001,100\n')).exitCode).toBe(2)
  })
})

describe('loyalty cards list', () => {
  test('filters by holder and by the time of creation', async () => {
    const list = ['loyalty', 'cards', 'list', 'Bean Club', '--query', '[].code']

    expect(await told([...list, '--customer', 'shop-1002'])).toEqual(['CLUB-002'])
    expect(
      await told([...list, '--created-after', '2026-01-17', '--created-before', '2026-01-19', '--order', 'code']),
    ).toEqual(['CLUB-003', 'CLUB-004'])
  })
})

describe('vouchers transactions', () => {
  test('lists how the credit of a gift card came and went, on 80 columns', async () => {
    await promo('vouchers balance add GIFT-008 --amount 500 --reason Sorry --yes --profile sandbox')

    const { stdout } = await promo('vouchers transactions list GIFT-008 --profile sandbox', {
      terminal: { columns: 80 },
      env: { NO_COLOR: '1' },
    })

    expect(stdout).toMatch(/^created_at \(UTC\) +amount +balance +type +for$/m)
    expect(stdout).toMatch(/^2026-03-21 12:00:00 +-6300 +1200 +CREDITS_REDEMPTION +northlight-2006$/m)
    expect(stdout).toMatch(/ 500 +1700 +CREDITS_ADDITION +Sorry$/m)
  })

  test('exports them as the file that the service makes', async () => {
    const line = ['vouchers', 'transactions', 'export', 'GIFT-008', '--fields', 'amount,balance', '--wait']

    const { stdout, exitCode } = await promo([...line, ...onSandbox])

    expect(stdout).toMatch(/^amount,balance\r?\n-63(\.00)?,12(\.00)?\r?\n$/i)
    expect(exitCode).toBe(0)
  })

  test('are where a loyalty command leads that meets a gift card', async () => {
    const list = await promo('loyalty transactions list --card GIFT-008 --profile sandbox')
    const get = await promo('loyalty cards get GIFT-008 --profile sandbox')
    const add = await promo('loyalty points add GIFT-008 --points 5 --yes --profile sandbox')
    const other = await promo('loyalty cards get BEANS10 --profile sandbox')
    const nothing = await promo('loyalty cards get NONE-1 --profile sandbox')

    expect(list.stderr).toMatch(
      /^try: it is a gift card: promo vouchers transactions list --profile sandbox GIFT-008$/m,
    )
    expect(get.stderr).toMatch(/^try: it is a gift card: promo vouchers get --profile sandbox GIFT-008$/m)
    expect(add.stderr).toMatch(/^try: it is a gift card: promo vouchers balance add --help$/m)
    expect(other.stderr).toMatch(/^try: it is a discount voucher: promo vouchers get --profile sandbox BEANS10$/m)
    expect(nothing.stderr).toMatch(/^try: check that it is in project/m)
  })

  test('say that a card is a loyalty card, and where its points are', async () => {
    const list = await promo('vouchers transactions list CLUB-001 --profile sandbox')
    const csv = await promo('vouchers transactions list CLUB-001 --csv --profile sandbox')
    const line = ['vouchers', 'balance', 'add', 'CLUB-001', '--amount', '5']
    const asked = await promo([...line, ...onSandbox], {
      terminal: { columns: 200 },
      answers: [[/y\/N/, 'y\r']],
    })

    expect(list.stderr).toBe(
      'it is a loyalty card, whose points are listed by: promo loyalty transactions list --profile sandbox --card CLUB-001\n',
    )
    expect(csv.stderr).toBe('')
    expect(list.stdout).toMatch(/^2026-01-29 12:00:00 +-60 +82 +POINTS_REDEMPTION/m)
    expect(asked.stderr).toMatch(/CLUB-001 of .+, a loyalty card: these are points, \d+ → \d+/)
    expect(asked.stderr).toContain('CLUB-001 is a loyalty card, so these were points: promo loyalty transactions')
  })
})
