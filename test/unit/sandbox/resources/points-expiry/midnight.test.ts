// What is due at midnight on a card, after its project got another time zone. The sandbox begins on 6 May 2026.
import { expect, test } from 'vitest'
import { resources } from '../../../../../src/sandbox/resources.ts'
import { loadFixture } from '../../../../../src/sandbox/seed/fixture.ts'
import { mainProject } from '../../../../../src/sandbox/stores/projects.ts'
import { programs } from '../../../../support/loyalty.ts'
import { manage } from '../../../../support/manage.ts'
import { tieredClub } from '../../../../support/tiers.ts'

const untilMonthsEnd = { period_type: 'MONTH', period_value: 0, rounding_type: 'END_OF_MONTH' }
const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: 0, expiration_rules: untilMonthsEnd } }
const byMonth = {
  qualification_type: 'POINTS_IN_PERIOD',
  qualification_period: 'MONTH',
  expiration_date: { type: 'END_OF_PERIOD' },
}
const pending = { event: 'order.paid', loyalty: { type: 'FIXED', points: 7 }, source: { banner: 'A' } }
const cardPath = '/v1/loyalties/members/CARD-ada'

type Club = Awaited<ReturnType<typeof tieredClub>>
const roads: Record<string, (club: Club, timezone: string) => void> = {
  'by a call': (club, timezone) => manage(club, 'PUT', `/${club.project.id}`, { timezone }),
  'by a fixture': ({ store, clock }, timezone) =>
    loadFixture(
      store,
      { settings: { timezone } },
      {
        resources,
        project: mainProject(store) ?? expect.fail('there is a project'),
        now: clock.now,
        id: (prefix) => `${prefix}1`,
      },
    ),
}

test.each(
  Object.keys(roads).flatMap((road) => [
    { road, from: 'America/New_York', to: 'Asia/Tokyo', midnight: '2026-05-31T15:00:00.000Z' },
    { road, from: 'Asia/Tokyo', to: 'America/New_York', midnight: '2026-06-01T04:00:00.000Z' },
  ]),
)('from $from to $to, $road, it is the midnight of the new one', async ({ road, from, to, midnight }) => {
  const club = await tieredClub({
    tiers: [{ name: 'Silver', points: { from: 100 } }],
    settings: byMonth,
    fixture: {
      campaigns: programs.map((program) => (program.id === 'camp_club' ? { ...program, voucher } : program)),
      settings: { timezone: from },
    },
  })
  const { post, get, earn, settled, at, tierOf } = club
  const rule = { ...pending, pending_points: { period_type: 'DAY', period_value: 26 } }
  post('/v1/loyalties/camp_club/earning-rules', [rule])
  await earn('ada', 120)
  club.give('CARD-ada', 30, { expiration_date: '2026-06-15T10:00:00Z' })
  post('/v1/orders', { customer: { id: 'cust_ada' }, amount: 1000, status: 'PAID' })
  await settled()
  const seen = () => {
    const { balance, pending_points, next_expiration_date } = get(cardPath).body.loyalty_card
    return [balance, pending_points, next_expiration_date, tierOf('ada')]
  }

  roads[road]?.(club, to)
  await settled()
  const after = seen()
  await at(new Date(Date.parse(midnight) - 1).toISOString())
  const before = seen()
  await at(midnight)

  expect(after).toEqual([150, 7, '2026-05-31', 'Silver until 2026-05-31'])
  expect(before).toEqual(after)
  expect(seen()).toEqual([37, 0, '2026-06-15', undefined])
  expect(club.reports).toEqual([])
})
