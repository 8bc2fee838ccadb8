// Which request meets which fault: a bag of faults, from which requests draw at random, in the order of arrival.
import {
  cheapFaults,
  type FaultCounts,
  type FaultKind,
  type FaultName,
  faultKinds,
  faultNames,
  faultsIn,
} from './fault-kinds.ts'

export interface FaultPlan {
  /** The same seed gives the same faults to the same requests. */
  seed: number
  /** The probability that a request draws while the bag is not empty, from 0 to 1. */
  chance: number
  /** The content of the bag. */
  faults: FaultCounts
  /** The most faults that one operation meets, so that no row runs out of attempts. */
  perKey: number
}

export interface Dealer {
  /** Draws for the next request; undefined: it is answered correctly. */
  deal: (key: string) => FaultName | undefined
  /** Scripted faults that no request has met yet. */
  left: () => FaultCounts
}

/** A plan without a fault. */
export const noFaults: FaultPlan = { seed: 1, chance: 0, faults: {}, perKey: 0 }

/** Makes the dealer of a plan. Each scripted fault is met by a request or reported as left; none is dropped. */
export function dealerOf({ seed, chance, faults, perKey }: FaultPlan): Dealer {
  const random = randomFrom(seed)
  const all = bagOf(faults, random)
  const bag = all.filter((name) => !isAfterLoss(name))
  const refusals = all.filter(isAfterLoss)
  const metBy = new Map<string, number>()
  const lost = new Set<string>()
  let next = 0

  return {
    deal(key) {
      const draws = random() < chance
      const met = metBy.get(key) ?? 0
      if (!draws || met >= perKey) return undefined
      const fault = (lost.has(key) ? refusals.pop() : undefined) ?? bag[next++]
      if (fault === undefined) return undefined
      metBy.set(key, met + 1)
      if (faultKinds[fault].proves === 'ambiguous') lost.add(key)
      return fault
    },
    left: () => counted([...bag.slice(next), ...refusals]),
  }
}

function isAfterLoss(name: FaultName): boolean {
  return (faultKinds[name] as FaultKind).isAfterLoss === true
}

/** Spreads this many faults over kinds, all cheap ones by default, half of them after the work, with the given costly ones. */
export function spreadFaults(
  total: number,
  costly: FaultCounts,
  kinds: readonly FaultName[] = cheapFaults,
): FaultCounts {
  const counts: FaultCounts = { ...costly }
  for (const applies of [true, false]) {
    const names = kinds.filter((name) => faultKinds[name].applies === applies)
    const wanted =
      (applies ? Math.ceil(total / 2) : Math.floor(total / 2)) - faultsIn(costly, (kind) => kind.applies === applies)
    if (wanted < 0) throw new RangeError('more costly faults than faults in total')
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
 * Shuffles faults. "Too many requests" comes in the first half: the next kill forgets the pace it slows down; after the
 * last kill it would delay the remaining rows.
 */
function bagOf(faults: FaultCounts, random: () => number): FaultName[] {
  const names = faultNames.flatMap((name) => Array<FaultName>(faults[name] ?? 0).fill(name))
  const isThrottle = (name: FaultName) => faultKinds[name].proves === 'rejected'
  const bag = shuffled(
    names.filter((name) => !isThrottle(name)),
    random,
  )
  for (const name of names.filter(isThrottle)) bag.splice(Math.floor((random() * names.length) / 2), 0, name)
  return bag
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const mixed = [...items]
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    ;[mixed[last], mixed[other]] = [mixed[other] as Item, mixed[last] as Item]
  }
  return mixed
}
