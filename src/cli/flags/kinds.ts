// The kinds of arguments and flags that commands declare.
import { Args, Flags, type Interfaces } from '@oclif/core'
import { durationMs, nameList, wholeNumber } from './values.ts'

/** The values of flags as parsed; each may be missing, where another flag or a test stands for it. */
export type ValuesOf<F extends Interfaces.FlagInput> = Partial<
  Pick<Interfaces.InferredFlags<F>, keyof F & keyof Interfaces.InferredFlags<F>>
>

type Argument<T> = Interfaces.Arg<T, Record<string, unknown>>

/** What else a flag may say: the flags it goes with, and where help shows it. */
type Related = Pick<
  NonNullable<Parameters<typeof Flags.string>[0]>,
  'atLeastOne' | 'char' | 'dependsOn' | 'exactlyOne' | 'exclusive'
> & { [referenceIn]?: Reference; [cardIn]?: string; [pathIn]?: string }

/**
 * An argument that is needed. None is ever read from stdin, which oclif would do by default. One that `names` something that the
 * service knows by id alone takes its name, too.
 */
export function argument(description: string, names?: Reference): Argument<string> {
  return Args.string({ description, ignoreStdin: true, required: true, ...(names !== undefined && naming(names)) })
}

/** An argument that may be left out. */
export function optionalArgument(description: string): Argument<string | undefined> {
  return Args.string({ description, ignoreStdin: true })
}

/** An argument that takes all words that are left; none is allowed. */
export function argumentList(description: string): Argument<string[] | undefined> {
  return Args.string({ description, ignoreStdin: true, multiple: true })
}

/** A flag that takes one text, which help shows as `helpValue`. */
export function textFlag(description: string, helpValue?: string, more: Related = {}) {
  return Flags.string({ description, ...(helpValue !== undefined && { helpValue }), ...more })
}

/** A flag that takes one of some texts. */
export function choiceFlag<const Choice extends string, More extends Related & { default?: NoInfer<Choice> }>(
  description: string,
  options: readonly Choice[],
  more?: More,
) {
  type Value = More extends { default: string } ? Choice : Choice | undefined
  return Flags.option({ description, options, ...more })() as Interfaces.OptionFlag<Value>
}

/** A flag that takes nothing. */
export function switchFlag(
  description: string,
  more: Partial<Interfaces.BooleanFlag<boolean>> & { [pathIn]?: string } = {},
) {
  return Flags.boolean({ description, ...more })
}

const wholeNumbers = Flags.custom<number, { least: number; most: number }>({
  helpValue: 'N',
  parse: async (text, _context, { least, most }) => wholeNumber(text, least, most),
})

/** A flag that takes a whole number between two bounds, both allowed. */
export function count<More extends Related & { default?: number; required?: true }>(
  description: string,
  least: number,
  most: number,
  more?: More,
) {
  type Value = More extends { default: number } | { required: true } ? number : number | undefined
  return wholeNumbers({ description, least, most, ...more }) as Interfaces.OptionFlag<Value>
}

const milliseconds = Flags.custom<number>({ parse: async (text) => durationMs(text) })
const nameLists = Flags.custom<string[]>({ parse: async (text) => nameList(text) })

/** A flag that takes a duration such as `30s`, in milliseconds. */
export function duration(description: string, helpValue: string) {
  return milliseconds({ description, helpValue })
}

/** A flag that takes names with commas between them. */
export function names(description: string, helpValue: string, more: Related = {}) {
  return nameLists({ description, helpValue, ...more })
}

/** What marks a flag whose text may be empty: the service keeps the member that it sets so. All others refuse an empty one. */
export const mayBeEmpty = { mayBeEmpty: true } as const

/** What a flag or an argument names, and the service knows by id alone. */
export type Reference =
  | 'campaign'
  | 'category'
  | 'collection'
  | 'customer'
  | 'earning rule'
  | 'event schema'
  | 'loyalty tier'
  | 'metadata schema'
  | 'offer'
  | 'person'
  | 'product'
  | 'project template'
  | 'reward'
  | 'rule'
  | 'segment'
  | 'stack'
  | 'template'
  | 'tier'

/** Where a flag or an argument keeps what it names: declared commands look up the id of a name. */
export const referenceIn = Symbol('what is named')

/** Where a flag for a program keeps the flag that names a card of it: with that one, this one may be left out. */
export const cardIn = Symbol('a card of the program')

/** A flag that names an object, by id or name. */
export function namingFlag(kind: Reference, description: string, more: Related = {}) {
  return textFlag(description, 'ID', { ...more, ...naming(kind) })
}

/** What marks such a flag or argument. */
export function naming(kind: Reference) {
  return { [referenceIn]: kind }
}

/** Where a flag keeps the path of the member of a body that it sets: a column of a file may have the name of the flag. */
export const pathIn = Symbol('path of a member')

/** What marks such a flag. */
export function setting(path: string) {
  return { [pathIn]: path }
}

/** A flag that takes one text, and may be repeated. */
export function repeatable(description: string, helpValue: string, more: Related = {}) {
  return Flags.string({ description, helpValue, ...more, multiple: true, multipleNonGreedy: true })
}
