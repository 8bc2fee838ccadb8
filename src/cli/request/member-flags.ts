// Flags for the members of a body that people type: each is `--set` under a shorter name.

import { Flags, type Interfaces } from '@oclif/core'
import { usageError } from '../../errors.ts'
import { mayBeEmpty, naming, pathIn, type Reference, repeatable, setting } from '../flags/kinds.ts'
import { instantFrom } from '../flags/time.ts'
import { nameList } from '../flags/values.ts'
import type { Ask } from '../prompt/needs.ts'

/** A member of a body that has a flag of its own. */
export interface MemberFlag {
  /** What help says. */
  about: string
  /** Its path in the body; absent: the name of the flag with `_` for `-`. */
  path?: string
  /** What it takes: a text unless this says otherwise; `many` is a list separated by commas, `pairs` are `name=value`. */
  takes?: 'switch' | 'many' | 'pairs' | readonly string[]
  /** Turns the text, or each of `many`, into the value that is sent, where the contract does not know its form. Throws `usage`. */
  as?: (text: string) => unknown
  /** The condition of a rule that it makes, and its operator: those of all flags are numbered, and must all hold. */
  condition?: readonly [name: string, operator: string]
  /** What stands for the value in help. */
  value?: string
  /** What it names, by id or name: the service knows ids alone. */
  names?: Reference
  /** An empty text is sent as null, which means none: no id is empty. */
  mayBeNone?: true
  /** What follows from it, in the form of `--set`: the kind of a discount, from its percentage. */
  implies?: readonly string[]
  /** Flags that say something else about the same. */
  exclusive?: readonly string[]
  /** The service creates none without it, or without a flag that says it in another way. */
  isNeeded?: true | Pick<Ask, 'or' | 'unless'>
  /** Its path where that flag is given, too. */
  beside?: readonly [flag: string, path: string]
  /** It is the same forever once it is created. */
  isFixed?: true
}

/** The flags of a body by their names. */
export type MemberFlags = Readonly<Record<string, MemberFlag>>

/** Makes the flags. */
export function flagsOfMembers(members: MemberFlags): Interfaces.FlagInput {
  return Object.fromEntries(
    Object.entries(members).map(
      ([name, { about: description, takes, value, exclusive, names, mayBeNone, path = pathOf(name) }]) => {
        const about = {
          ...setting(path),
          ...(names !== undefined && naming(names)),
          description,
          ...(exclusive !== undefined && { exclusive: exclusive.filter((other) => Object.hasOwn(members, other)) }),
        }
        if (takes === 'switch') return [name, Flags.boolean({ allowNo: true, ...about })]
        if (takes === 'many') return [name, repeatable(description, value ?? 'ID,…', about)]
        if (takes === 'pairs') return [name, repeatable(description, value ?? 'name=value', about)]
        if (takes !== undefined) return [name, Flags.option({ ...about, options: takes })()]
        // `null` clears a member, as with --set.
        const parse = async (given: string) => (value !== 'TIME' || given === 'null' ? given : instantFrom(given, name))
        const text = Flags.string({ ...about, helpValue: value ?? 'TEXT', parse })
        return [name, { ...text, ...((names === undefined || mayBeNone) && mayBeEmpty) }]
      },
    ),
  )
}

/** Returns the members that flags of other kinds set, for the columns of a file. */
export function membersSetBy(flags: Interfaces.FlagInput): MemberFlags {
  const set = Object.entries(flags).filter(([, flag]) => pathIn in flag && !('multiple' in flag && flag.multiple))
  return Object.fromEntries(
    set.map(([name, flag]) => [name, { about: flag.description ?? '', path: String(Reflect.get(flag, pathIn)) }]),
  )
}

/** Returns the path of the member whose flag has this name, for a column of a file; undefined: no flag takes one value for it. */
export function memberPath(members: MemberFlags, name: string): string | undefined {
  const member = Object.hasOwn(members, name) ? members[name] : undefined
  const isOne = member !== undefined && member.condition === undefined
  return isOne && member.takes !== 'many' && member.takes !== 'pairs' ? (member.path ?? pathOf(name)) : undefined
}

/** Reads the text of a column as the flag of its member reads it; undefined: no flag reads it in a way of its own. Throws `usage`. */
export function readByFlag(members: MemberFlags, path: string, text: string): unknown {
  if (/^[[{]/.test(text)) return undefined
  const named = Object.entries(members).find(([name, { as }]) => as !== undefined && memberPath(members, name) === path)
  return named?.[1].as?.(text)
}

/** Returns what follows from the members that a body has, as paths and values, unless it says otherwise. */
export function impliedBy(members: MemberFlags, valueAt: (path: string) => unknown): [path: string, value: string][] {
  return Object.entries(members)
    .filter(([name, { path = pathOf(name) }]) => valueAt(path) !== undefined)
    .flatMap(([, { implies = [] }]) => implies)
    .map((assignment): [string, string] => {
      const equals = assignment.indexOf('=')
      return [assignment.slice(0, equals), assignment.slice(equals + 1)]
    })
    .filter(([path]) => valueAt(path) === undefined)
}

/** Returns what was given of the members in the form of `--set`, before what `--set` itself was given. Throws `usage`. */
function setByMembers(members: MemberFlags, flags: Readonly<Record<string, unknown>>): string[] {
  const conditions = Object.entries(members).filter(
    ([name, { condition }]) => condition !== undefined && flags[name] !== undefined,
  )
  const set = Object.entries(members).flatMap(([name, member]) => {
    const { takes, as, names, condition, implies = [] } = member
    const given = flags[name] as string | boolean | string[] | undefined
    if (given === undefined) return []
    const [other = '', there] = member.beside ?? []
    const path = flags[other] === undefined ? (member.path ?? pathOf(name)) : there
    if (given === '' && names !== undefined) return [`${path}=null`]
    if (takes === 'pairs') return (given as string[]).map((pair) => `${path}.${checkedPair(name, pair)}`)
    const texts = Array.isArray(given) ? given.flatMap((text) => nameList(text)) : undefined
    const read = texts === undefined ? as?.(String(given)) : as === undefined ? texts : texts.map((text) => as(text))
    const value = read === undefined ? String(given) : JSON.stringify(read)
    if (condition === undefined) return [...implies, `${path}=${value}`]
    const number = conditions.findIndex(([one]) => one === name) + 1
    return [`rules.${number}.name=${condition[0]}`, `rules.${number}.conditions.${condition[1]}=[${value}]`]
  })
  if (conditions.length === 0) return set
  return [...set, `rules.logic=${JSON.stringify(conditions.map((_, at) => at + 1).join(' and '))}`]
}

/** Returns what the flags of members and `--set` give together; `--set` overrides. Throws `usage`. */
export function withMembers(members: MemberFlags, flags: Readonly<Record<string, unknown>>): string[] {
  return [...setByMembers(members, flags), ...((flags.set as string[] | undefined) ?? [])]
}

function pathOf(name: string): string {
  return name.replaceAll('-', '_')
}

function checkedPair(name: string, pair: string): string {
  if (pair.indexOf('=') > 0) return pair
  throw usageError(`--${name} "${pair}" does not have the form name=value`, `--${name} source=mail`)
}
