import { expect, test } from 'vitest'
import { cheapFaults, type FaultName, faultKinds, faultsIn } from './fault-kinds.ts'
import { dealerOf, spreadFaults } from './fault-plan.ts'

test('every scripted fault is dealt, and none afterwards', () => {
  const faults = { reset: 30, 'apply-html': 20 }
  const { deal, left } = dealerOf({ seed: 3, chance: 1, faults, perKey: 5 })

  const dealt = Array.from({ length: 60 }, (_, index) => deal(`key ${index}`))

  expect(dealt.filter((fault) => fault === 'reset')).toHaveLength(30)
  expect(dealt.filter((fault) => fault === 'apply-html')).toHaveLength(20)
  expect(dealt.slice(50)).toEqual(Array(10).fill(undefined))
  expect(left()).toEqual({})
})

test('a request draws a fault with the given probability', () => {
  const { deal } = dealerOf({ seed: 3, chance: 0.2, faults: { reset: 10_000 }, perKey: 5 })

  const met = Array.from({ length: 10_000 }, (_, index) => deal(`key ${index}`)).filter((fault) => fault === 'reset')

  expect(met.length).toBeGreaterThan(1900)
  expect(met.length).toBeLessThan(2100)
})

test('faults that no request has met yet are reported', () => {
  const { deal, left } = dealerOf({ seed: 3, chance: 1, faults: { reset: 4 }, perKey: 5 })

  deal('a')

  expect(left()).toEqual({ reset: 3 })
})

test('an operation that has met its share of faults is spared, and others meet the rest', () => {
  const { deal, left } = dealerOf({ seed: 3, chance: 1, faults: { reset: 4 }, perKey: 2 })

  const unlucky = [deal('a'), deal('a'), deal('a'), deal('a')]
  const spared = left()
  const next = [deal('b'), deal('b'), deal('b')]

  expect(unlucky).toEqual(['reset', 'reset', undefined, undefined])
  expect(spared).toEqual({ reset: 2 })
  expect(next).toEqual(['reset', 'reset', undefined])
  expect(left()).toEqual({})
})

test('the same seed deals the same faults to the same requests, another seed others', () => {
  const dealtBy = (seed: number): (FaultName | undefined)[] => {
    const { deal } = dealerOf({ seed, chance: 0.4, faults: { reset: 10, 'apply-cut': 10 }, perKey: 5 })
    return Array.from({ length: 50 }, (_, index) => deal(`key ${index}`))
  }

  expect(dealtBy(1)).toEqual(dealtBy(1))
  expect(dealtBy(1)).not.toEqual(dealtBy(2))
})

test('"too many requests" is dealt in the first half', () => {
  const { deal } = dealerOf({ seed: 3, chance: 1, faults: { reset: 100, throttle: 5 }, perKey: 1 })

  const dealt = Array.from({ length: 105 }, (_, index) => deal(`key ${index}`))

  expect(dealt.filter((fault) => fault === 'throttle')).toHaveLength(5)
  expect(dealt.lastIndexOf('throttle')).toBeLessThan(58)
})

test('a refusal is dealt to an operation that lost an answer before, and to no other', () => {
  const { deal, left } = dealerOf({ seed: 3, chance: 1, faults: { reset: 3, 'status-400': 2 }, perKey: 5 })

  const dealt = ['a', 'b', 'a', 'a', 'b'].map(deal)

  expect(dealt).toEqual(['reset', 'reset', 'status-400', 'status-400', 'reset'])
  expect(left()).toEqual({})
})

test('faults are spread over all cheap kinds, half of them after the work, with the given number of costly ones', () => {
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

test('more costly faults than faults in total are refused', () => {
  expect(() => spreadFaults(4, { stall: 3 })).toThrow('more costly faults than faults in total')
})

test('there are at least thirteen kinds of faults, before the work and after it', () => {
  const kinds = Object.values(faultKinds)

  expect(kinds.filter(({ applies }) => !applies)).toHaveLength(17)
  expect(kinds.filter(({ applies }) => applies)).toHaveLength(13)
})
