// Flags that choose rows: by a state that is known of an object itself, and on what writes by the filters of a list.
import type { Interfaces } from '@oclif/core'
import type { Endpoint } from '../../contract/endpoint.ts'
import { dateFlags } from './dates.ts'
import { groupFlags, keyFlags } from './flags.ts'
import { switchFlag, textFlag } from './kinds.ts'

/** A switch for a state of an object. */
export interface StateFilter {
  about: string
  /** The switch takes `--no-…`, too. */
  allowNo?: true
  /** The switches that contradict it. */
  exclusive?: string[]
  /** The conditions of the service, by field: sent where the call takes filters. */
  conditions: (isOn: boolean) => Record<string, { conditions: Record<string, unknown> }>
  /** What shows it of an object: a service that does not know a condition may ignore it. */
  keeps: (object: object, isOn: boolean, nowMs: number) => boolean
}

export type StateFilters = Readonly<Record<string, StateFilter>>

/** Makes the switches of states. */
export function stateFlags(states: StateFilters = {}) {
  const flags = Object.entries(states).map(([name, { about, allowNo = false, exclusive = [] }]) => [
    name,
    switchFlag(about, { allowNo, exclusive }),
  ])
  return Object.fromEntries(flags) as Record<string, Interfaces.BooleanFlag<boolean>>
}

/** Makes the flags by which a command that writes chooses from a list: its filters, unless the command has a flag or an argument of that name. */
export function choosingFlags(
  {
    calls,
    flags = {},
    states,
  }: { calls: readonly [Endpoint, ...Endpoint[]]; flags?: Interfaces.FlagInput; states?: StateFilters },
  taken: object,
): Interfaces.FlagInput {
  const { order: _, ...filters } = { ...flags, ...stateFlags(states), ...dateFlags(calls[0]) } as Interfaces.FlagInput
  const free = Object.entries(filters).filter(([name]) => !Object.hasOwn(taken, name))
  return groupFlags('FILTER', Object.fromEntries(free))
}

/** Makes the flags for how the keys of the file are read that one of these flags names. */
export function keyFlagsWith(...files: string[]): Interfaces.FlagInput {
  const relationships = [{ type: 'some' as const, flags: files }]
  const flags = Object.entries(keyFlags).map(([name, flag]) => [name, { ...flag, relationships }])
  return groupFlags('BULK', Object.fromEntries(flags))
}

/** What is left out of what they choose, and how the keys of that file are read: as those of --from. */
export const exceptFlags: Interfaces.FlagInput = {
  ...groupFlags('FILTER', {
    except: textFlag('with a filter like --created-before: leave out what this file names', 'FILE|-'),
  }),
  ...keyFlagsWith('from', 'except'),
}
