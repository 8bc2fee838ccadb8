import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'
import { transcripts } from '../support/transcripts.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)
const ofClub = ['loyalty', 'transactions', 'list', 'Bean Club']
const ofCard = (code: string) => ['loyalty', 'transactions', 'list', '--card', code]

beforeAll(async () => {
  await promo('profiles use sandbox')
})

describe('loyalty transactions list', () => {
  test('shows signed points, the balance after each, and names the time zone once', async () => {
    const { exitCode, stdout, stderr } = await promo(ofCard('CLUB-001'))

    const [head = '', ...rows] = stdout.trimEnd().split('\n')
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(head).toMatch(/^created_at \(UTC\) +card +points +balance +type +operation +reason +source +related/)
    expect(stdout.match(/UTC/g)).toHaveLength(1)
    expect(rows.map((row) => row.split(/ {2,}/).slice(2, 4))).toEqual([
      ['-60', '82'],
      ['+42', '142'],
      ['+100', '100'],
    ])
  })

  transcripts(promo)(`
    # returns the service's own numbers in JSON, newest first; ordered by id it begins with the oldest
    $ loyalty transactions list --card CLUB-001 --json --query [].details.balance.points
    json = [-60, 42, 100]
    $ loyalty transactions list --card CLUB-001 --order id --json --query [].details.balance.balance
    json = [100, 142, 82]
    # walks pages by cursor, and requests no more than --limit needs
    $ loyalty transactions list 'Bean Club' --page-size 5 --jsonl -v
    rows 14
    sends 3
    $ loyalty transactions list 'Bean Club' --page-size 5 --limit 7 --jsonl -v
    rows 7
    sends 2
    # filters while reading, and reports how many were read
    $ loyalty transactions list 'Bean Club' --type POINTS_REDEMPTION --min-points 100 --csv --no-header --columns details.balance.points
    = -120
    = -500
    != read 14, shown 2
    # warns that a type is unknown, and filters by it all the same
    $ loyalty transactions list 'Bean Club' --type POINTS_REDEMTION --json
    = []
    != read 14, shown 0
    != "POINTS_REDEMTION" is not a known type
    # counts shown rows against --limit when it filters, and reads no further
    $ loyalty transactions list 'Bean Club' --type POINTS_REDEMPTION --limit 1 --page-size 2 --jsonl -v
    rows 1
    sends 1
    ! read 2, shown 1
    # requests single transactions by their ids
    $ loyalty transactions list 'Bean Club' --filter id=vtx_19b8d627a800000007,vtx_none --json -v
    json [{"id": "vtx_19b8d627a800000007"}]
    ! filters
    # a card of another campaign is not found there
    $ loyalty transactions list 'Bean Club' --card CLUB-002 --json --query length(@)
    = 2
    $ loyalty transactions list 'Spring mailing' --card CLUB-002 => 3
    # an unknown campaign exits 3 and is named
    $ loyalty transactions list 'No/Such Club' => 3
    ! No/Such Club
  `)

  test('continues after a transaction in the order of the rows, also within a card and with filters', async () => {
    const ids = async (...more: string[]) => {
      const { stdout } = await promo([...ofClub, '--json', ...more])
      return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)
    }
    const all = await ids()
    const [third, last] = [all[2] ?? '', all.at(-1) ?? '']

    expect(await ids('--after', third)).toEqual(all.slice(3))
    expect(await ids('--after', third, '--limit', '2', '--page-size', '1')).toEqual(all.slice(3, 5))
    expect(await ids('--after', third, '--order', 'id')).toEqual(all.slice(0, 2).toReversed())
    expect(await ids('--after', last)).toEqual([])
    const ofCard = await ids('--card', 'CLUB-001')
    expect(await ids('--card', 'CLUB-001', '--after', ofCard[0] ?? '')).toEqual(ofCard.slice(1))
  })

  test('has the demo in the order of its dates, newest first', async () => {
    const { stdout } = await promo([...ofClub, '--json', '--query', '[].created_at'])

    const dates = JSON.parse(stdout) as string[]
    expect(dates).toHaveLength(14)
    expect(dates).toEqual(dates.toSorted().toReversed())
  })

  test('shows type and reason at 80 columns, and breaks the list of what is left out between words', async () => {
    const { stdout, stderr } = await promo(ofCard('CLUB-001'), { terminal: { columns: 80 }, env: { NO_COLOR: '1' } })

    expect(stdout).toMatch(/^2026-01-29 \S+ +-60 +82 +POINTS_REDEMPTION +Paid with points$/m)
    expect(stderr.replaceAll('\n', ' ')).toMatch(
      /^left out, because the terminal has 80 columns: .*; choose with --columns, or use --csv $/,
    )
    for (const line of stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('draws the course of a balance on a terminal only', async () => {
    const onTerminal = await promo([...ofCard('CLUB-004'), '--chart', '--no-color'], { terminal: { columns: 120 } })
    const inPipe = await promo([...ofCard('CLUB-004'), '--chart'])

    expect(onTerminal.stderr).toMatch(/^left out, [^;]*; choose with [^;]*\nbalance 100 ▂▄█▁▂ 94\n$/)
    expect(inPipe.stderr).toBe('')
    expect(inPipe.stdout).not.toMatch(/[▁-█]/)
  })

  test.each<[string, string[], RegExp]>([
    ['neither campaign nor card', ['loyalty', 'transactions', 'list'], /missing argument CAMPAIGN or --card/],
    ['a beginning after the end', [...ofClub, '--since', '1d', '--until', '2d'], /--since is after --until/],
    ['a number that is none', [...ofClub, '--min-points', '-5'], /min-points|whole number/],
    ['an unknown order', [...ofClub, '--order', 'created_at'], /--order/],
    ['a page of 101', [...ofClub, '--page-size', '101'], /from 1 to 100/],
    ['a chart of many cards', [...ofClub, '--chart'], /--card/],
  ])('refuses %s before any request', async (_what, argv, message) => {
    expect(await promo([...argv, '-v'])).toSendNothing(2, message)
  })
})

describe('loyalty transactions verify', () => {
  transcripts(promo)(`
    # confirms that every balance of a campaign adds up
    $ loyalty transactions verify 'Bean Club'
    =
    != every running balance adds up
    != checked 14 transactions of 6 cards
    # succeeds with nothing to check
    $ loyalty transactions verify 'Spring mailing' --json
    = []
    ! checked 0 transactions of 0 cards
    # requires a campaign or a card
    $ loyalty transactions verify => 2
  `)
})

describe('loyalty cards get', () => {
  test('shows holder, balance and expiring points on one screen', async () => {
    const { exitCode, stdout, stderr } = await promo('loyalty cards get CLUB-001')

    expect(exitCode).toBe(0)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^code +CLUB-001$/m)
    expect(stdout).toMatch(/^holder\.name +Ada Okafor$/m)
    expect(stdout).toMatch(/^holder\.source_id +shop-1001$/m)
    expect(stdout).toMatch(/^loyalty_card\.balance +82$/m)
    expect(stdout).toMatch(/^loyalty_card\.next_expiration_points/m)
    expect(stdout).not.toContain('assets')
    expect(stdout.split('\n').length).toBeLessThan(24)
  })

  transcripts(promo)(`
    # returns the service's own object in JSON, in one request
    $ loyalty cards get CLUB-001 --json -v
    json {"object": "voucher", "loyalty_card": {"points": 142, "balance": 82}}
    - "holder"
    sends 1
    # writes a header and a line in CSV
    $ loyalty cards get CLUB-001 --campaign 'Bean Club' --csv --columns code,loyalty_card.balance
    = code,loyalty_card.balance
    = CLUB-001,82
    # what is no card of the campaign is not found: an unknown code, another voucher, a card of another campaign
    $ loyalty cards get NO-SUCH-CARD => 3
    =
    $ loyalty cards get WELCOME-001 => 3
    =
    $ loyalty cards get CLUB-001 --campaign 'Spring mailing' => 3
    =
  `)

  test('is shown without its holder where customers may not be read', async () => {
    const card = { id: 'v_1', code: 'C-1', object: 'voucher', holder_id: 'cust_1', loyalty_card: { balance: 5 } }
    const forbidden = { code: 403, key: 'forbidden', message: 'Forbidden', details: 'no', request_id: 'v-1' }
    await using server = await scriptedServer([answer(200, card), answer(403, forbidden)])

    const { exitCode, stdout, stderr } = await promoIn(temporaryFolder())(['loyalty', 'cards', 'get', 'C-1'], {
      env: server.env,
    })

    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^loyalty_card\.balance +5$/m)
    expect(stderr).toMatch(/^warning: the holder is not shown: /)
  })
})

describe('what cannot be read beside the result', () => {
  const refused = (code: number) => answer(code, { code, key: 'k', message: 'm', details: 'd', request_id: 'v-1' })
  const offers = ['gone', 'rew_1', 'rew_1'].map((id, at) => ({
    id: `off_${at}`,
    object: 'reward_assignment',
    reward_id: id,
  }))
  const page = answer(200, { object: 'list', data_ref: 'data', data: offers, total: 3 })
  const mug = { id: 'rew_1', name: 'Mug', object: 'reward' }
  const rewards = answer(200, { object: 'list', data_ref: 'data', data: [mug], total: 1 })
  const card = answer(200, { id: 'v_1', code: 'C-1', object: 'voucher', holder_id: 'c', loyalty_card: { balance: 5 } })
  const list = ['loyalty', 'rewards', 'list', 'camp_1', '--columns', 'reward.name']
  const get = ['loyalty', 'cards', 'get', 'C-1']

  async function against(script: Parameters<typeof scriptedServer>[0], argv: string[]) {
    await using server = await scriptedServer(script)
    return await promoIn(temporaryFolder())([...argv, '--retries', '0'], { env: server.env })
  }

  test('a deleted reward leaves the others', async () => {
    const { exitCode, stdout, stderr } = await against([page, rewards, refused(404)], list)

    expect([exitCode, stdout.match(/Mug/g)]).toEqual([0, ['Mug', 'Mug']])
    expect(stderr).toMatch(/^warning: the reward "gone" is not shown: .*404/)
  })

  test('rewards that may not be read are left out after the first', async () => {
    const { exitCode, stdout, stderr } = await against([page, refused(403)], list)

    expect([exitCode, stdout]).not.toContain('Mug')
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^warning: the rewards are not shown: .*403/)])
  })

  test.each([
    ['rewards', list, page],
    ['a holder', get, card],
  ])('a service that is unavailable for %s ends the command', async (_, argv, first) => {
    const { exitCode, stderr } = await against([first, refused(503)], argv)

    expect([exitCode, stderr]).toEqual([5, expect.not.stringContaining('warning')])
  })
})

describe('a balance that does not add up', () => {
  const damaged = temporaryFolder()
  const onDamaged = promoIn(damaged)

  beforeAll(async () => {
    const changes = [
      [10, 10],
      [20, 30],
      [5, 40],
      [-40, 0],
    ]
    const fixture = {
      campaigns: [
        {
          id: 'camp_d',
          name: 'Damaged',
          campaign_type: 'LOYALTY_PROGRAM',
          type: 'STANDALONE',
          active: true,
          voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
        },
      ],
      vouchers: [
        {
          id: 'v_d',
          code: 'D-1',
          campaign_id: 'camp_d',
          type: 'LOYALTY_CARD',
          loyalty_card: { points: 35, balance: 0 },
        },
      ],
      loyalty_transactions: changes.map(([points, balance], at) => ({
        id: `vtx_${at}`,
        voucher_id: 'v_d',
        campaign_id: 'camp_d',
        type: 'POINTS_ADDITION',
        details: { balance: { type: 'loyalty_card', object: 'balance', total: balance, points, balance } },
        created_at: `2026-01-0${at + 1}T00:00:00.000Z`,
      })),
    }
    writeFileSync(join(damaged, 'fixture.json'), JSON.stringify(fixture))
    await onDamaged('profiles use sandbox')
    await onDamaged(`sandbox seed --from ${join(damaged, 'fixture.json')}`)
  })

  test.each(['-id', 'id'])('is marked in the listing of its card, ordered by %s', async (order) => {
    const { exitCode, stderr } = await onDamaged([...ofCard('D-1'), '--order', order])

    expect(exitCode).toBe(0)
    expect(stderr).toBe('warning: the running balance breaks at vtx_2: 30 + 5 = 35, but its balance is 40\n')
  })

  transcripts(onDamaged)(`
    # is reported even when a filter hides its row
    $ loyalty transactions list --card D-1 --until 2026-01-01 --json
    ! breaks at vtx_2
  `)

  test('makes verify exit 12 with card, transaction, expected and found', async () => {
    const json = await onDamaged('loyalty transactions verify Damaged --json')
    const table = await onDamaged('loyalty transactions verify --card D-1')

    expect(json.exitCode).toBe(12)
    expect(JSON.parse(json.stdout)).toEqual([
      {
        voucher_id: 'v_d',
        transaction_id: 'vtx_2',
        created_at: '2026-01-03T00:00:00.000Z',
        balance_before: 30,
        points: 5,
        expected: 35,
        found: 40,
      },
    ])
    expect(json.stderr).toBe('checked 4 transactions of 1 card; 1 balance on 1 card not as expected\n')
    expect(table.exitCode).toBe(12)
    expect(table.stdout).toMatch(/^v_d +vtx_2 .* 30 +5 +35 +40$/m)
  })
})
