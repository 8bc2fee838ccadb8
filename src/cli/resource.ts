// The commands of one resource from one declaration: list, get, create, update, delete, enable and disable.

import type { z } from 'zod'
import type { Client } from '../api/client.ts'
import { argumentWords } from '../base/shell-word.ts'
import { startedAction } from '../contract/async-actions.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { ColumnSet } from '../output/column.ts'
import type { CommandClass } from './command.ts'
import type { CommandInput } from './declared/command.ts'
import { listCommand } from './declared/list.ts'
import { readCommand } from './declared/read.ts'
import { writeCommand } from './declared/write.ts'
import { argument, type Reference, switchFlag } from './flags/kinds.ts'
import { orderFlag } from './flags/order.ts'
import { quotedValue } from './prompt/asked-value.ts'
import type { Ask } from './prompt/needs.ts'
import { ifExistsFlag, membersIn } from './request/if-exists.ts'
import { flagsOfMembers, type MemberFlag, type MemberFlags } from './request/member-flags.ts'
import { inBackground } from './topics/async/background.ts'

const verbs = ['list', 'get', 'create', 'update', 'delete', 'enable', 'disable'] as const

type Verb = (typeof verbs)[number]

/** How something is named on a command line. */
interface Named {
  /** The name of the argument. */
  name: string
  about: string
  /** One of the demo project, as it is typed. */
  example: string
  /** What it names, by id or name, where the service knows ids alone. */
  names?: Reference
}

/** What help says of a command. Its examples are of a creation and a change the flags and the body, of others the whole lines. */
type Texts = Partial<{ summary: string; description: string; examples: readonly [string, string] }>

/** What the commands of a resource are made from. */
export interface Resource<Verbs extends Verb> {
  /** The words before the verb: `loyalty earning-rules`. */
  topic: string
  /** One of it, in words. */
  noun: string
  columns: ColumnSet
  calls: Record<Verbs, Endpoint>
  /** How one is named; absent for what is only listed or created. */
  named: Named
  /** What it is a part of, and the name of that in the paths of the calls. */
  within?: Named & { path: string }
  /** Members that people type, each with a flag of its own; `--body` and `--set` take the others. */
  members: MemberFlags
  /** What a new one has unless the command line says otherwise. */
  defaults?: Readonly<Record<string, unknown>>
  /** The member by which one that exists is found where the service refuses a second of that name: brings `--if-exists`. */
  unique?: string
  /** How it is listed and read, if not by its own `list` and `get`; the words of the list are about what it is a part of. */
  elsewhere?: { list: Endpoint; get: Endpoint; words: (parent: string) => string }
  /** Texts in place of those that follow from the nouns. */
  texts?: Partial<Record<Verbs, Texts>>
}

/** How a member that is needed is asked for: everything may be in the body, too. */
function askOf(isNeeded: MemberFlag['isNeeded']): Ask {
  const more: Pick<Ask, 'or' | 'unless'> = isNeeded === true ? {} : (isNeeded ?? {})
  return { ...more, unless: ['body', 'set', ...(more.unless ?? [])] }
}

/** Makes the commands of a resource, by their ids: one for each of its calls. */
export function resourceCommands<Verbs extends Verb>(
  topic: string,
  noun: string,
  declared: Omit<Resource<Verbs>, 'topic' | 'noun'>,
): Record<string, CommandClass> {
  const { list, get } = declared.calls as Record<Verb, Endpoint>
  const elsewhere = { list, get, words: (parent: string) => `${topic} list ${parent}` }
  const resource = { topic, noun, elsewhere, ...declared } as Declared
  const verbs = Object.keys(resource.calls) as Verb[]
  return Object.fromEntries(verbs.map((verb) => [`${topic} ${verb}`.replaceAll(' ', ':'), makers[verb](resource)]))
}

type Declared = Resource<Verb> & Required<Pick<Resource<Verb>, 'elsewhere'>>

const makers: Record<Verb, (resource: Declared) => CommandClass> = {
  list: (resource) => {
    const { calls, columns, within } = resource
    const nouns = pluralOf(resource.noun)
    const flags = orderFlag(calls.list)
    return listCommand(summaryOf('list', resource, `List ${nouns}`), {
      ...textsOf('list', resource),
      calls: [calls.list],
      columns,
      noun: nouns,
      args: within === undefined ? {} : argumentFor(within),
      flags,
      request: (given) =>
        requestOf(calls.list, resource, given, 'order' in flags && { query: { order: flagsIn(given).order } }),
    })
  },
  get: (resource) => {
    const { calls, columns, noun } = resource
    return readCommand(summaryOf('get', resource, `Show one ${noun}`), {
      ...textsOf('get', resource),
      calls: [calls.get],
      columns,
      args: argumentsOf(resource, calls.get),
      request: (given) => requestOf(calls.get, resource, given),
    })
  },
  create: (resource) => {
    const { calls, columns, noun, members, unique, within, topic } = resource
    const { list, get, words } = resource.elsewhere
    const needed = Object.entries(members).filter(([, { isNeeded }]) => isNeeded)
    return writeCommand(summaryOf('create', resource, `Create ${article(noun)} ${noun}`), {
      ...textsOf('create', resource),
      calls: [
        calls.create,
        list,
        // What has its source id already is changed instead.
        ...(unique !== undefined || 'source-id' in members ? [get] : []),
        ...(unique !== undefined ? [calls.update] : []),
      ],
      instead: (subject) => `promo ${topic} delete ${subject} --dry-run`,
      made: {
        listedBy({ args }) {
          const parent =
            within === undefined ? '' : argumentWords(String((args as Record<string, unknown>)[within.name]))
          return `promo ${words(parent)}`.trim()
        },
      },
      columns,
      args: within === undefined ? {} : argumentFor(within),
      flags: { ...flagsOfMembers(members), ...(unique !== undefined && ifExistsFlag) },
      // Everything that is needed may be in the body, too.
      asks:
        needed.length === 0
          ? { body: { or: ['set', ...Object.keys(members)], question: `the ${noun} as JSON, or @FILE:` } }
          : Object.fromEntries(needed.map(([name, { isNeeded }]) => [name, askOf(isNeeded)])),
      body: { takes: 'any', members },
      shown: onlyOne,
      request: (given) => requestOf(calls.create, resource, given, { body: bodyOf(resource, given) }),
      ...(unique !== undefined && { existing: (given: CommandInput) => existing(resource, unique, given) }),
    })
  },
  update: (resource) => {
    const { calls, columns, noun, members } = resource
    const changing = Object.fromEntries(Object.entries(members).filter(([, { isFixed }]) => !isFixed))
    return writeCommand(summaryOf('update', resource, `Change ${article(noun)} ${noun}; what is not named stays`), {
      ...textsOf('update', resource),
      calls: [calls.update, resource.elsewhere.get],
      columns,
      args: argumentsOf(resource, calls.update),
      flags: flagsOfMembers(changing),
      asks: { body: { or: ['set', ...Object.keys(changing)], question: 'the changes as JSON, or @FILE:' } },
      body: { takes: 'any', members: changing },
      request: (given) => requestOf(calls.update, resource, given, { body: given.body }),
    })
  },
  delete: (resource) => {
    const { calls, noun } = resource
    const isBinned = shapeOf(calls.delete.query)?.force !== undefined
    const force = switchFlag('delete permanently, without the bin')
    return writeCommand(summaryOf('delete', resource, `Delete ${article(noun)} ${noun}`), {
      ...textsOf('delete', resource),
      calls: [calls.delete, resource.elsewhere.get],
      // Any other answer is empty.
      ...(calls.delete.response === startedAction && { columns: inBackground }),
      args: argumentsOf(resource, calls.delete),
      flags: isBinned ? { force } : {},
      request: (given) =>
        requestOf(calls.delete, resource, given, isBinned && { query: flagsIn(given).force ? { force: true } : {} }),
      question: (given) => `delete ${noun} ${quotedValue(nameIn(resource, given))}`,
      done: (given) => `deleted ${noun} ${JSON.stringify(nameIn(resource, given))}`,
    })
  },
  enable: (resource) => switching('enable', 'on', resource),
  disable: (resource) => switching('disable', 'off', resource),
}

function switching(verb: 'enable' | 'disable', state: string, resource: Declared): CommandClass {
  const { calls, columns, noun } = resource
  return writeCommand(summaryOf(verb, resource, `Switch ${article(noun)} ${noun} ${state}`), {
    ...textsOf(verb, resource),
    calls: [calls[verb], resource.elsewhere.get],
    columns,
    args: argumentsOf(resource, calls[verb]),
    request: (given) => requestOf(calls[verb], resource, given),
  })
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a'
}

function summaryOf(verb: Verb, { texts }: Resource<Verb>, summary: string): string {
  return texts?.[verb]?.summary ?? summary
}

/** `categories`, `schemas of custom events`. */
function pluralOf(noun: string): string {
  return `${noun.replace(' of a ', 's of ').replace(/y$/, 'ie')}s`
}

function textsOf(verb: Verb, resource: Resource<Verb>) {
  const description = resource.texts?.[verb]?.description ?? (verb === 'delete' ? 'Asks for confirmation.' : undefined)
  return {
    ...(description !== undefined && { description }),
    examples: examplesOf(verb, resource),
  }
}

function examplesOf(verb: Verb, { topic, named, within, texts, calls }: Resource<Verb>) {
  const parent = within !== undefined && isIn(calls[verb].path, within) ? [within.example] : []
  const line = (...words: string[]) => ['promo', topic, verb, ...words, '--profile sandbox'].join(' ')
  const own = texts?.[verb]?.examples
  if (own !== undefined && verb !== 'create' && verb !== 'update') return own
  const [flags = '', body = ''] = own ?? []
  const one = [...parent, named.example]
  switch (verb) {
    case 'list':
      return [line(...parent), line(...parent, '--json')]
    case 'get':
      return [line(...one), line(...one, '--format yaml')]
    case 'create':
      return [line(...parent, flags, '--dry-run'), line(...parent, `--body '${body}'`, '--dry-run')]
    case 'update':
      return [line(...one, flags, '--dry-run'), line(...one, `--body '${body}'`, '--dry-run')]
    default:
      return [line(...one, '--dry-run'), line(...one, '--yes')]
  }
}

function argumentFor({ name, about, names }: Named) {
  return { [name]: argument(about, names) }
}

/** The arguments of a call about one: what it is a part of, where the path has that, and the one itself. */
function argumentsOf({ within, named }: Resource<Verb>, { path }: Endpoint) {
  return { ...(within !== undefined && isIn(path, within) && argumentFor(within)), ...argumentFor(named) }
}

function isIn(path: string, { path: name }: { path: string }): boolean {
  return path.includes(`{${name}}`)
}

function flagsIn({ flags }: CommandInput): Record<string, unknown> {
  return flags as Record<string, unknown>
}

function nameIn({ named }: Resource<Verb>, { typed }: CommandInput): string {
  return String((typed as Record<string, unknown>)[named.name])
}

/** Fills in the path of a call: the project, what the resource is a part of, and the one that is named. */
function requestOf({ path }: Endpoint, { within, named }: Resource<Verb>, given: CommandInput, more?: object | false) {
  const args = given.args as Record<string, string>
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const values = names.map((name) => {
    if (name === 'projectId') return [name, given.projectId]
    return [name, args[within?.path === name ? within.name : named.name] ?? '']
  })
  return { path: Object.fromEntries(values), ...(more || undefined) } as never
}

/** Calls that create several of it take one in an array, and answer with one. */
function bodyOf({ calls, defaults }: Resource<Verb>, given: CommandInput): unknown {
  const one = { ...defaults, ...(given.body as object) }
  return isArray(calls.create.body) ? [one] : one
}

function onlyOne(answer: unknown): object {
  return (Array.isArray(answer) && answer.length === 1 ? answer[0] : answer) as object
}

function existing({ calls, noun, elsewhere: { list }, ...resource }: Declared, member: string, given: CommandInput) {
  const wanted = given.body as Record<string, unknown>
  const about = { calls, noun, ...resource }
  return {
    choice: flagsIn(given)['if-exists'] as 'fail',
    isBinned: shapeOf(calls.delete?.query)?.force !== undefined,
    named: `${noun} ${JSON.stringify(wanted[member])}`,
    async find(client: Client) {
      for await (const item of client.items(list, requestOf(list, about, given))) {
        if (item[member] === wanted[member]) return item as never
      }
      return undefined
    },
    async update(client: Client, found: unknown) {
      const one = {
        ...given,
        projectId: given.projectId,
        args: { ...given.args, [about.named.name]: (found as { id: string }).id },
      }
      const body = membersIn(wanted, shapeOf(calls.update.body) ?? {})
      return (await client.call(calls.update, {
        ...(requestOf(calls.update, about, one) as object),
        body,
      } as never)) as never
    },
  }
}

function isArray(schema: z.ZodType | undefined): boolean {
  return schema !== undefined && 'element' in schema
}

function shapeOf(schema: z.ZodType | undefined): Record<string, unknown> | undefined {
  return (schema as z.ZodObject | undefined)?.shape
}
