// A command that does not exist: what was probably meant, which commands exist, or how to reach the call anyway.

import { nearest } from '../../base/nearest.ts'
import { ownValue } from '../../base/record.ts'
import { mayBeShown } from '../../base/shown-word.ts'
import { type PromoError, usageError } from '../../errors.ts'

/** Verbs of other tools, and what they are called here. */
const synonyms: Record<string, string[]> = {
  find: ['search', 'lookup'],
  get: ['show', 'view', 'info', 'describe', 'inspect'],
  show: ['get', 'view', 'info', 'describe', 'inspect', 'status'],
  list: ['ls', 'search', 'find', 'all'],
  create: ['add', 'new', 'make'],
  add: ['create', 'new'],
  delete: ['remove', 'rm', 'del', 'erase'],
  remove: ['delete', 'rm', 'del'],
  disable: ['deactivate', 'off', 'block', 'lock', 'pause', 'suspend', 'stop'],
  enable: ['activate', 'on', 'unblock', 'unpause', 'resume', 'start'],
  update: ['edit', 'set', 'change', 'patch', 'extend'],
  discard: ['cancel', 'kill', 'stop', 'abort'],
  send: ['track', 'emit', 'create', 'add'],
  start: ['up', 'run', 'serve'],
  apply: ['push', 'deploy', 'sync'],
  diff: ['compare', 'status'],
  mv: ['rename', 'move'],
  plan: ['preview'],
  pull: ['export', 'fetch', 'dump', 'get'],
  validate: ['check', 'lint', 'verify'],
}

/** Words of other tools that are no typing errors, and what they are called here. */
export const elsewhere: Record<string, string> = {
  account: 'whoami',
  auth: 'login',
  card: 'loyalty cards get',
  check: 'validate redeemables',
  call: 'api',
  completion: 'autocomplete',
  configure: 'login',
  curl: 'api',
  explain: 'validate redeemables',
  export: 'exports create',
  gift: 'vouchers get',
  import: 'vouchers import',
  init: 'login',
  keys: 'profiles update',
  logout: 'profiles remove',
  man: 'help',
  me: 'whoami',
  mock: 'sandbox start',
  publish: 'publications create',
  redeem: 'redemptions create',
  refund: 'redemptions rollback',
  request: 'api',
  resume: 'jobs resume',
  rollback: 'redemptions rollback',
  serve: 'sandbox start',
  server: 'sandbox start',
  settings: 'profiles',
  setup: 'login',
  signin: 'login',
  status: 'doctor',
  switch: 'profiles use',
  undo: 'history undo',
  use: 'profiles use',
  why: 'validate redeemables',
}

/** Topics of other tools, in the singular, and what they are called here. */
const topicsElsewhere: Record<string, string> = {
  buyer: 'customers',
  client: 'customers',
  code: 'vouchers',
  coupon: 'vouchers',
  'coupon-code': 'vouchers',
  discount: 'vouchers',
  'gift-card': 'vouchers',
  giftcard: 'vouchers',
  hook: 'webhooks',
  member: 'customers',
  person: 'customers',
  program: 'loyalty programs',
  'promo-code': 'vouchers',
  promocode: 'vouchers',
  shopper: 'customers',
  user: 'customers',
}

/** What no call does, where a recipe says how it is done. */
const recipes: Record<string, string> = {
  'customers merge':
    'no call merges two customers: the recipe "Merge two customers" of docs/recipes.md moves the points to a card of the one who stays',
}

/** What has a topic of its own here; a flag at the end takes what is typed after it. */
const moved: Record<string, string> = {
  'campaigns publications': 'publications list --campaign',
  'campaigns redemptions': 'redemptions list --campaign',
  'customers codes': 'vouchers list --customer',
  'customers orders': 'orders list --customer',
  'customers publications': 'publications list --customer',
  'customers redemptions': 'redemptions list --customer',
  'customers vouchers': 'vouchers list --customer',
  'loyalty cards transactions': 'loyalty transactions list --card',
  'loyalty points history': 'loyalty transactions list --card',
  'vouchers publications': 'publications list --voucher',
  'vouchers redemptions': 'redemptions list --voucher',
  'campaigns end': 'campaigns update',
  'campaigns vouchers list': 'vouchers list --campaign',
  'config export': 'config pull',
  'config push': 'config apply',
  'customers import': 'customers create',
  'loyalty balance': 'loyalty cards get',
  'loyalty cards lost': 'loyalty cards replace',
  'loyalty points get': 'loyalty cards get',
  'loyalty points list': 'loyalty transactions list',
  'redemptions redeem': 'redemptions create',
  'redemptions undo': 'redemptions rollback',
  'validate voucher': 'validate redeemables',
  'validate vouchers': 'validate redeemables',
  'vouchers balance get': 'vouchers get',
  'vouchers balance show': 'vouchers get',
  'promotions tiers disable': 'promotions disable',
  'promotions tiers enable': 'promotions enable',
  'promotions tiers get': 'promotions get',
  'promotions tiers list': 'promotions list',
  'qualify promotions': 'validate promotions',
  'segments customers': 'customers list --segment',
  'segments members': 'customers list --segment',
  'webhooks send': 'webhooks trigger',
  'webhooks test': 'webhooks trigger',
  'vouchers publish': 'publications create',
  'vouchers redeem': 'redemptions create',
  'vouchers rollback': 'redemptions rollback',
  'vouchers validate': 'validate redeemables',
}

/** What `exports create` exports: by its letters, `vouchers export` is nearest to its opposite, `vouchers import`. */
const exported = ['vouchers', 'redemptions', 'publications', 'customers', 'orders', 'products', 'skus']

/** What reads one thing of a topic, where that is neither `show` nor `get`. */
const readers: Record<string, string> = {
  loyalty: 'loyalty cards get',
  'loyalty cards': 'loyalty cards get',
  'loyalty points': 'loyalty cards get',
  referrals: 'referrals tree',
  validate: 'validate redeemables',
  'vouchers balance': 'vouchers get',
  'vouchers transactions': 'vouchers transactions list',
}

/** A code, an id, an order number, an e-mail address: no verb looks like it. */
const thing = /[\dA-Z@_]/

/** What words that name no command probably mean: commands, and what was typed after that. */
interface Meant {
  asked: string
  names: readonly [string, ...string[]]
  rest: readonly string[]
}

/** What the whole line of a command is made from: the package, the ids of names, and what was typed after the words. */
interface Typed {
  root: string
  ids: Readonly<Record<string, string>>
  flags: readonly string[]
}

/** Builds the error for words that name no command. `names` and `topics` are as they are typed. */
export async function unknownCommand(
  words: readonly string[],
  names: readonly string[],
  topics: readonly string[],
  typed?: Typed,
): Promise<PromoError> {
  const found = await meantBy(words, names, topics)
  if (found instanceof Error) return found
  const { asked, rest } = found
  const lines = found.names.map((words) => words.split(' --') as [name: string, flag?: string])
  const [name = ''] = lines[0] ?? []
  const next = `promo ${name} --help`
  const told = `; did you mean ${listed(lines.map(([one]) => one))}?`
  if (typed === undefined) return unknown(asked, told, next)
  const { wholeLine } = await import('./whole-line.ts')
  const [whole = next] = lines.flatMap(([one, flag]) => {
    const words = flag === undefined || rest.length === 0 ? rest : [`--${flag}`, ...rest]
    return wholeLine(one, words, typed) ?? []
  })
  return unknown(asked, told, whole)
}

async function meantBy(
  words: readonly string[],
  names: readonly string[],
  topics: readonly string[],
): Promise<Meant | PromoError> {
  const [first = '', second] = words
  const depth = words.findLastIndex((_, at) => topics.includes(words.slice(0, at + 1).join(' ')))
  const verb = words[depth + 1]
  const after = (count: number) => words.slice(count)
  if (depth >= 0 && verb !== undefined)
    return unknownVerb(words.slice(0, depth + 1).join(' '), verb, names, after(depth + 2))
  const other = ownValue(elsewhere, first)
  if (other !== undefined) return didYouMean(first, [other], after(1))
  const topic = topicNamed(first)
  if (topic !== undefined) return inTopic(first, topic, words.slice(1), names)
  const under = endingIn(first, topics)
  const read = second !== undefined && thing.test(second) && under?.length === 1 ? readerOf(under[0], names) : undefined
  if (read !== undefined) return didYouMean(first, [read], after(1))
  const inside = endingIn(words.slice(0, 2).join(' '), names) ?? verbsIn(under, second, names) ?? under
  if (inside !== undefined) return didYouMean(words.slice(0, 2).join(' '), inside, after(2))
  if (verbsOf(names).includes(first)) return misplacedVerb(words, names, topics)
  const known = [...new Set([...names, ...topics])].filter((name) => !name.includes(' '))
  const begun = first.length < leastBegun ? [] : known.filter((name) => name.startsWith(first))
  const [one, ...others] = begun
  if (one !== undefined && others.length > 0) return didYouMean(first, [one, ...others])
  const near = begun[0] ?? nearest(first, known)
  const full = near === undefined || second === undefined ? undefined : meant(near, second, names)
  if (full !== undefined) return didYouMean(`${first} ${second}`, [full], after(2))
  if (near !== undefined) {
    const reader = second !== undefined && thing.test(second) ? readerOf(near, names) : undefined
    return reader === undefined ? didYouMean(first, [near]) : didYouMean(first, [reader], after(1))
  }
  // The client of the service comes with it, which no other mistake needs.
  const { serverScopes } = await import('../../contract/scopes.ts')
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
  words: readonly string[],
  names: readonly string[],
  topics: readonly string[],
): Meant | PromoError {
  const [verb = '', topic] = words
  const known = topics.find((name) => name === topic || name === `${topic}s`) ?? topicNamed(topic)
  const full = known === undefined ? undefined : meant(known, verb, names)
  if (full !== undefined) return didYouMean(`${verb} ${topic}`, [full], words.slice(2))
  const [only, ...more] = names.filter((name) => name.endsWith(` ${verb}`))
  if (only !== undefined && more.length === 0) return didYouMean(verb, [only], words.slice(1))
  const like = meant('vouchers', verb, names) ?? names.find((name) => name.endsWith(` ${verb}`)) ?? 'vouchers list'
  const next = known === undefined ? 'promo --help' : `promo ${known} --help`
  return unknown(verb, `; commands begin with their topic, like "${like}"`, next)
}

/** A topic of another tool, and what follows it. */
function inTopic(
  asked: string,
  topic: string,
  [verb, ...rest]: readonly string[],
  names: readonly string[],
): Meant | PromoError {
  if (verb === undefined) return didYouMean(asked, [topic])
  const typed = [topic, verb, ...rest]
  const name = names.find((one) => one.startsWith(`${topic} `) && `${typed.join(' ')} `.startsWith(`${one} `))
  if (name !== undefined) {
    const rank = name.split(' ').length - topic.split(' ').length
    return didYouMean([asked, ...typed.slice(1, rank + 1)].join(' '), [name], [verb, ...rest].slice(rank))
  }
  return unknownVerb(topic, verb, names, rest, `${asked} ${verb}`)
}

function topicNamed(word = ''): string | undefined {
  return ownValue(topicsElsewhere, word) ?? ownValue(topicsElsewhere, word.replace(/s$/, ''))
}

/** What a verb means in topics inside others, which are typed without them. */
function verbsIn(
  topics: readonly string[] = [],
  verb: string | undefined,
  names: readonly string[],
): [string, ...string[]] | undefined {
  const [one, ...more] = verb === undefined ? [] : topics.flatMap((topic) => meant(topic, verb, names) ?? [])
  return one === undefined ? undefined : [one, ...more]
}

function unknownVerb(
  topic: string,
  verb: string,
  names: readonly string[],
  rest: readonly string[],
  asked = `${topic} ${verb}`,
): Meant | PromoError {
  const recipe = ownValue(recipes, `${topic} ${verb}`)
  if (recipe !== undefined) return unknown(asked, `; ${recipe}`, 'promo loyalty points transfer --help')
  const full = meant(topic, verb, names)
  if (full !== undefined) return didYouMean(asked, [full], rest)
  const reader = thing.test(verb) ? readerOf(topic, names) : undefined
  if (reader !== undefined) return didYouMean(asked, [reader], [verb, ...rest])
  const there = names.filter((name) => name.startsWith(`${topic} `))
  const [only, ...more] = there
  const inside = endingIn(verb, there) ?? (only !== undefined && more.length === 0 ? [only] : undefined)
  if (inside !== undefined) return didYouMean(asked, inside, rest)
  const beneath = [
    ...new Set(
      there.map((name) =>
        name
          .split(' ')
          .slice(0, topic.split(' ').length + 1)
          .join(' '),
      ),
    ),
  ]
  return unknown(asked, `; there are ${listed(there.length > mostListed ? beneath : there)}`, `promo ${topic} --help`)
}

/** Of more commands, what they begin with. */
const mostListed = 12

/** Fewer letters begin too many names to mean one. */
const leastBegun = 3

function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

/** The command that a verb of a topic means: by its own name, in another topic, by another tool's name, or despite a typing error. */
function meant(topic: string, verb: string, names: readonly string[]): string | undefined {
  const other = verb === 'export' && exported.includes(topic) ? 'exports create' : ownValue(moved, `${topic} ${verb}`)
  if (other !== undefined) return other
  const verbs = names
    .filter((name) => name.startsWith(`${topic} `))
    .map((name) => name.slice(topic.length + 1))
    .filter((rest) => !rest.includes(' '))
  const isSynonym = (name: string) => ownValue(synonyms, name)?.includes(verb) === true
  const own = verbs.find((name) => name === verb) ?? verbs.find(isSynonym)
  if (own !== undefined) return `${topic} ${own}`
  const elsewhere = Object.keys(moved).find(
    (name) => name.startsWith(`${topic} `) && isSynonym(name.slice(topic.length + 1)),
  )
  const near = elsewhere === undefined ? nearest(verb, verbs) : undefined
  return near === undefined ? ownValue(moved, elsewhere ?? '') : `${topic} ${near}`
}

/** The names that end in the words, if they are few; those of a topic inside another are typed without it. */
function endingIn(words: string, names: readonly string[]): [string, ...string[]] | undefined {
  const [one, ...more] = names.filter((name) => name.endsWith(` ${words}`))
  return one === undefined || more.length > 2 ? undefined : [one, ...more]
}

/** The command that reads one thing of a topic. */
function readerOf(topic: string, names: readonly string[]): string | undefined {
  return [ownValue(readers, topic) ?? '', `${topic} show`, `${topic} get`].find((name) => names.includes(name))
}

function didYouMean(asked: string, names: Meant['names'], rest: readonly string[] = []): Meant {
  return { asked, names, rest }
}

function unknown(asked: string, rest: string, hint: string): PromoError {
  const shown = asked.split(' ').map((word) => (mayBeShown(word) ? word : '…'))
  return usageError(`unknown command "${shown.join(' ')}"${rest}`, hint)
}
