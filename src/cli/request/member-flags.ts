// Flags for the members of a body that people type: each is `--set` under a shorter name.

import { Flags, type Interfaces } from '@oclif/core'
import { repeatable } from '../flags/kinds.ts'
import { nameList } from '../flags/values.ts'

/** A member of a body that has a flag of its own. */
export interface MemberFlag {
  /** What help says. */
  about: string
  /** Its path in the body; absent: the name of the flag with `_` for `-`. */
  path?: string
  /** What it takes: a text unless this says otherwise; `many` is a list separated by commas. */
  takes?: 'switch' | 'many' | readonly string[]
  /** What stands for the value in help. */
  value?: string
  /** The service creates none without it. */
  isNeeded?: true
  /** It is the same forever once it is created. */
  isFixed?: true
}

/** The flags of a body by their names. */
export type MemberFlags = Readonly<Record<string, MemberFlag>>

/** Makes the flags. */
export function flagsOfMembers(members: MemberFlags): Interfaces.FlagInput {
  return Object.fromEntries(
    Object.entries(members).map(([name, { about: description, takes, value }]) => {
      if (takes === 'switch') return [name, Flags.boolean({ allowNo: true, description })]
      if (takes === 'many') {
        return [name, repeatable({ description, helpValue: value ?? 'ID,…' })]
      }
      if (takes !== undefined) return [name, Flags.option({ description, options: takes })()]
      return [name, Flags.string({ description, helpValue: value ?? 'TEXT' })]
    }),
  )
}

/** Returns what was given of the members in the form of `--set`, before what `--set` itself was given. */
export function setByMembers(members: MemberFlags, flags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(members).flatMap(([name, { path = name.replaceAll('-', '_') }]) => {
    const given = flags[name] as string | boolean | string[] | undefined
    if (given === undefined) return []
    return [`${path}=${Array.isArray(given) ? JSON.stringify(given.flatMap((text) => nameList(text))) : String(given)}`]
  })
}
