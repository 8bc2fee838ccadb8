// What validation rules ask of an order: its least and largest amount, and how often a customer may come.
// Source: docs/service/validation-rules.md#conditions; docs/service/validation-rules.md#operators.
import { isRecord } from '../base/record.ts'
import { type Logic, parseLogic } from '../contract/rule-logic.ts'
import { memberAt, type ShopObject } from './shop.ts'

/** A numbered condition. */
export interface Condition {
  name: string
  property: string
  conditions: Record<string, unknown[]>
}

/** The ways in which rules are met: of each all conditions hold. Undefined where there are too many to look at, or logic is wrong. */
export type Ways = readonly (readonly Condition[])[] | undefined

const mostWays = 128

/** Returns the ways in which all of some validation rules are met. */
export function waysOf(rules: readonly ShopObject[]): Ways {
  return rules.map(waysOfOne).reduce<Ways>(both, [[]])
}

function waysOfOne(rule: ShopObject): Ways {
  const tree = memberAt(rule, 'rules')
  if (!isRecord(tree)) return [[]]
  try {
    const logic = parseLogic(typeof tree.logic === 'string' ? tree.logic : '')
    return logic === undefined ? [[]] : waysIn(logic, tree)
  } catch {
    return undefined
  }
}

function waysIn(logic: Logic, tree: Record<string, unknown>): Ways {
  if ('rule' in logic) {
    const { name, property, conditions } = isRecord(tree[logic.rule])
      ? (tree[logic.rule] as Record<string, unknown>)
      : {}
    if (typeof name !== 'string' || !isRecord(conditions)) return undefined
    const lists = Object.entries(conditions).map(([operator, values]) => [
      operator,
      Array.isArray(values) ? values : [],
    ])
    return [[{ name, property: typeof property === 'string' ? property : '', conditions: Object.fromEntries(lists) }]]
  }
  const parts = logic.parts.map((part) => waysIn(part, tree))
  if (logic.join === 'and') return parts.reduce<Ways>(both, [[]])
  return parts.includes(undefined) ? undefined : limitWays(parts.flatMap((ways) => ways ?? []))
}

function both(one: Ways, other: Ways): Ways {
  return limitWays(one && other && one.flatMap((first) => other.map((second) => [...first, ...second])))
}

function limitWays(ways: Ways): Ways {
  return ways !== undefined && ways.length > mostWays ? undefined : ways
}

/** Whole numbers between two bounds, both inside. */
export interface Range {
  least: number
  most: number
}

const everything: Range = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY }

/** Of all values all must hold, so the strictest counts. */
const bounds: Readonly<Record<string, (values: number[]) => Partial<Range>>> = {
  $more_than: (values) => ({ least: Math.max(...values) + 1 }),
  $more_than_or_equal: (values) => ({ least: Math.max(...values) }),
  $greater_than_or_equal: (values) => ({ least: Math.max(...values) }),
  $less_than: (values) => ({ most: Math.min(...values) - 1 }),
  $less_than_or_equal: (values) => ({ most: Math.min(...values) }),
  $is: (values) => ({ least: Math.min(...values), most: Math.max(...values) }),
  $in: (values) => ({ least: Math.min(...values), most: Math.max(...values) }),
}

/** Returns the values that a condition allows; all where it is not about numbers. */
export function rangeOf({ conditions }: Condition): Range {
  return Object.entries(conditions).reduce((range, [operator, values]) => {
    const numbers = values.filter((value): value is number => typeof value === 'number')
    const bound = Object.hasOwn(bounds, operator) ? bounds[operator] : undefined
    if (bound === undefined || numbers.length === 0 || numbers.length < values.length) return range
    const { least = everything.least, most = everything.most } = bound(numbers)
    return { least: Math.max(range.least, least), most: Math.min(range.most, most) }
  }, everything)
}

/** The amount before this incentive, before any, and after it. */
const amounts = ['order.amount', 'order.initial_amount', 'order.total_amount']

/** Returns the smallest and the largest amount of an order that meets rules; undefined where what is in the order decides it. */
export function amountsOf(ways: Ways): Range | undefined {
  const ranges = ways?.map((way) => {
    if (way.some(({ name }) => /^(?:order\.items|product|sku)\./.test(name))) return undefined
    return intersection(way.filter(({ name }) => amounts.includes(name)).map(rangeOf))
  })
  if (ranges === undefined || ranges.includes(undefined)) return undefined
  const known = ranges as Range[]
  return {
    least: Math.max(0, Math.min(...known.map(({ least }) => least))),
    most: Math.max(...known.map(({ most }) => most)),
  }
}

/** Says whether what is paid in the end has a least amount in every way to meet rules. */
export function keepsTotal(ways: Ways): boolean {
  const keeps = (one: Condition) => one.name === 'order.total_amount' && rangeOf(one).least > 0
  return ways?.every((way) => way.some(keeps)) ?? false
}

/** Says whether every way to meet rules has a most for something whose name begins so, such as `redemption.count.per_customer`. */
export function isLimited(ways: Ways, ...names: string[]): boolean {
  const limits = (one: Condition) =>
    names.some((name) => one.name.startsWith(name)) && Number.isFinite(rangeOf(one).most)
  return ways === undefined || ways.every((way) => way.some(limits))
}

/** Subjects that are whole numbers, and the least that each can be: a count has this redemption in it. */
const leastOf: readonly [RegExp, number][] = [
  [/^order\.(?:amount|initial_amount|total_amount|items\.count)$/, 0],
  [/^(?:redemption\.count|campaign\.redemptions\.(?:customers_)?count)(?:\.|$)/, 1],
  [/^campaign\.orders\./, 0],
]

/** Returns why a way to meet rules cannot be gone; undefined where it may be. */
export function contradictionIn(way: readonly Condition[], money: (amount: number) => string): string | undefined {
  for (const [, same] of Map.groupBy(way, ({ name, property }) => `${name} ${property}`)) {
    const [first] = same
    if (first === undefined) continue
    const subject = first.property === '' ? first.name : `${first.name} ${JSON.stringify(first.property)}`
    const found = leastOf.find(([names]) => names.test(first.name))
    if (found !== undefined) {
      const { least, most } = intersection([{ ...everything, least: found[1] }, ...same.map(rangeOf)])
      const words = subject.includes('amount') ? money : String
      if (least > most) return `${subject} would have to be at least ${words(least)} and at most ${words(most)}`
    }
    const values = (operators: string[]) =>
      same.flatMap(({ conditions }) =>
        operators.map((operator) => conditions[operator]).filter((list) => list !== undefined),
      )
    const denied = new Set(
      values(['$is_not', '$not_in'])
        .flat()
        .map((one) => JSON.stringify(one)),
    )
    // Each line of an order may be another product, so nothing about lines excludes itself.
    const wanted = /^(?:order\.items|product|sku)\./.test(first.name) ? [] : values(['$is', '$in'])
    const excluded = wanted.find((list) => list.length > 0 && list.every((one) => denied.has(JSON.stringify(one))))
    if (excluded !== undefined) return `${subject} would have to be ${JSON.stringify(excluded[0])} and not to be it`
  }
  return undefined
}

function intersection(ranges: readonly Range[]): Range {
  return {
    least: Math.max(everything.least, ...ranges.map(({ least }) => least)),
    most: Math.min(everything.most, ...ranges.map(({ most }) => most)),
  }
}

/** Says whether rules restrict a discount to some products. */
export function namesProducts(rules: readonly ShopObject[]): boolean {
  return rules.some((rule) =>
    ['included', 'excluded'].some((list) => {
      const entries = memberAt(rule, `applicable_to.${list}`)
      return Array.isArray(entries) && entries.length > 0
    }),
  )
}
