import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { doing, openShop, shop } from '../../../../support/redemptions.ts'
import { requestOf, testSandbox } from '../../../../support/sandbox.ts'

interface Shown {
  id: string
  object: string
  status: string
  related_object_id: string
  amount?: number
}

const card = fc.constantFrom('G' as const, 'C' as const)
const key = fc.constantFrom('one', 'other', undefined)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('redeem' as const),
      cards: fc.uniqueArray(card, { minLength: 1 }),
      units: fc.integer({ min: 0, max: 300 }),
      key,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('roll back' as const), which: fc.nat({ max: 30 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('add' as const), card, amount: fc.integer({ min: -200, max: 200 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('lock' as const),
      card,
      units: fc.integer({ min: 0, max: 300 }),
      key: fc.constantFrom('one', 'other'),
    }),
  },
)

function paying(code: 'G' | 'C', units: number) {
  const redeemable = { object: 'voucher', id: code }
  return code === 'G'
    ? { ...redeemable, gift: { credits: units } }
    : { ...redeemable, reward: { id: 'rew_1', points: units } }
}

test('whatever is redeemed, rolled back, added and locked: a balance is the sum of its transactions', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const { redeem, rollBack, rollBackAll, post, get, voucher, list, reports } = openShop()
      const roots: Array<[string, boolean]> = []

      for (const next of steps) {
        if (next.do === 'redeem') {
          const session = next.key === undefined ? {} : { session: { type: 'LOCK', key: next.key } }
          const { status, body } = redeem(
            next.cards.map((code) => paying(code, next.units)),
            { order: { amount: 100_000 }, ...session },
          )
          if (status === 200)
            roots.push([(body.parent_redemption ?? body.redemptions[0]).id, 'parent_redemption' in body])
        } else if (next.do === 'roll back') {
          const [id, isParent] = roots[next.which % Math.max(1, roots.length)] ?? ['r_none', false]
          if (isParent) rollBackAll(id)
          else rollBack(id)
        } else if (next.do === 'add') {
          post(`/v1/vouchers/${next.card}/balance`, { amount: next.amount })
        } else {
          const redeemables = [paying(next.card, next.units)]
          const session = { type: 'LOCK', key: next.key }
          post('/v1/validations', { redeemables, order: { amount: 100_000 }, session })
        }
      }

      expect(reports).toEqual([])
      const standing = (list('limit=100').redemptions as Shown[]).filter(({ status }) => status === 'SUCCEEDED')
      for (const code of ['G', 'C']) {
        const { id, gift, loyalty_card, redemption } = voucher(code)
        const { balance } = gift ?? loyalty_card
        const changes = get(`/v1/vouchers/${code}/transactions`, 'limit=100').body.data
        const sum = changes.reduce(
          (total: number, { details }: { details: { balance: { amount?: number; points?: number } } }) =>
            total + (details.balance.amount ?? details.balance.points ?? 0),
          code === 'G' ? 1000 : 100,
        )
        const own = standing.filter((one) => one.object === 'redemption' && one.related_object_id === id)
        expect([code, balance]).toEqual([code, sum])
        expect(balance).toBeGreaterThanOrEqual(0)
        expect(changes[0]?.details.balance.balance ?? balance).toBe(balance)
        expect(redemption.redeemed_quantity).toBe(own.length)
        expect(redemption.redeemed_amount ?? redemption.redeemed_points ?? 0).toBe(
          own.reduce((total, { amount = 0 }) => total + amount, 0),
        )
      }
    }),
    { numRuns: 40 },
  )
})

/** Two services on one file, and a code with as many uses as given. */
function twoOnOneFile(quantity: number) {
  const folder = mkdtempSync(join(tmpdir(), 'promo-redeem-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'sandbox.db')
  const [code, ...others] = shop.vouchers
  const vouchers = [{ ...code, redemption: { quantity } }, ...others]
  const one = testSandbox({ file, fixture: { ...shop, vouchers } })
  const two = testSandbox({ file, idsFrom: 1_000_000 })
  onTestFinished(() => {
    one.store.close()
    two.store.close()
  })
  return [one, two] as const
}

const use = fc.record({
  at: fc.constantFrom(0 as const, 1 as const),
  do: fc.constantFrom('redeem' as const, 'lock' as const, 'roll back' as const, 'release' as const),
  key: fc.constantFrom('a', 'b', 'c', undefined),
  which: fc.nat({ max: 20 }),
})

test('no code is used and held more often than it may be, whichever of two services on one file is called', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(use, { maxLength: 30 }), (quantity, uses) => {
      const services = twoOnOneFile(quantity)
      const redeemed: string[] = []
      const held = new Set<string>()
      const returned = new Set<string>()

      for (const { at, do: what, key: sessionKey, which } of uses) {
        const service = services[at]
        const { redeem, rollBack, voucher } = doing(service)
        const session = sessionKey === undefined ? {} : { session: { type: 'LOCK', key: sessionKey } }
        if (what === 'redeem') {
          const { status, body } = redeem(['A'], session)
          expect(service.reports).toEqual([])
          const isHeld = sessionKey !== undefined && held.has(sessionKey)
          // The holder of a use gets it.
          if (isHeld) expect(status).toBe(200)
          if (status === 200) {
            redeemed.push(body.redemptions[0].id)
            if (sessionKey !== undefined) held.delete(sessionKey)
          }
        } else if (what === 'lock' && sessionKey !== undefined) {
          const body = { redeemables: [{ object: 'voucher', id: 'A' }], order: { amount: 5000 }, ...session }
          if (service.post('/v1/validations', body).body.valid) held.add(sessionKey)
        } else if (what === 'release' && sessionKey !== undefined) {
          service.del(`/v1/vouchers/A/sessions/${sessionKey}`)
          held.delete(sessionKey)
        } else if (what === 'roll back') {
          const id = redeemed[which % Math.max(1, redeemed.length)]
          if (id !== undefined && rollBack(id).status === 200) returned.add(id)
        }
        const { redeemed_quantity } = voucher('A').redemption
        expect(redeemed_quantity).toBe(redeemed.length - returned.size)
        expect(redeemed_quantity + held.size).toBeLessThanOrEqual(quantity)
      }
    }),
    { numRuns: 12 },
  )
})

test('of many simultaneous requests to two services on one file, as many succeed as the code has uses', () => {
  const [one, two] = twoOnOneFile(7)
  const body = { redeemables: [{ object: 'voucher', id: 'A' }], order: { amount: 5000 } }
  const requests = Array.from({ length: 10 }, () => requestOf(one.credentials, 'POST', '/v1/redemptions', { body }))

  const answers = [one, two, one, two].flatMap(({ app }) => app.handleAll(requests.slice(0, 5)))

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(13)
  expect(doing(two).voucher('A').redemption).toMatchObject({ quantity: 7, redeemed_quantity: 7 })
  expect(doing(one).list('result=FAILURE').total).toBe(13)
})
