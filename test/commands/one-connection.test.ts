// A name that is looked up before the call costs calls, but neither a second connection nor a second start of the service.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { cardIn, type Reference, referenceIn } from '../../src/cli/flags/kinds.ts'
import { referenceCalls } from '../../src/cli/request/resolve-names.ts'
import { keysFor, lines, notFound } from '../support/command-lines.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'
import { type Asked, answer, scriptedServer } from '../support/scripted-server.ts'
import { isRequestOf } from '../support/sent-requests.ts'

const promo = promoIn(temporaryFolder())

type Thing = Reference | 'program'

const ids: Readonly<Record<Thing, string>> = {
  campaign: 'camp_1',
  category: 'cat_1',
  collection: 'pc_1',
  customer: 'cust_1',
  'earning rule': 'ern_1',
  'event schema': 'ms_1',
  'loyalty tier': 'ltr_1',
  'metadata schema': 'ms_1',
  offer: 'rewa_1',
  person: 'cust_1',
  product: 'prod_1',
  program: 'camp_1',
  'project template': 'camp_tpl_1',
  reward: 'rew_1',
  rule: 'val_1',
  segment: 'seg_1',
  stack: 'stack_1',
  template: 'camp_tpl_1',
  tier: 'promo_1',
}

/** What goes with a flag, or takes its place, where the least line of the command does not have it. */
const withFlag: Readonly<Record<string, string>> = {
  'customers delete --segment': '--yes --retries 0',
  'customers update --segment': '--set name=Ada --yes --retries 0',
  'events send --referrer': 'joined --customer source_id=ada --referral R',
  'publications create --segment': '--campaign camp_1 --yes --retries 0',
  'rules assign --campaign': 'val_1',
  'rules assign --earning-rule': 'val_1',
  'rules assign --offer': 'val_1',
  'rules assign --tier': 'val_1',
  'templates create --tier': 'N',
  'promotions tiers create --unit-type': 'camp_1 --name N --unit-off 1',
  'promotions tiers move --after': 'promo_2',
  'promotions tiers move --before': 'promo_2',
  'vouchers create --unit-type': 'C --unit-off 1',
}

interface Reading {
  command: string
  /** The words after it with a name, and with the id of that. */
  byName: string[]
  byId: string[]
  reference: Thing
}

/** Each argument and flag of each command that takes a name, with that name in its place. */
const readings: (readonly [string, Reading])[] = []
for (const [id, [least]] of Object.entries(lines)) {
  const Class = await classOf(id)
  const command = id.replaceAll(':', ' ')
  const yes = 'yes' in Class.flags ? ['--yes'] : []
  const line = (least?.[0] ?? '').split(' ').filter((word) => word !== '')
  const read = (title: string, reference: Thing, wordsFor: (text: string) => string[]) => {
    const byName = [...wordsFor('The one'), ...yes]
    const byId = [...wordsFor(ids[reference]), ...yes]
    readings.push([title, { command, byName, byId, reference }])
  }
  for (const [at, arg] of Object.values(Class.args).entries()) {
    const reference: Thing | undefined = Reflect.get(arg, referenceIn)
    if (reference) read(`${command} ${reference.toUpperCase()}`, reference, (text) => line.with(at, text))
  }
  for (const [name, flag] of Object.entries(Class.flags)) {
    const reference: Thing | undefined = Reflect.get(flag, referenceIn)
    const title = `${command} --${name}`
    const own = withFlag[title]?.split(' ') ?? line
    const place = own.indexOf(`--${name}`)
    const rest = place === -1 ? own : own.toSpliced(place, 2)
    if (reference) read(title, reference, (text) => [...rest, `--${name}`, text])
    // Left out, it is the program of the card that another flag names.
    if (cardIn in flag) read(title, 'program', (text) => (text === 'The one' ? rest : [...rest, `--${name}`, text]))
  }
}

/** Answers what a lookup asks: a list, or an object, of one of that name. */
function lookedUp(asked: Asked, reference: Thing) {
  const path = asked.url.split('?')[0] ?? ''
  const call = referenceCalls.find((one) => isRequestOf(one, { method: asked.method, path }))
  if (call === undefined) return undefined
  const [id, name] = [ids[reference], 'The one']
  if (call.path.endsWith('}')) {
    const object = call.id.replace(/s\.get$/, '')
    return answer(200, { id, object, name, code: path.split('/').at(-1), campaign_id: id })
  }
  const row = { id, name, source: { banner: name }, related_object: name, reward_id: id }
  return answer(200, { data: [row], total: 1 })
}

/** Runs the command, and returns what was asked. */
async function tried({ command, reference }: Reading, words: readonly string[]) {
  const goesOn = lines[command.replaceAll(' ', ':')]?.[0]?.[1]
  let index = 0
  await using server = await scriptedServer((asked) => {
    const action = lookedUp(asked, reference) ?? goesOn?.(asked, index++) ?? notFound
    // What is lost would take its connection with it.
    return action.do === 'answer' ? action : notFound
  })
  const ran = await promo([...command.split(' '), ...words], { env: keysFor(server.origin), stdin: '' })
  const calls = server.asked.map(({ method, url }) => `${method} ${url}`)
  return { ...ran, calls, connections: server.connections() }
}

test.each(readings)('%s takes one connection, and what is an id costs no call', async (_, reading) => {
  const byName = await tried(reading, reading.byName)
  const byId = await tried(reading, reading.byId)

  expect([byName.exitCode, byName.connections], byName.stderr).toEqual([expect.toBeOneOf([0, 3, 12]), 1])
  // What the lookup read is what it shows.
  if (byName.calls.length === 1) return expect(reading.command).toBe('products get')
  const lookups = byName.calls.slice(0, -byId.calls.length)
  expect(byName.calls).toEqual([...new Set(lookups), ...byId.calls])
  expect(lookups).not.toEqual([])
})

test.each([
  [['products', 'get', 'house-blend']],
  [['products', 'update', 'house-blend', '--set', 'metadata.shade=dark', '--yes']],
  [['vouchers', 'create', 'FREE-1', '--unit-off', '1', '--unit-type', 'house-blend', '--yes']],
  [['promotions', 'tiers', 'move', 'Three euros for readers', '--first', '--yes']],
])('%j starts the embedded service once', async (line) => {
  const ports: unknown[] = []
  const made = (message: unknown) => ports.push((message as { connectParams: { port: string } }).connectParams.port)
  subscribe('undici:client:connected', made)

  const { exitCode, stderr } = await promo([...line, '--profile', 'sandbox'])
  unsubscribe('undici:client:connected', made)

  expect([exitCode, ports.length], stderr).toEqual([0, 1])
})
