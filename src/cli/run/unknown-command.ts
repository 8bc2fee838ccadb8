// A command that does not exist: what was probably meant, which commands exist, or how to reach the call anyway.
import { serverScopes } from '../../contract/scopes.ts'
import { type PromoError, usageError } from '../../errors.ts'
import { nearest } from '../flags/suggest.ts'

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

/** Builds the error for words that name no command. `names` are commands as they are typed. */
export function unknownCommand(
  [topic = '', verb, next]: readonly string[],
  names: readonly string[],
  topics: readonly string[],
): PromoError {
  if (topics.includes(topic) && verb !== undefined) return unknownVerb(topic, verb, next, names)
  const near = nearest(topic, [...names.filter((name) => !name.includes(' ')), ...topics])
  const full = near === undefined || verb === undefined ? undefined : meant(near, verb, names)
  if (full !== undefined) return unknown(`${topic} ${verb}`, `; did you mean "${full}"?`, `promo ${full} --help`)
  if (near !== undefined) return unknown(topic, `; did you mean "${near}"?`, `promo ${near} --help`)
  const resource = serverScopes.find((scope) => scope === topic || scope === `${topic}s`)
  return resource === undefined || resource === 'api'
    ? unknown(topic, '', 'promo --help')
    : unknown(topic, '; "promo api" can send any call', `promo api GET /v1/${resource} --paginate`)
}

function unknownVerb(topic: string, verb: string, next: string | undefined, names: readonly string[]): PromoError {
  const asked = `${topic} ${verb}`
  const full = meant(topic, verb, names)
  if (full !== undefined) return unknown(asked, `; did you mean "${full}"?`, `promo ${full} --help`)
  const under = names.filter((name) => name.startsWith(`${asked} `))
  const [only] = under
  if (only !== undefined && under.length === 1)
    return unknown(asked, `; did you mean "${only}"?`, `promo ${only} --help`)
  const inner = under.length === 0 || next === undefined ? undefined : meant(asked, next, names)
  if (inner !== undefined) return unknown(`${asked} ${next}`, `; did you mean "${inner}"?`, `promo ${inner} --help`)
  const there = under.length > 0 ? under : names.filter((name) => name.startsWith(`${topic} `))
  return unknown(asked, `; there are ${there.map((name) => `"${name}"`).join(', ')}`, `promo ${topic} --help`)
}

/** The command of a topic, or of a part of one, that a verb means: by its own name, by another tool's, or despite a typing error. */
function meant(topic: string, verb: string, names: readonly string[]): string | undefined {
  const verbs = names
    .filter((name) => name.startsWith(`${topic} `) && name.split(' ').length === topic.split(' ').length + 1)
    .map((name) => name.slice(topic.length + 1))
  const other = verbs.find((own) => own === verb || synonyms[own]?.includes(verb)) ?? nearest(verb, verbs)
  return other === undefined ? undefined : `${topic} ${other}`
}

function unknown(asked: string, rest: string, hint: string): PromoError {
  return usageError(`unknown command "${asked}"${rest}`, hint)
}
