import { expect, test } from 'vitest'
import { cheapFaults, faultKinds, faultsIn } from './fault-kinds.ts'
import { dealerOf, spreadFaults } from './fault-plan.ts'

test('every scripted fault is dealt within the requests of the plan, and none after them', () => {
  const faults = { reset: 30, 'apply-html': 20 }
  const { deal, left } = dealerOf({ seed: 3, requests: 100, faults, perKey: 5 })

  const dealt = Array.from({ length: 100 }, (_, index) => deal(`key ${index}`))

  expect(dealt.filter((fault) => fault === 'reset')).toHaveLength(30)
  expect(dealt.filter((fault) => fault === 'apply-html')).toHaveLength(20)
  expect(left()).toEqual({})
  expect(deal('one more')).toBeUndefined()
})

test('faults that nobody has met yet are told', () => {
  const { deal, left } = dealerOf({ seed: 3, requests: 4, faults: { reset: 4 }, perKey: 5 })

  deal('a')

  expect(left()).toEqual({ reset: 3 })
})

test('an operation that has met its share of faults is spared, and the next one meets what it was spared', () => {
  const { deal, left } = dealerOf({ seed: 3, requests: 4, faults: { reset: 4 }, perKey: 2 })

  const unlucky = [deal('a'), deal('a'), deal('a'), deal('a')]
  const spared = left()
  const next = [deal('b'), deal('b'), deal('b')]

  expect(unlucky).toEqual(['reset', 'reset', undefined, undefined])
  expect(spared).toEqual({ reset: 2 })
  expect(next).toEqual(['reset', 'reset', undefined])
  expect(left()).toEqual({})
})

test('the same seed deals the same cards, another seed others', () => {
  const deckOf = (seed: number) => {
    const { deal } = dealerOf({ seed, requests: 50, faults: { reset: 10, 'apply-cut': 10 }, perKey: 5 })
    return Array.from({ length: 50 }, (_, index) => deal(`key ${index}`))
  }

  expect(deckOf(1)).toEqual(deckOf(1))
  expect(deckOf(1)).not.toEqual(deckOf(2))
})

test('more faults than requests are refused', () => {
  expect(() => dealerOf({ seed: 1, requests: 3, faults: { reset: 4 }, perKey: 5 })).toThrow(
    '4 faults do not fit into 3 requests',
  )
})

test('faults are spread over all cheap kinds, half of them after the work, the dear ones as many as given', () => {
  const counts = spreadFaults(1000, { stall: 3, 'apply-stall': 2 })

  expect(faultsIn(counts)).toBe(1000)
  expect(faultsIn(counts, (kind) => kind.applies)).toBe(500)
  expect({ stall: counts.stall, applied: counts['apply-stall'], redirect: counts.redirect }).toEqual({
    stall: 3,
    applied: 2,
    redirect: undefined,
  })
  expect(cheapFaults.every((name) => (counts[name] ?? 0) > 40)).toBe(true)
})

test('there are at least thirteen kinds of faults, before the work and after it', () => {
  const kinds = Object.values(faultKinds)

  expect(kinds.filter(({ applies }) => !applies)).toHaveLength(15)
  expect(kinds.filter(({ applies }) => applies)).toHaveLength(12)
})
