// A shop's day with tiers, and the weeks after it: through the commands and the served sandbox, whose clock is advanced.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { whileServing } from '../support/serving.ts'

const perEuro = { order: { amount: { every: 100, points: 1 } } }
const program = {
  name: 'Tea Club',
  type: 'AUTO_UPDATE',
  auto_join: true,
  voucher: {
    type: 'LOYALTY_CARD',
    loyalty_card: { points: 0, expiration_rules: { period_type: 'MONTH', period_value: 1 } },
  },
  loyalty_tiers_expiration: {
    qualification_type: 'POINTS_IN_PERIOD',
    qualification_period: 'MONTH',
    start_date: { type: 'IMMEDIATE' },
    expiration_date: { type: 'END_OF_PERIOD' },
  },
}
const rules = [
  {
    event: 'order.paid',
    loyalty: { type: 'PROPORTIONAL', calculation_type: 'ORDER_AMOUNT', ...perEuro },
    source: { banner: 'A point for every euro' },
  },
  {
    event: 'order.paid',
    loyalty: { type: 'FIXED', points: 10 },
    pending_points: { period_type: 'DAY', period_value: 14 },
    source: { banner: 'Ten more after two weeks' },
  },
]

test('a member earns, rises, earns more, pays the price of the tier; points become active and expire; the tier ends', async () => {
  const folder = temporaryFolder()
  const promo = promoIn(folder)
  const data = join(folder, 'shop.db')
  await whileServing(promo, ['--data', data, '--time', '2026-03-02'], async ({ url, app_id, app_token, call }) => {
    const env = { PROMO_BASE_URL: url, PROMO_APP_ID: app_id, PROMO_APP_TOKEN: app_token }
    const told = async (...argv: string[]) => {
      const { stdout, stderr, exitCode } = await promo([...argv, '--json'], { env })
      if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
      return stdout === '' ? undefined : JSON.parse(stdout)
    }
    const advance = async (duration: string) => {
      await promo(['sandbox', 'clock', 'advance', duration, '--data', data])
    }
    const post = async (path: string, body: unknown) => {
      const answer = await call('POST', path, body)
      expect([path, answer.status]).toEqual([path, 200])
      return answer.body
    }
    const club = '/v1/loyalties/Tea%20Club'
    await post('/v1/loyalties', program)
    const [perEuroRule] = await post(`${club}/earning-rules`, rules)
    const reward = await post('/v1/rewards', { name: 'Tea pot', type: 'MATERIAL', parameters: {} })
    const [offer] = await post(`${club}/rewards`, [{ reward: reward.id, parameters: { loyalty: { points: 60 } } }])
    await told('loyalty', 'tiers', 'create', 'Tea Club', '--name', 'Green', '--min', '0', '--max', '99')
    const ofOolong = [
      `earning_rules.${perEuroRule.id}.type=MULTIPLY`,
      `earning_rules.${perEuroRule.id}.multiplier=2`,
      `rewards.${offer.id}.type=CUSTOM`,
      `rewards.${offer.id}.points=40`,
    ].flatMap((one) => ['--set', one])
    const create = ['loyalty', 'tiers', 'create', 'Tea Club']
    const oolong = await told(...create, '--name', 'Oolong', '--min', '100', ...ofOolong)

    const pay = async (amount: number) => {
      await post('/v1/orders', { customer: { source_id: 'tea-1' }, amount, status: 'PAID' })
      await advance('1m')
    }
    await pay(12000)
    const [card] = await told('loyalty', 'cards', 'list', 'Tea Club')
    const balance = async () => (await told('loyalty', 'cards', 'get', card.code)).loyalty_card
    const tier = async () =>
      (await told('loyalty', 'cards', 'tiers', card.code)).map(
        (one: { name: string; expiration: { expiration_date: string } }) =>
          `${one.name} ${one.expiration.expiration_date}`,
      )

    expect(await balance()).toMatchObject({ balance: 120, pending_points: 10, next_expiration_date: '2026-04-02' })
    expect(await tier()).toEqual(['Oolong 2026-03-31'])

    await pay(5000)
    expect(await balance()).toMatchObject({ balance: 220, pending_points: 20 })

    const redeem = ['loyalty', 'rewards', 'redeem', card.code, '--reward', reward.id, '--yes']
    const redemption = await told(...redeem)
    expect(redemption).toMatchObject({ loyalty_card: { points: 40 }, reward: { loyalty_tier_id: oolong.id } })
    await told('redemptions', 'rollback', redemption.id, '--yes')
    expect(await balance()).toMatchObject({ balance: 220 })
    await told(...redeem)
    await advance('1m')
    expect(await balance()).toMatchObject({ balance: 180 })
    // What was spent has no effect on a tier by collected points.
    expect(await tier()).toEqual(['Oolong 2026-03-31'])

    const [second, first] = await told('loyalty', 'pending', 'list', 'Tea Club')
    expect([first, second]).toMatchObject([
      { points: 10, activates_at: '2026-03-16', customer_id: card.holder_id },
      { points: 10, details: { holder_loyalty_tier: { name: 'Oolong' } } },
    ])
    await told('loyalty', 'pending', 'cancel', card.code, second.id, '--yes')
    await advance('14d')
    expect(await balance()).toMatchObject({ balance: 190, pending_points: 0 })
    expect(await told('loyalty', 'pending', 'list', 'Tea Club')).toEqual([])

    await advance('16d')
    expect(await tier()).toEqual(['Green 2026-04-30'])
    expect(await balance()).toMatchObject({
      balance: 190,
      next_expiration_date: '2026-04-02',
      next_expiration_points: 140,
    })
    await advance('2d')
    // The forty points that came back with the roll-back do not expire.
    expect(await balance()).toMatchObject({ balance: 50, expired_points: 140, next_expiration_date: '2026-04-16' })
    await advance('30d')
    expect(await balance()).toMatchObject({ balance: 40, expired_points: 150 })
    expect(await tier()).toEqual(['Green 2026-05-31'])

    const { body } = await call('GET', `/v1/customers/${card.holder_id}/activity?limit=100&order=created_at`)
    const types: string[] = body.data.map(({ type }: { type: string }) => type)
    const ours = /tier\.|points_expired|^voucher\.loyalty_card\.pending|redemption\.(succeeded|rollback)/
    expect(types.filter((type) => ours.test(type))).toEqual([
      'voucher.loyalty_card.pending_points.added',
      'customer.loyalty.tier.joined',
      'voucher.loyalty_card.pending_points.added',
      'redemption.succeeded',
      'redemption.rollback.succeeded',
      'redemption.succeeded',
      'voucher.loyalty_card.pending_points.canceled',
      'voucher.loyalty_card.pending_points.activated',
      'customer.loyalty.tier.downgraded',
      'voucher.loyalty_card.points_expired',
      'voucher.loyalty_card.points_expired',
      'customer.loyalty.tier.prolonged',
    ])
    const verified = await promo('loyalty transactions verify "Tea Club"', { env })
    expect([verified.exitCode, verified.stderr]).toEqual([0, expect.any(String)])
    const rows = (await told('loyalty', 'transactions', 'list', '--card', card.code, '--order', 'id')) as {
      type: string
      details: { balance: { points: number } }
    }[]
    expect(rows.map(({ type, details }) => `${type} ${details.balance.points}`)).toEqual([
      'POINTS_ACCRUAL 120',
      'POINTS_ACCRUAL 100',
      'POINTS_REDEMPTION -40',
      'POINTS_REFUND 40',
      'POINTS_REDEMPTION -40',
      'PENDING_POINTS_ACTIVATION 10',
      'POINTS_EXPIRATION -140',
      'POINTS_EXPIRATION -10',
    ])
  })
})
