import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/sandbox.ts'

test('the demo has a program with rules, rewards and transactions of three types', () => {
  const { get } = testSandbox({ demo: true })
  const club = `/v1/loyalties/${encodeURIComponent('Bean Club')}`

  const rows = get(`${club}/transactions`, 'limit=100').body.data

  expect(new Set(rows.map(({ type }: { type: string }) => type))).toEqual(
    new Set(['POINTS_ADDITION', 'POINTS_ACCRUAL', 'POINTS_REDEMPTION']),
  )
  expect(get(`${club}/earning-rules`).body.total).toBe(2)
  expect(get(`${club}/rewards`).body.total).toBe(2)
})

test('the program of the demo has three tiers, and points that expire', () => {
  const { get } = testSandbox({ demo: true })
  const club = `/v1/loyalties/${encodeURIComponent('Bean Club')}`

  const tiers = get(`${club}/tiers`).body.data
  const ofMembers = ['CLUB-001', 'CLUB-003'].map((code) => get(`/v1/loyalties/members/${code}/tiers`).body.data)

  expect(tiers).toMatchObject([{ name: 'Taster' }, { name: 'Regular' }, { name: 'Connoisseur' }])
  expect(ofMembers).toMatchObject([[{ name: 'Taster' }], [{ name: 'Connoisseur' }]])
  expect(get(`${club}/members/CLUB-005/points-expiration`).body.data).toMatchObject([
    { expires_at: '2027-12-31', bucket: { total_points: 40 } },
  ])
})

test('in the demo, attending a cupping earns 25 points', async () => {
  const { get, post, settled, reports } = testSandbox({ demo: true })
  const balance = () => get('/v1/loyalties/members/CLUB-001').body.loyalty_card.balance
  const before = balance()

  const { status } = post('/v1/events', {
    event: 'cupping_attended',
    customer: { source_id: 'shop-1001' },
    metadata: { cups: 6 },
  })
  await settled()

  expect(status).toBe(200)
  expect([before, balance()]).toEqual([82, 107])
  expect(reports).toEqual([])
})

test('in the demo, a friend is added to a referral code that was given to a customer', () => {
  const { post, get } = testSandbox({ demo: true })
  const path = '/v1/referrals/members/FRIEND-001/holders'

  const answer = post(path, { holders: [{ source_id: 'a friend' }] })

  expect(answer).toMatchObject({ status: 200, body: { holders: [{ holder_role: 'REFEREE' }] } })
  expect(
    get(path)
      .body.data.map((holder: { holder_role: string }) => holder.holder_role)
      .toSorted(),
  ).toEqual(['REFEREE', 'REFERRER'])
})
