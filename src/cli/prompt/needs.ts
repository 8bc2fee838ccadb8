// What a command needs, as data: its required arguments and flags, and what its `asks` add.
import type { Asker, Keeper } from '../run/host.ts'

/** The commands of the program: a CommandSource, which is made of what is declared here. */
export type Source = object

/** One option of a list. */
export interface Choice {
  value: string
  /** Its description, shown next to it. */
  about?: string
}

/**
 * What is known of an argument or a flag beyond oclif's definition: it is needed, and how the user is asked for it.
 *
 * A required one needs no entry: it is then asked for by its description, and its options are the choices.
 */
export interface Ask {
  /** Flags that replace it, and are not asked for. */
  unless?: readonly string[]
  /** Flags that replace it, too, and are so many that a message names one. */
  filters?: readonly string[]
  /** Arguments and flags that say the same in another way; the user is asked which. */
  or?: readonly string[]
  /** The question, unless it is the description; ends with its own colon or question mark. */
  question?: string
  /** Whether one answer is enough, although a command line may give several. */
  isOne?: boolean
  /** The options; `source` has the commands. Throws `usage` when there are none. */
  choices?(host: Asker & Keeper, source: Source): Promise<readonly Choice[]>
  /** Reads one answer as the command will; throws `usage` for one that it does not accept. */
  check?: (text: string, host: Asker & Keeper) => unknown
}

/** The asks of a command, by the name of an argument or a flag. */
export type Asks = Readonly<Record<string, Ask>>

/** The part of oclif's definition of an argument or a flag that is read here. */
export interface Definition {
  description?: string | undefined
  required?: boolean | undefined
  multiple?: boolean | undefined
  type?: 'boolean' | 'option'
  allowNo?: boolean | undefined
  options?: readonly string[] | undefined
  exactlyOne?: readonly string[] | undefined
  atLeastOne?: readonly string[] | undefined
  parse?: unknown
}

/** The part of a command class that is read here. */
export interface Needing {
  args?: Readonly<Record<string, Definition>>
  flags?: Readonly<Record<string, Definition>>
  asks?: Asks | undefined
}

/** An argument or a flag that can be asked for. */
export interface Field extends Ask {
  kind: 'argument' | 'flag'
  name: string
  definition: Definition
}

/** Something that is missing: any one of the fields provides it. */
export interface Need {
  fields: readonly Field[]
  /** Flags that would provide it as well, and are not asked for. */
  unless: readonly string[]
  filters?: readonly string[] | undefined
  /** Whether more than one of the fields may be given. */
  isOpen: boolean
}

/** Values by the names of arguments and flags. */
export type Given = Readonly<Record<string, unknown>>

/** Returns what was not given: arguments first, both in the order in which they are declared. */
export function needsOf(command: Needing, given: Given): Need[] {
  const { args = {}, flags = {}, asks = {} } = command
  const fields = new Map<string, Field>()
  for (const [name, definition] of Object.entries(args)) {
    fields.set(name, { kind: 'argument', name, definition, ...asks[name] })
  }
  for (const [name, definition] of Object.entries(flags)) {
    fields.set(name, { kind: 'flag', name, definition, ...asks[name] })
  }
  const fieldsNamed = (names: readonly string[]) => names.map((name) => fieldNamed(name, fields))
  const groups = new Set<string>()
  const needs: Need[] = []
  for (const field of fields.values()) {
    const { required, exactlyOne, atLeastOne } = field.definition
    const group = exactlyOne ?? atLeastOne
    if (group !== undefined && group.length > 0) {
      if (groups.has(group.join())) continue
      groups.add(group.join())
      needs.push({ fields: fieldsNamed(group), unless: [], isOpen: exactlyOne === undefined })
    } else if (required || field.name in asks) {
      needs.push({
        fields: [field, ...fieldsNamed(field.or ?? [])],
        unless: field.unless ?? [],
        filters: field.filters,
        isOpen: false,
      })
    }
  }
  return needs.filter(({ fields: any, unless, filters = [] }) =>
    [...any.map(({ name }) => name), ...unless, ...filters].every((name) => given[name] === undefined),
  )
}

function fieldNamed(name: string, fields: ReadonlyMap<string, Field>): Field {
  const field = fields.get(name)
  if (field === undefined) throw new Error(`no argument and no flag is called ${name}`)
  return field
}

/** Returns what would fill a need, as it is typed: `CODE`, `--from`. */
export function waysOf({ fields, unless }: Need): string[] {
  return [
    ...fields.map(({ kind, name }) => (kind === 'flag' ? `--${name}` : name.toUpperCase())),
    ...unless.map((name) => `--${name}`),
  ]
}

/** Whether the last word is a number and the one before is not: a value after a code, and no code that is a number like others. */
export function endsInNumberAlone(words: readonly string[]): boolean {
  const [before, last] = words.slice(-2).map((word) => /^\d+$/.test(word))
  return before === false && last === true
}
