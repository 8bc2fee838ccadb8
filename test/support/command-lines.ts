// The least command lines of every command that calls the service, and the classes of all commands.
import type { CommandClass } from '../../src/cli/command.ts'
import { type Action, type Asked, answer } from './scripted-server.ts'

/** A command line, and the answers it needs to continue; other requests find nothing. */
export type CommandLines = [words: string, goesOn?: (asked: Asked, index: number) => Action | undefined]

/** The answer to a request that the line does not foresee. */
export const notFound = answer(404, { code: 404, message: 'Not found', key: 'not_found' })
const lineOf = (words: string, ...rest: string[]): CommandLines[] => [words, ...rest].map((one) => [one])
const unlessItReads =
  (body: object): NonNullable<CommandLines[1]> =>
  ({ method }) =>
    method === 'GET' ? undefined : answer(200, body)
const whenItReads =
  (body: object): NonNullable<CommandLines[1]> =>
  ({ method }) =>
    method === 'GET' ? answer(200, body) : undefined

/** Refuses what is created, because it exists; `body` is what a read finds. */
const ifTaken =
  (body: object): NonNullable<CommandLines[1]> =>
  ({ method }) =>
    method === 'GET'
      ? answer(200, body)
      : method === 'POST'
        ? answer(409, { code: 409, key: 'duplicate_found' })
        : undefined

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

/** The least command lines of each command that calls the service: together they make every call it declares. */
export const lines: Record<string, CommandLines[]> = {
  'async:get': lineOf('aa_1'),
  'async:list': lineOf(''),
  'campaigns:create': [
    ['--set name=N --set campaign_type=PROMOTION'],
    [
      '--set name=N --set campaign_type=PROMOTION --if-exists update',
      ifTaken({ id: 'camp_1', object: 'campaign', name: 'N', campaign_type: 'PROMOTION' }),
    ],
  ],
  'campaigns:delete': lineOf('camp_1'),
  'campaigns:disable': lineOf('camp_1'),
  'campaigns:enable': lineOf('camp_1'),
  'campaigns:get': lineOf('camp_1'),
  'campaigns:list': lineOf(''),
  'campaigns:summary': lineOf('camp_1'),
  'campaigns:update': lineOf('camp_1 --set description=D'),
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
  'metadata:schemas': lineOf(''),
  'products:get': lineOf('prod_1'),
  'products:list': lineOf(''),
  'profiles:add': lineOf('shop --insecure-storage --no-input'),
  'profiles:verify': lineOf(''),
  'projects:list': lineOf(''),
  'promotions:disable': lineOf('promo_1'),
  'promotions:enable': lineOf('promo_1'),
  'promotions:get': lineOf('promo_1'),
  'promotions:list': lineOf(''),
  'promotions:stacks': lineOf(''),
  'publications:list': lineOf(''),
  'qualify:campaigns': lineOf('--amount 1'),
  'referrals:holders:add': lineOf(`R ${holder}`, `camp_1 R ${holder}`),
  'referrals:holders:list': lineOf('R', 'camp_1 R'),
  'referrals:holders:remove': lineOf('R rh_1', 'R rh_1 --campaign camp_1'),
  'rules:get': lineOf('val_1'),
  'rules:list': lineOf(''),
  'segments:list': lineOf(''),
  'skus:list': lineOf('prod_1'),
  'templates:copy': lineOf('tpl_1 --to proj_2 --name N'),
  'templates:create': [
    ['N --campaign camp_1'],
    [
      'N --campaign camp_1 --if-exists update',
      ifTaken({ object: 'list', data_ref: 'data', data: [{ id: 'tpl_1', object: 'campaign_template', name: 'N' }] }),
    ],
  ],
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
      'C --type LOYALTY_CARD --set metadata.a=b --if-exists update',
      ifTaken({ id: 'v_1', object: 'voucher', code: 'C', type: 'LOYALTY_CARD' }),
    ],
    [
      'C --type LOYALTY_CARD --retries 1',
      ({ method }, index) =>
        method === 'GET'
          ? undefined
          : index === 0
            ? { do: 'reset' }
            : answer(409, { code: 409, key: 'duplicate_found' }),
    ],
  ],
  'vouchers:delete': lineOf('C'),
  'vouchers:disable': lineOf('C', 'C --prove-change'),
  'vouchers:enable': lineOf('C', 'C --prove-change'),
  'vouchers:get': lineOf('C'),
  'vouchers:list': lineOf(''),
  'vouchers:update': lineOf('C --set active=true'),
  'webhooks:create': [
    [newWebhook, whenItReads({ object: 'list', data_ref: 'data', data: [], total: 0 })],
    [
      `${newWebhook} --no-active --if-exists update`,
      whenItReads({ object: 'list', data_ref: 'data', data: [{ ...webhook, events: ['voucher.updated'] }], total: 1 }),
    ],
  ],
  'webhooks:delete': lineOf('wh_1'),
  'webhooks:get': lineOf('wh_1'),
  'webhooks:list': lineOf(''),
  'webhooks:update': [['wh_1 --active', whenItReads(webhook)]],
}

/** The modules of all commands, by path. */
export const commandModules = import.meta.glob<{ default: CommandClass }>('../../src/commands/**/*.ts')
/** The class of a command. */
export const classOf = async (id: string) =>
  (await commandModules[`../../src/commands/${id.replaceAll(':', '/')}.ts`]?.())?.default
