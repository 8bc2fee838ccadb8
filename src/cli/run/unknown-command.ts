// A command that does not exist: what was probably meant, which commands exist, or how to reach the call anyway.

import { nearest } from '../../base/nearest.ts'
import { ownValue } from '../../base/record.ts'
import { serverScopes } from '../../contract/scopes.ts'
import { type PromoError, usageError } from '../../errors.ts'

/** Verbs of other tools, and what they are called here. */
const synonyms: Record<string, string[]> = {
  get: ['show', 'view', 'info', 'describe', 'inspect'],
  list: ['ls', 'search', 'find', 'all'],
  create: ['add', 'new', 'make'],
  add: ['create', 'new'],
  delete: ['remove', 'rm', 'del'],
  remove: ['delete', 'rm', 'del'],
  disable: ['deactivate', 'off', 'block', 'lock'],
  enable: ['activate', 'on', 'unblock'],
  update: ['edit', 'set', 'change', 'patch'],
}

/** Words of other tools that are no typing errors, and what they are called here. */
const elsewhere: Record<string, string> = {
  account: 'whoami',
  auth: 'login',
  call: 'api',
  completion: 'autocomplete',
  configure: 'login',
  curl: 'api',
  init: 'login',
  keys: 'profiles update',
  logout: 'profiles remove',
  man: 'help',
  me: 'whoami',
  mock: 'sandbox start',
  request: 'api',
  resume: 'jobs resume',
  serve: 'sandbox start',
  server: 'sandbox start',
  settings: 'profiles',
  setup: 'login',
  signin: 'login',
  status: 'doctor',
  switch: 'profiles use',
  undo: 'history undo',
  use: 'profiles use',
}

/** Builds the error for words that name no command. `names` and `topics` are as they are typed. */
export function unknownCommand(
  words: readonly string[],
  names: readonly string[],
  topics: readonly string[],
): PromoError {
  const [first = '', second] = words
  const depth = words.findLastIndex((_, at) => topics.includes(words.slice(0, at + 1).join(' ')))
  const verb = words[depth + 1]
  if (depth >= 0 && verb !== undefined) return unknownVerb(words.slice(0, depth + 1).join(' '), verb, names)
  const other = Object.hasOwn(elsewhere, first) ? elsewhere[first] : undefined
  if (other !== undefined) return didYouMean(first, other)
  if (verbsOf(names).includes(first)) return misplacedVerb(first, second, names, topics)
  const known = [...new Set([...names, ...topics])].filter((name) => !name.includes(' '))
  const begun = first.length < leastBegun ? [] : known.filter((name) => name.startsWith(first))
  if (begun.length > 1) return unknown(first, `; did you mean ${listed(begun)}?`, `promo ${begun[0]} --help`)
  const near = begun[0] ?? nearest(first, known)
  const full = near === undefined || second === undefined ? undefined : meant(near, second, names)
  if (full !== undefined) return didYouMean(`${first} ${second}`, full)
  if (near !== undefined) return didYouMean(first, near)
  const resource = serverScopes.find((scope) => scope === first || scope === `${first}s`)
  return resource === undefined || resource === 'api'
    ? unknown(first, '', 'promo --help')
    : unknown(first, '; "promo api" can send any call', `promo api GET /v1/${resource} --paginate`)
}

/** All verbs of all topics, by their names here and in other tools. */
function verbsOf(names: readonly string[]): string[] {
  const own = names.flatMap((name) => (name.includes(' ') ? (name.split(' ').at(-1) ?? []) : []))
  return [...own, ...Object.values(synonyms).flat()]
}

/** A verb before its topic, as in `list vouchers`. */
function misplacedVerb(
  verb: string,
  topic: string | undefined,
  names: readonly string[],
  topics: readonly string[],
): PromoError {
  const known = topics.find((name) => name === topic || name === `${topic}s`)
  const full = known === undefined ? undefined : meant(known, verb, names)
  if (full !== undefined) return didYouMean(`${verb} ${topic}`, full)
  const like = meant('vouchers', verb, names) ?? names.find((name) => name.endsWith(` ${verb}`)) ?? 'vouchers list'
  const next = known === undefined ? 'promo --help' : `promo ${known} --help`
  return unknown(verb, `; commands begin with their topic, like "${like}"`, next)
}

function unknownVerb(topic: string, verb: string, names: readonly string[]): PromoError {
  const asked = `${topic} ${verb}`
  const full = meant(topic, verb, names)
  if (full !== undefined) return didYouMean(asked, full)
  const there = names.filter((name) => name.startsWith(`${topic} `))
  return unknown(asked, `; there are ${listed(there)}`, `promo ${topic} --help`)
}

/** Fewer letters begin too many names to mean one. */
const leastBegun = 3

function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

/** The command of a topic that a verb means: by its own name, by another tool's, or despite a typing error. */
function meant(topic: string, verb: string, names: readonly string[]): string | undefined {
  const verbs = names
    .filter((name) => name.startsWith(`${topic} `))
    .map((name) => name.slice(topic.length + 1))
    .filter((rest) => !rest.includes(' '))
  const other = verbs.find((own) => own === verb || ownValue(synonyms, own)?.includes(verb)) ?? nearest(verb, verbs)
  return other === undefined ? undefined : `${topic} ${other}`
}

function didYouMean(asked: string, name: string): PromoError {
  return unknown(asked, `; did you mean "${name}"?`, `promo ${name} --help`)
}

function unknown(asked: string, rest: string, hint: string): PromoError {
  return usageError(`unknown command "${asked}"${rest}`, hint)
}
