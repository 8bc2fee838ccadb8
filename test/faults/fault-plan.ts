// Which request meets which fault: a shuffled deck with one card per request, dealt in the order of arrival.
import { cheapFaults, type FaultCounts, type FaultName, faultKinds, faultNames, faultsIn } from './fault-kinds.ts'

export interface FaultPlan {
  /** The same seed gives the same deck. */
  seed: number
  /** Cards in the deck: faults and cards without a fault together. Requests after them meet no fault. */
  requests: number
  faults: FaultCounts
  /** Faults that one operation meets at most, so that no row runs out of attempts. */
  perKey: number
}

export interface Dealer {
  /** Deals the card of the next request; undefined: it is answered as it should be. */
  deal: (key: string) => FaultName | undefined
  /** Scripted faults that no request has met yet. */
  left: () => FaultCounts
}

/**
 * Makes the dealer of a plan.
 *
 * A fault that comes to an operation which has met enough of them waits for the next request that may meet it, so no
 * scripted fault is ever dropped.
 */
export function dealerOf({ seed, requests, faults, perKey }: FaultPlan): Dealer {
  const names = faultNames.flatMap((name) => Array<FaultName>(faults[name] ?? 0).fill(name))
  if (names.length > requests) throw new RangeError(`${names.length} faults do not fit into ${requests} requests`)
  const deck = deckOf(names, requests, randomFrom(seed))
  const heldBack: FaultName[] = []
  const metBy = new Map<string, number>()
  let next = 0

  return {
    deal(key) {
      const card = deck[next]
      next += 1
      if (card !== undefined) heldBack.push(card)
      const met = metBy.get(key) ?? 0
      if (met >= perKey) return undefined
      const fault = heldBack.shift()
      if (fault !== undefined) metBy.set(key, met + 1)
      return fault
    },
    left: () => counted([...heldBack, ...deck.slice(next).filter((card) => card !== undefined)]),
  }
}

/**
 * Spreads so many faults over all cheap kinds, half of them after the work was done, with a few of the dear kinds as given.
 *
 * `without` are kinds to leave out.
 */
export function spreadFaults(total: number, dear: FaultCounts, without: readonly FaultName[] = []): FaultCounts {
  const counts: FaultCounts = { ...dear }
  for (const applies of [true, false]) {
    const names = cheapFaults.filter((name) => faultKinds[name].applies === applies && !without.includes(name))
    const wanted =
      (applies ? Math.ceil(total / 2) : Math.floor(total / 2)) - faultsIn(dear, (kind) => kind.applies === applies)
    if (wanted < 0) throw new RangeError('more dear faults than faults in all')
    for (const [index, name] of names.entries()) {
      counts[name] = Math.floor(wanted / names.length) + (index < wanted % names.length ? 1 : 0)
    }
  }
  return counts
}

/** Counts faults by kind. */
export function counted(names: readonly FaultName[]): FaultCounts {
  const counts: FaultCounts = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Random numbers from 0 up to but not including 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Shuffles faults among as many requests. What says "too many requests" comes in the first half: the pace that it slows down
 * is forgotten with the next kill, and would hold up what is left after the last one.
 */
function deckOf(names: readonly FaultName[], requests: number, random: () => number): (FaultName | undefined)[] {
  const isThrottle = (name: FaultName) => faultKinds[name].tells === 'rejected'
  const others = names.filter((name) => !isThrottle(name))
  const throttles = names.filter(isThrottle)
  const blanks = Array<undefined>(requests - names.length).fill(undefined)
  const deck = shuffled([...others, ...blanks], random)
  for (const name of throttles) deck.splice(Math.floor((random() * requests) / 2), 0, name)
  return deck
}

function shuffled<Card>(cards: readonly Card[], random: () => number): Card[] {
  const deck = [...cards]
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    ;[deck[last], deck[other]] = [deck[other] as Card, deck[last] as Card]
  }
  return deck
}
