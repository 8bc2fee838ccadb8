// Do the commands send what the specification says? Complete command lines against a server that only records; the requests
// are compared with those transcribed by hand in test/fixtures/spec.
import { describe, expect, test } from 'vitest'
import { type DescribedCommand, describedCommands } from '../../src/cli/help/manifest.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Asked, answer, scriptedServer } from '../support/scripted-server.ts'
import { isRequestOf } from '../support/sent-requests.ts'
import { root } from '../support/source-files.ts'
import { type Example, type Field, fixtures } from './spec-fixture.ts'

interface Case {
  endpoint: number
  /** The title of the example in the fixture. */
  example: string
  /** The arguments, nested only for readability. */
  argv: (string | string[])[]
  stdin?: string
  /** The service's answers to the calls before the one that is compared. */
  before?: (asked: Asked) => object
}

const emptyList = () => ({ object: 'list', data_ref: 'data', data: [], total: 0 })
const bodyOf = (endpoint: number, title: string) => JSON.stringify(exampleOf(endpoint, title).request.body)

/** A command line that sends an example of an endpoint. */
const sends = (endpoint: number, example: string, argv: Case['argv'], more: Partial<Case> = {}): Case => ({
  endpoint,
  example,
  argv,
  ...more,
})
const limits = 'a discount voucher with everything that limits it, under a code that needs encoding'
const manyUnits =
  'discount.units=[{"unit_off":1,"unit_type":"prod_1","effect":"ADD_NEW_ITEMS"},{"unit_off":2,"unit_type":"sku_1","effect":"ADD_MISSING_ITEMS"}]'

const cases: Case[] = [
  sends(1, 'two scopes, separated by a space', ['token', 'create', '--scope', 'api vouchers']),
  sends(2, 'a token that is valid', ['token', 'introspect'], { stdin: 'abc+/=' }),
  sends(2, 'an unknown token', ['token', 'introspect'], { stdin: 'nobody' }),
  sends(
    3,
    'two events, one of them in the accepted misspelling',
    [
      ['webhooks', 'create', '--project', 'proj_1', '--url', 'https://shop.example/hooks?from=promo', '--no-active'],
      ['--event', 'voucher.created,voucher.loyalty_card.points_aded'],
    ],
    { before: emptyList },
  ),
  sends(4, 'a project whose id needs encoding', ['webhooks', 'list', '--project', 'proj 1/a']),
  sends(5, 'with a description that is null', [
    ['templates', 'copy', 'camp_tpl_1', '--to', 'proj_2', '--name', 'Spring sale', '--project', 'proj_1'],
  ]),
  sends(6, 'from a campaign', [
    ['templates', 'create', 'Summer', '--campaign', 'camp_1', '--description', 'Every year'],
  ]),
  sends(6, 'from a promotion tier', ['templates', 'create', 'Tier', '--tier', 'promo_1']),
  sends(7, limits, ['vouchers', 'create', 'SUMMER 25%/é', '--body', bodyOf(7, limits)]),
  sends(7, 'a loyalty card of a campaign', [
    ['vouchers', 'create', 'CLUB-7', '--type', 'LOYALTY_CARD', '--campaign', 'Bean Club'],
    ['--set', 'loyalty_card.points=100'],
  ]),
  sends(7, 'units of several products', [
    ['vouchers', 'create', 'UNITS', '--type', 'DISCOUNT_VOUCHER', '--set', 'discount.type=UNIT'],
    ['--set', 'discount.effect=ADD_MANY_ITEMS', '--set', manyUnits],
  ]),
  sends(8, 'by a code that needs encoding', ['vouchers', 'disable', 'A/B ?#']),
  sends(8, 'by id', ['vouchers', 'disable', 'v_1']),
  sends(
    9,
    'the next page of a campaign, requested by name',
    ['loyalty', 'transactions', 'list', 'Bean Club', '--json'],
    { before: () => ({ ...emptyList(), data: [{ id: 'vtx_2' }], has_more: true, more_starting_after: 'vtx_2' }) },
  ),
  sends(10, 'a voucher and a tier for an order', [
    ['validate', 'redeemables', 'SUMMER', 'tier:promo_1', '--amount', '20000', '--metadata', 'till=4'],
    ['--item', 'product=prod_1,quantity=2,price=10000', '--expand', 'order', '--tracking-id', 'ada@example.test'],
    ['--customer', 'source_id=ada@example.test,metadata.tier=gold'],
  ]),
  sends(10, 'a promotion stack alone, with a lock', [
    ['validate', 'redeemables', 'stack:stack_1', '--session-type', 'LOCK'],
  ]),
  sends(11, 'a customer with an order', [
    ['qualify', 'campaigns', '--audience-rules-only', '--limit', '50', '--order', '-created_at'],
    ['--customer', 'source_id=ada,metadata.tier=gold', '--amount', '5000', '--metadata', 'till=4', '--item'],
    'product=prod_1,quantity=1,price=5000,related_object=product,product.metadata.organic=true',
  ]),
  sends(12, 'in a campaign, by a code that needs encoding', [
    ['referrals', 'holders', 'add', 'camp_1', 'ADA+FRIENDS', '--holder', 'source_id=bob', '--yes'],
    ['--holder', 'id=cust_1,source_id=eve,country=DE', '--metadata', 'wave=1'],
  ]),
  sends(12, 'without the campaign', ['referrals', 'holders', 'add', 'ADA', '--holder', 'id=cust_1']),
  sends(13, "of a campaign's card, some columns", [
    ['loyalty', 'transactions', 'export', 'CLUB-001', '--campaign', 'camp_1', '--order', '-created_at'],
    ['--fields', 'id,amount,balance,created_at'],
  ]),
  sends(13, 'without the campaign', ['loyalty', 'transactions', 'export', 'CLUB-001']),
  sends(14, 'a page between two dates, by a source id that needs encoding', [
    ['skus', 'list', 'coffee & tea', '--page', '2', '--order', '-updated_at', '--json'],
    ['--start-date', '2026-01-01T00:00:00.000Z', '--end-date', '2026-02-01T00:00:00.000Z'],
  ]),
  sends(15, 'an order with its customer, categories included', [
    ['validate', 'promotions', '--customer', 'source_id=ada,metadata.tier=gold', '--expand', 'category'],
    ['--amount', '55000', '--item', 'sku=sku_1,quantity=1,price=55000', '--metadata', 'till=4'],
  ]),
  sends(16, 'for a referral and a card', [
    ['events', 'send', 'newsletter_subscribed', '--customer', 'source_id=ada,name=Ada,email=ada@example.test'],
    ['--referral', 'EVE-1', '--referrer', 'cust_2', '--loyalty', 'CLUB-001'],
    ['--metadata', 'lang=en-us', '--metadata', 'beta=true'],
  ]),
]

const commands = new Map(describedCommands(root).map((command) => [command.id.replaceAll(':', ' '), command]))

function wordsOf({ argv }: Case): string[] {
  return argv.flat()
}

/** The command a case runs, when there is one: the tests below are those of the commands that exist. */
function commandOf(one: Case): DescribedCommand | undefined {
  return [3, 2]
    .map((length) => commands.get(wordsOf(one).slice(0, length).join(' ')))
    .find((found) => found !== undefined)
}

const runnable = cases.filter((one) => commandOf(one) !== undefined)

const credentials = {
  PROMO_APP_ID: 'app-id',
  PROMO_APP_TOKEN: 'app-token',
  PROMO_MANAGEMENT_ID: 'management-id',
  PROMO_MANAGEMENT_TOKEN: 'management-token',
}

describe.each(runnable.map((one) => [`promo ${wordsOf(one).slice(0, 3).join(' ')}`, one.example, one] as const))(
  '%s: %s',
  (_, title, one) => {
    const { wire, answer: served } = exampleOf(one.endpoint, title)
    const isCompared = (asked: Asked) =>
      asked.method === wire.method && partsOf(asked).path === wire.path && sameQuery(asked, wire.query)

    test('sends the method, path, query, credentials and body of the example', async () => {
      await using server = await scriptedServer((asked) =>
        // The example is the end of its list; with more to come it would be asked for once more.
        answer(200, isCompared(asked) || !one.before ? lastPage(served) : one.before(asked)),
      )

      const { stderr } = await promoIn(temporaryFolder())(wordsOf(one), {
        env: { PROMO_BASE_URL: server.origin, ...credentials },
        ...(one.stdin !== undefined && { stdin: one.stdin }),
      })

      expect(server.asked.map(partsOf), stderr).toContainEqual({
        method: wire.method,
        path: wire.path,
        query: wire.query,
        credentials: fixtureOf(one.endpoint)
          .headers.map((name) => name.toLowerCase())
          .toSorted(),
        ...shownBody(wire.headers['Content-Type'], wire.body),
      })
      expect(server.asked.filter(isCompared)).toHaveLength(1)
    })

    test('belongs to a command that declares this call', () => {
      expect(commandOf(one)?.calls.filter((call) => isRequestOf(call, wire))).toHaveLength(1)
    })
  },
)

test('each of the sixteen endpoints is reached by a command', () => {
  expect(new Set(runnable.map(({ endpoint }) => endpoint)).size).toBe(16)
  expect(new Set(runnable.map(({ endpoint }) => endpoint))).toEqual(new Set(fixtures.map(({ endpoint }) => endpoint)))
})

// Listed, so that a new example in a fixture is not silently skipped.
test('every example has a case, except those that no flag can produce', () => {
  const examples = fixtures.flatMap(({ endpoint, examples: all }) => all.map(({ title }) => `${endpoint}: ${title}`))
  const tried = runnable.map(({ endpoint, example }) => `${endpoint}: ${example}`)

  expect(examples.filter((example) => !tried.includes(example))).toEqual([
    // `webhooks create` always sends whether the webhook is active.
    '3: active is left out',
    // `loyalty transactions list` chooses by type, time and points, not by the id of a transaction.
    '9: one transaction by its id',
  ])
})

/** Members of a body that no flag sends, and why; `order.*` is everything below. */
const withoutFlag: Record<string, string> = {
  '7: campaign_id': '--campaign names the campaign',
  '7: category_id': '--category names the category',
  '7: validity_timeframe.*': 'are two durations that mean something only together: --set validity_timeframe={…}',
  '7: validity_hours.*': 'is a list of objects: --set validity_hours={…}',
}

// Besides the cases above, which the tests above send. What --set, --body and a file send does not count.
const flagLines: [endpoint: number, argv: string[]][] = [
  [
    5,
    ['templates', 'copy', 'camp_tpl_1', '--to', 'proj_2', '--name', 'Spring', '--description', 'Now', '--project', 'p'],
  ],
  [
    7,
    ['vouchers create A --percent-off 10 --campaign Spring --category Seasonal --starts 2027-01-01 --no-active']
      .concat('--expires 2027-01-31 --weekdays mon,fri --note Desk --metadata a=1 --rules val_1,val_2 --uses 2')
      .flatMap((line) => line.split(' ')),
  ],
  [7, ['vouchers', 'create', 'A', '--points', '10', '--campaign', 'Bean Club']],
]

test('each member that people type in a body of the specification has a flag, or a reason why not', async () => {
  const promo = promoIn(temporaryFolder())
  const isTyped = (argv: string[]) => !argv.some((word) => /^--(?:set|body|from)$/.test(word))
  const sent = runnable
    .filter((one) => isTyped(wordsOf(one)))
    .flatMap(({ endpoint, example }) => pathsOfBody(exampleOf(endpoint, example).wire.body, `${endpoint}: `))
  for (const [endpoint, argv] of flagLines) {
    const { stdout, stderr } = await promo([...argv, '--dry-run', '--json'], { env: credentials })
    expect(stderr).not.toContain('try:')
    sent.push(...pathsOfBody(JSON.parse(stdout)[0].body, `${endpoint}: `))
  }

  const members = fixtures.flatMap(({ endpoint, body }) => pathsOfFields(body ?? {}, `${endpoint}: `))
  const isBelow = (path: string, member: string) =>
    path.endsWith('*') ? member.startsWith(path.slice(0, -1)) : path === member
  const excepted = Object.keys(withoutFlag)
  const isSent = (member: string) => sent.some((path) => path === member || path.startsWith(`${member}.`))

  expect(members.filter((member) => !isSent(member) && !excepted.some((path) => isBelow(path, member)))).toEqual([])
  // No reason for what has a flag, or is no member.
  expect(excepted.filter((path) => !members.some((member) => !isSent(member) && isBelow(path, member)))).toEqual([])
})

function fixtureOf(endpoint: number) {
  const found = fixtures.find((fixture) => fixture.endpoint === endpoint)
  if (found === undefined) throw new Error(`there is no fixture for endpoint ${endpoint}`)
  return found
}

function lastPage(served: unknown): unknown {
  return { ...(served as object), ...('has_more' in (served as object) && { has_more: false }) }
}

function exampleOf(endpoint: number, title: string): Example {
  const found = fixtureOf(endpoint).examples.find((example) => example.title === title)
  if (found === undefined) throw new Error(`endpoint ${endpoint} has no example "${title}"`)
  return found
}

function partsOf({ method, url, headers, body }: Asked) {
  const [path = '', search = ''] = url.split('?')
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
  return {
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(search)),
    credentials: Object.keys(headers)
      .filter((name) => /^x-.*-(id|token)$|^authorization$/.test(name))
      .toSorted(),
    ...shownBody(headers['content-type'], body === '' ? null : isForm ? body : JSON.parse(body)),
  }
}

/** An empty body is equivalent to none, without a content type. */
function shownBody(contentType: string | undefined, given: unknown) {
  const body = saying(given)
  return body === undefined ? {} : { contentType, body }
}

function sameQuery(asked: Asked, query: Record<string, string>): boolean {
  return JSON.stringify(partsOf(asked).query) === JSON.stringify(query)
}

/** A body without its empty members, null or an empty object, which the specification makes optional. */
function saying(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body ?? undefined
  if (Array.isArray(body)) return body.map(saying)
  const members = Object.entries(body)
    .map(([name, value]) => [name, saying(value)] as const)
    .filter(([, value]) => value !== undefined)
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** The paths of everything in a body; a form is read like an object of texts. */
function pathsOfBody(value: unknown, path: string): string[] {
  if (typeof value === 'string' && path.endsWith(' ')) {
    return pathsOfBody(Object.fromEntries(new URLSearchParams(value)), path)
  }
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => pathsOfBody(item, path))]
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, member]) => pathsOfBody(member, under(path, name)))
}

function pathsOfFields(fields: Record<string, Field>, path: string): string[] {
  return Object.entries(fields).flatMap(([name, { fields: own, items }]) => {
    const inner = own ?? items?.fields
    return inner === undefined ? [under(path, name)] : pathsOfFields(inner, under(path, name))
  })
}

function under(path: string, name: string): string {
  return path.endsWith(' ') ? `${path}${name}` : `${path}.${name}`
}
