// Every command makes each call it declares. Every other test proves that no declaration is missing
// (test/support/promo.ts).
import { expect, test } from 'vitest'
import type { CommandClass } from '../../src/cli/command.ts'
import { factsOf } from '../../src/cli/help/facts.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Action, type Asked, answer, scriptedServer } from '../support/scripted-server.ts'
import { hearing, isRequestOf } from '../support/sent-requests.ts'

/** A command line, and the answers it needs to continue; other requests find nothing. */
type Line = [words: string, goesOn?: (asked: Asked, index: number) => Action | undefined]

const notFound = answer(404, { code: 404, message: 'Not found', key: 'not_found' })
const lineOf = (words: string, ...rest: string[]): Line[] => [words, ...rest].map((one) => [one])
const unlessItReads =
  (body: object): NonNullable<Line[1]> =>
  ({ method }) =>
    method === 'GET' ? undefined : answer(200, body)
const whenItReads =
  (body: object): NonNullable<Line[1]> =>
  ({ method }) =>
    method === 'GET' ? answer(200, body) : undefined

const exportJob = { id: 'exp_1', object: 'export', status: 'SCHEDULED', created_at: '2026-01-01T00:00:00.000Z' }
const webhook = {
  id: 'wh_1',
  object: 'webhook',
  target_url: 'https://shop.example/',
  events: ['voucher.created'],
  active: true,
}
const holder = '--holder source_id=ada'
const newWebhook = '--url https://shop.example/ --event voucher.created'

const lines: Record<string, Line[]> = {
  doctor: lineOf(''),
  'events:send': lineOf('joined --customer source_id=ada'),
  'exports:download': lineOf('exp_1'),
  'exports:get': lineOf('exp_1'),
  'exports:list': lineOf(''),
  'loyalty:cards:get': [
    [
      'C',
      ({ url }) =>
        url.includes('members')
          ? answer(200, { id: 'm_1', code: 'C', type: 'LOYALTY_CARD', object: 'voucher', holder_id: 'cust_1' })
          : undefined,
    ],
    ['C --campaign camp_1'],
  ],
  'loyalty:transactions:export': [['C --wait', unlessItReads(exportJob)], ['C --campaign camp_1']],
  'loyalty:transactions:list': lineOf('camp_1', '--card C', 'camp_1 --card C'),
  'loyalty:transactions:verify': lineOf('camp_1', '--card C', 'camp_1 --card C'),
  'profiles:verify': lineOf(''),
  'qualify:campaigns': lineOf('--amount 1'),
  'referrals:holders:add': lineOf(`R ${holder}`, `camp_1 R ${holder}`),
  'referrals:holders:list': lineOf('R', 'camp_1 R'),
  'referrals:holders:remove': lineOf('R rh_1', 'R rh_1 --campaign camp_1'),
  'skus:list': lineOf('prod_1'),
  'templates:copy': lineOf('tpl_1 --to proj_2 --name N'),
  'templates:create': lineOf('N --campaign camp_1'),
  'templates:delete': lineOf('tpl_1'),
  'templates:get': lineOf('tpl_1'),
  'templates:list': lineOf('', '--project proj_1'),
  'templates:setup-campaign': lineOf('tpl_1 --name N'),
  'templates:setup-tier': lineOf('tpl_1 --campaign camp_1 --name N'),
  'templates:update': lineOf('tpl_1 --name N'),
  'token:create': lineOf('--scope api'),
  'token:introspect': lineOf(''),
  'token:revoke': lineOf(''),
  'validate:promotions': lineOf('--amount 1'),
  'validate:redeemables': lineOf('C'),
  // The code is taken after an answer was lost: perhaps by the create itself.
  'vouchers:create': [
    [
      'C --type LOYALTY_CARD --set loyalty_card.points=1 --retries 1',
      ({ method }, index) =>
        method === 'GET'
          ? undefined
          : index === 0
            ? { do: 'reset' }
            : answer(409, { code: 409, key: 'duplicate_found' }),
    ],
  ],
  'vouchers:delete': lineOf('C'),
  'vouchers:disable': lineOf('C'),
  'vouchers:enable': lineOf('C'),
  'vouchers:get': lineOf('C'),
  'vouchers:list': lineOf(''),
  'vouchers:update': lineOf('C --set active=true'),
  'webhooks:create': [[newWebhook, whenItReads({ object: 'list', data_ref: 'data', data: [], total: 0 })]],
  'webhooks:delete': lineOf('wh_1'),
  'webhooks:get': lineOf('wh_1'),
  'webhooks:list': lineOf(''),
  'webhooks:update': [['wh_1 --active', whenItReads(webhook)]],
}

const modules = import.meta.glob<{ default: CommandClass }>('../../src/commands/**/*.ts')
const classOf = async (id: string) => (await modules[`../../src/commands/${id.replaceAll(':', '/')}.ts`]?.())?.default

test.each(Object.entries(lines))('%s makes every call it declares', async (id, all) => {
  const promo = promoIn(temporaryFolder())
  const Class = (await classOf(id)) as CommandClass
  const takesYes = Class.flags.yes !== undefined ? ['--yes'] : []
  const { result: said, sent } = await hearing(async () => {
    const said: string[] = []
    for (const [words, goesOn] of all) {
      await using server = await scriptedServer((asked, index) => goesOn?.(asked, index) ?? notFound)
      const argv = [...id.split(':'), ...words.split(' ').filter((word) => word !== ''), ...takesYes]
      const env = {
        PROMO_BASE_URL: server.origin,
        PROMO_APP_ID: 'a',
        PROMO_APP_TOKEN: 't',
        PROMO_MANAGEMENT_ID: 'm',
        PROMO_MANAGEMENT_TOKEN: 't',
        PROMO_PROJECT_ID: 'proj_1',
      }
      said.push((await promo(argv, { env, stdin: 'token' })).stderr)
    }
    return said
  })

  const { calls } = factsOf(Class)
  const made = calls.filter((call) => sent.some((request) => isRequestOf(call, request)))
  expect(made, said.join('')).toEqual(calls)
})

test('every command with calls is listed', async () => {
  const ids = Object.keys(modules).map((path) =>
    path.slice('../../src/commands/'.length, -'.ts'.length).replaceAll('/', ':'),
  )
  const calling = await Promise.all(ids.map(async (id) => ({ id, calls: (await classOf(id))?.calls ?? [] })))

  expect(Object.keys(lines).toSorted()).toEqual(
    calling
      .filter(({ calls }) => calls !== 'any' && calls.length > 0)
      .map(({ id }) => id)
      .toSorted(),
  )
})
