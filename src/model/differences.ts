// The comparison of what was asked for with what the service shows.
import { isRawNumber } from '../base/lossless-json.ts'
import { ownValue } from '../base/record.ts'
import { isInstant } from '../contract/fields.ts'
import type { Form } from './kind.ts'
import { isSame } from './value.ts'

/**
 * How a member is compared.
 *
 * - `ignored`: not at all. `whole`: at any depth it may have nothing that was not asked for.
 * - A form of the model: as the model compares it.
 * - A function: returns true where the object shows the value in another way; otherwise it is compared like any other.
 */
export type ComparedAs = Form | 'ignored' | 'whole' | ((asked: unknown, object: Record<string, unknown>) => boolean)

export interface Forms {
  /** By the path of the member: `gift.balance`; in an item of a list `validity_hours.daily.*.days_of_week`. */
  members?: Readonly<Record<string, ComparedAs>>
  /** The object is a row of a list: members that it does not show are unknown, and lists are in any order. */
  isListed?: boolean
}

/**
 * Returns the paths of what was asked for and differs in what is shown, in the order of the request: `gift.amount`,
 * `metadata.tags[1]`. Empty: the object is what was asked for.
 *
 * Instants are compared as instants, numbers by value. Null, an absent member and an empty object are the same. What only the
 * object has does not count.
 */
export function differences(asked: object, shown: object, { members = {}, isListed = false }: Forms = {}): string[] {
  const object = shown as Record<string, unknown>

  function ofMembers(path: string, some: object, others: unknown, isWhole: boolean): string[] {
    const known = membersOf(others)
    const more = isWhole ? Object.keys(known).filter((name) => !Object.hasOwn(some, name)) : []
    return [...Object.keys(some), ...more].flatMap((name) =>
      isListed && !Object.hasOwn(known, name)
        ? []
        : ofValue(path === '' ? name : `${path}.${name}`, membersOf(some)[name], known[name], isWhole),
    )
  }

  function ofValue(path: string, one: unknown, other: unknown, isInWhole: boolean): string[] {
    const as = isInWhole ? 'whole' : ownValue(members, path.replaceAll(/\[\d+\]/g, '.*'))
    if (as === 'ignored' || (isNothing(one) && isNothing(other))) return []
    if (typeof as === 'function') {
      if (as(one, object)) return []
    } else if (as !== undefined && as !== 'whole') return isSame({ form: as }, one, other) ? [] : [path]
    if (Array.isArray(one)) return ofList(path, one, other, as === 'whole')
    if (!isObject(one)) return isSameScalar(one, other) ? [] : [path]
    return isObject(other) ? ofMembers(path, one, other, as === 'whole') : [path]
  }

  function ofList(path: string, some: unknown[], others: unknown, isWhole: boolean): string[] {
    if (!Array.isArray(others) || others.length !== some.length) return [path]
    if (!isListed) return some.flatMap((one, at) => ofValue(`${path}[${at}]`, one, others[at], isWhole))
    const isIn = (one: unknown) => others.some((other) => ofValue(`${path}[0]`, one, other, isWhole).length === 0)
    return some.every(isIn) ? [] : [path]
  }

  return ofMembers('', asked, shown, false)
}

function isSameScalar(asked: unknown, shown: unknown): boolean {
  const [one, other] = [numberIn(asked), numberIn(shown)]
  if (one !== undefined && other !== undefined) {
    return typeof one === typeof other ? one === other : Number(one) === Number(other)
  }
  if (typeof asked === 'string' && typeof shown === 'string' && isInstant(asked) && isInstant(shown)) {
    return Date.parse(asked) === Date.parse(shown)
  }
  return asked === shown
}

/** A number, or the text of one that JavaScript cannot hold (`JSON.rawJSON`). */
function numberIn(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value
  const { rawJSON } = membersOf(value)
  return typeof rawJSON === 'string' && isRawNumber(value) ? rawJSON : undefined
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
