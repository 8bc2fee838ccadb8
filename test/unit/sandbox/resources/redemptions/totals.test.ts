import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RedemptionQuery } from '../../../../../src/sandbox/rules/conditions/context.ts'
import { openStore } from '../../../../../src/sandbox/storage/store.ts'
import { redemptionSums } from '../../../../../src/sandbox/stores/redemption-totals.ts'
import {
  addUp,
  redemptions,
  redemptionTotals,
  type StoredRedemption,
} from '../../../../../src/sandbox/stores/redemptions.ts'

const objects = [
  ['voucher', 'v_1'],
  ['voucher', 'v_2'],
  ['promotion_tier', 'promo_1'],
  ['redemption', 'r_parent'],
] as const
const [campaigns, customers] = [['camp_1', 'camp_2', null] as const, ['cust_1', 'cust_2', 'cust_3', null] as const]
const instants = [
  '2026-01-31T22:59:59.999Z',
  '2026-01-31T23:00:00.000Z',
  '2026-02-01T00:14:00.000Z',
  '2026-02-01T05:45:00.000Z',
]

const drawn = fc.record({
  related: fc.constantFrom(...objects),
  campaign_id: fc.constantFrom(...campaigns),
  customer_id: fc.constantFrom(...customers),
  created_at: fc.constantFrom(...instants),
  object: fc.constantFrom('redemption', 'redemption', 'redemption', 'redemption_rollback'),
  result: fc.constantFrom('SUCCESS', 'SUCCESS', 'SUCCESS', 'FAILURE'),
  status: fc.constantFrom('SUCCEEDED', 'SUCCEEDED', 'ROLLED_BACK'),
  order: fc.option(fc.record({ amount: fc.nat(9999), total_applied_discount_amount: fc.nat(999) })),
})
const step = fc.record({
  act: fc.constantFrom('insert', 'insert', 'insert', 'insertAll', 'update', 'bin', 'remove'),
  which: fc.nat(100),
  doc: drawn,
})

const narrowings: Partial<RedemptionQuery>[] = [
  {},
  ...customers.flatMap((customer_id) => (customer_id === null ? [] : [{ customer_id }])),
  ...instants.map((since) => ({ since })),
  { since: '2026-01-31T23:00:00.000Z', countsCustomers: true },
  { since: '2026-01-31T23:00:00.000Z', customer_id: 'cust_1' },
]
const scopes: RedemptionQuery[] = [
  ...objects.slice(0, 3).map(([object, id]) => ({ object, id }) as RedemptionQuery),
  { campaign_id: 'camp_1' },
  { campaign_id: 'camp_2' },
  { campaign_id: 'camp_none' },
]
const queries = scopes.flatMap((scope) => narrowings.map((narrowing) => ({ ...scope, ...narrowing })))

test('whatever is redeemed, rolled back and deleted: what is kept of redemptions is what they add up to', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 400, size: 'max' }), (steps) => {
      const store = openStore(':memory:', [redemptions])
      const table = store.in(redemptions, 'proj_1')

      for (const [n, { act, which, doc }] of steps.entries()) {
        const { related, ...rest } = doc
        const [related_object_type, related_object_id] = related
        const made = {
          ...rest,
          ...(related_object_type === 'redemption' && { campaign_id: null }),
          id: `r_${act.startsWith('insert') ? n : which}`,
          related_object_type,
          related_object_id,
        }
        if (act === 'insert') table.insert(made as StoredRedemption)
        else if (act === 'insertAll') table.insertAll(JSON.stringify([made, { ...made, id: `r_${n}_other` }]))
        else if (act === 'update') table.update(made as StoredRedemption)
        else table[act as 'bin' | 'remove'](made.id)
      }

      // Who is new in a period is asked for with `countsCustomers` alone.
      const shown = (totals: object, query: RedemptionQuery) =>
        query.since === undefined || query.countsCustomers ? totals : { ...totals, customers_count: 0 }
      for (const query of queries)
        expect([query, shown(redemptionTotals(store, 'proj_1', query), query)]).toEqual([
          query,
          shown(addUp(store, 'proj_1', query), query),
        ])
      const kept = () => store.db.all('SELECT * FROM redemption_totals WHERE count <> 0')
      const before = kept()
      redemptionSums.fill(store.db)
      expect(before).toEqual(kept())
      store.close()
    }),
    { numRuns: 40 },
  )
})
