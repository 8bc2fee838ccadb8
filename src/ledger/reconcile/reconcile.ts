// Compares the orders of a shop with the copy: asks each kind about each order, and says what to do. Nothing is written to the service.
import { dayMs } from '../../base/duration.ts'
import { addDuration } from '../../base/time/calendar-duration.ts'
import { timeZoneOf } from '../../base/time/time-zone.ts'
import { rollbackMonths } from '../../contract/redemptions.ts'
import { completeUntil } from '../completeness.ts'
import type { Copy } from '../copy.ts'
import type { TableName } from '../schema.ts'
import type { Case } from './case.ts'
import { type About, type Found, type Kind, kinds, takenBy } from './kinds.ts'
import { commandOf, type Remedy } from './remedies.ts'
import type { Scope, Tables } from './tables.ts'

/** What orders are compared with. */
export const comparedTables: readonly TableName[] = ['orders', 'redemptions', 'transactions', 'vouchers']

/** A difference, as it is reported. Money is in the smallest currency unit. */
export interface Difference {
  /** The same in every run; it is the source id of a transaction that repairs it. */
  id: string
  kind: string
  order: string | null
  code: string | null
  redemption: string | null
  money: number | null
  points: number | null
  /** Whole days in which the service rolls the redemption back; negative: it is too late. Null: nothing is to be rolled back. */
  days_left: number | null
  /** False: the data does not allow to say whether, or how much. */
  decided: boolean
  message: string
  /** The name of the remedy, and what to do: a command where there is one. */
  fix: string | null
  do: string | null
  shop: object | null
  service: object | null
  /** The row of the file of the remedy. */
  remedy: Remedy | undefined
}

export interface Choice {
  only?: readonly string[] | undefined
  ignored?: readonly string[] | undefined
}

/** Yields the differences, in the order of the input, then those of redemptions that the input has no order of. */
export function* differences(
  tables: Tables,
  copy: Copy,
  { scope, choice, nowMs }: { scope: Scope; choice: Choice; nowMs: number },
): Generator<Difference> {
  const { only, ignored = [] } = choice
  const asked = kinds.filter(({ name }) => (only === undefined || only.includes(name)) && !ignored.includes(name))
  const about = aboutOf(copy, scope, nowMs)
  const until = completeUntil(copy, comparedTables)
  for (const one of tables.cases(scope)) {
    const named = new Set<string>()
    let isFound = false
    // A kind that is not asked for still explains what others would find.
    for (const kind of kinds) {
      if (kind.isLast && isFound) continue
      const idOf = (subject: string) => `${kind.name}/${subject}`
      for (const found of kind.find(one, about, idOf)) {
        const { use } = found
        if (use !== undefined && named.has(use.id)) continue
        if (use !== undefined) named.add(use.id)
        isFound = true
        const id = idOf(found.subject)
        if (!asked.includes(kind) || tables.isRepaired(id)) continue
        yield differenceOf(id, kind, found, one, { until, last: scope.until })
      }
    }
  }
}

function aboutOf(copy: Copy, { ignoresCase }: Scope, nowMs: number): About {
  const zone = timeZoneOf(copy.about('time_zone') ?? 'UTC')
  const window = { months: rollbackMonths, days: 0, clockMs: 0 }
  return {
    daysLeft: ({ at }) => Math.floor((addDuration(Date.parse(at), window, zone) - nowMs) / dayMs),
    isSame: (one, other) => one === other || (ignoresCase && one.toLowerCase() === other.toLowerCase()),
  }
}

interface Horizon {
  /** Until when the copy is complete. */
  until: string | undefined
  /** Until when the input has orders. */
  last: string | undefined
}

function differenceOf(id: string, kind: Kind, found: Found, one: Case, { until, last }: Horizon): Difference {
  const { use, earned, says, remedy, advice } = found
  const { shop } = one
  const at = shop?.at ?? last
  const isNewer = kind.isAbsence === true && (until === undefined || at === undefined || at > until)
  const why = isNewer ? `the copy is complete until ${until ?? 'no time'}, and the order may be newer` : found.undecided
  return {
    id,
    kind: kind.name,
    order: one.number,
    code: use?.code ?? earned?.card ?? found.code ?? null,
    redemption: use?.id ?? null,
    money: found.money ?? null,
    points: found.points ?? null,
    days_left: found.daysLeft ?? null,
    decided: why === undefined,
    message: `${says}${why === undefined ? '' : `; ${why}`}`,
    fix: why === undefined ? (remedy?.name ?? null) : null,
    do: isNewer ? 'promo ledger pull' : remedy === undefined ? (advice ?? null) : commandOf(remedy),
    shop: shop === undefined ? null : factsOf(shop),
    service:
      use === undefined ? (earned ?? one.order ?? null) : { ...use, taken: takenBy(use), order: one.order ?? null },
    remedy: why === undefined ? remedy : undefined,
  }
}

function factsOf({ number: _, ...said }: NonNullable<Case['shop']>): object {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null && value !== ''))
}
