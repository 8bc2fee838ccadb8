// A loyalty program with tiers for tests: members by name, and what was announced of them.
import { clubWith, emptyCard } from './loyalty.ts'

export const threeTiers = [
  { name: 'Basic', points: { from: 0, to: 99 } },
  { name: 'Silver', points: { from: 100, to: 499 } },
  { name: 'Gold', points: { from: 500 } },
]

const programPath = '/v1/loyalties/camp_club'

/** A sandbox with the program `camp_club`, its tiers, and a card for each customer: `CARD-ada` is held by `cust_ada`. */
export async function tieredClub({
  members = ['ada'],
  tiers = threeTiers as readonly object[],
  settings = undefined as object | undefined,
  fixture = {} as Record<string, unknown>,
} = {}) {
  const sandbox = clubWith([], {
    customers: members.map((name) => ({ id: `cust_${name}`, source_id: name, name })),
    vouchers: members.map((name) => emptyCard(`CARD-${name}`, 'camp_club', { holder_id: `cust_${name}` })),
    ...fixture,
  })
  const { call, settled, store } = sandbox
  if (settings) call('PUT', programPath, { body: { loyalty_tiers_expiration: settings } })
  const made = tiers.length === 0 ? [] : call('POST', `${programPath}/tiers`, { body: tiers }).body
  await settled()
  let seen = store.outbox.after(0, 1000).length
  return {
    ...sandbox,
    tiers: made as { id: string; name: string }[],
    /** Gives points and lets the background work. */
    earn: async (name: string, points: number) => {
      const { status, body } = sandbox.give(`CARD-${name}`, points)
      if (status !== 200) throw new Error(JSON.stringify(body))
      await settled()
    },
    /** Moves the clock to an instant and lets the background work. */
    at: async (now: string) => {
      sandbox.clock.now = now
      await settled()
    },
    /** The name of the tier that a member is in, with its last day if it has one. */
    tierOf: (name: string) => {
      const [tier] = call('GET', `/v1/loyalties/members/CARD-${name}/tiers`).body.data
      if (!tier) return undefined
      const { expiration_date: until } = tier.expiration
      return until === undefined ? tier.name : `${tier.name} until ${until}`
    },
    /** What was announced of tiers since it was last asked for: `upgraded Basic Silver`. */
    announced: () => {
      const all = store.outbox.after(0, 1000)
      const fresh = all.slice(seen).filter(({ type }) => type.startsWith('customer.loyalty.tier.'))
      seen = all.length
      return fresh.map(({ type, data }) => {
        const { loyalty_tier, loyalty_tier_from, loyalty_tier_to } = data as Record<string, { name: string }>
        const names = [loyalty_tier, loyalty_tier_from, loyalty_tier_to].flatMap((tier) => tier?.name ?? [])
        return [type.replace('customer.loyalty.tier.', ''), ...names].join(' ')
      })
    },
    /** The data of the latest event of a type. */
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any event, and asserts what it expects.
    latest: (type: string): any =>
      store.outbox
        .after(0, 1000)
        .filter((event) => event.type === type)
        .at(-1)?.data,
  }
}
