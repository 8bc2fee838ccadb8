// A client that a generator makes from the sandbox's own document: it compiles, and does a shop's day. The document is then
// proven by somebody else's reading of it, names, types and addresses alike. openapi-typescript, which is better known, calls the
// API of a compiler that TypeScript 7 no longer has.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generate } from 'openapi-typescript-codegen'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'
import { type StartedSandbox, startedSandbox } from '../support/started-sandbox.ts'

/** What a shop does in a day, written against the generated types alone. */
const day = `
import { Shop } from './client/index'

export async function aDay(url: string, headers: Record<string, string>) {
  const shop = new Shop({ BASE: url, HEADERS: headers })
  const coffee = await shop.products.productsCreate({ requestBody: { source_id: 'coffee', name: 'Coffee', price: 1200 } })
  const customer = await shop.customers.customersCreate({ requestBody: { source_id: 'ada', name: 'Ada' } })
  const campaign = await shop.campaigns.campaignsCreate({
    requestBody: {
      name: 'Spring & Co',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'AUTO_UPDATE',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    },
  })
  const club = await shop.loyalty.loyaltyProgramsCreate({
    requestBody: { name: 'Club', type: 'AUTO_UPDATE', voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } } },
  })
  await shop.loyalty.loyaltyEarningRulesCreate({
    campaignId: club.id,
    requestBody: [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 5 } }],
  })
  const card = await shop.loyalty.loyaltyMembersCreate({
    campaignId: club.id,
    requestBody: { customer: { id: customer.id } },
  })
  const published = await shop.publications.publicationsCreate({
    joinOnce: true,
    requestBody: { campaign: { name: campaign.name }, customer: { id: customer.id } },
  })
  const code: string = published.voucher?.code ?? ''
  const cart = {
    redeemables: [{ object: 'voucher' as const, id: code }],
    customer: { id: customer.id },
    order: { items: [{ product_id: coffee.id, quantity: 2 }] },
  }
  const validation = await shop.validations.validationsValidate({ requestBody: cart })
  const redeemed = await shop.redemptions.redemptionsCreate({ requestBody: cart })
  const [redemption] = redeemed.redemptions
  const rolledBack = await shop.redemptions.redemptionsRollback({
    redemptionId: redemption?.id ?? '',
    requestBody: { reason: 'returned' },
  })
  const disabled = await shop.vouchers.vouchersDisable({ code })
  const list = await shop.vouchers.vouchersList({ limit: 5, customer: 'ada' })
  const missing = await shop.vouchers.vouchersGet({ code: 'nope/nope' }).catch((error) => error)
  return {
    valid: validation.valid,
    total: redeemed.order?.total_amount,
    reason: rolledBack.reason,
    active: disabled.active,
    codes: list.vouchers.map((voucher) => voucher.code).toSorted(),
    expected: [code, card.code].toSorted(),
    missing: missing.status as number,
  }
}
`

let sandbox: StartedSandbox
let folder: string

beforeAll(async () => {
  sandbox = await startedSandbox(['--empty'])
  folder = temporaryFolder()
  const document = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as Record<string, unknown>
  await generate({
    input: document,
    output: join(folder, 'client'),
    httpClient: 'fetch',
    clientName: 'Shop',
    useOptions: true,
    useUnionTypes: true,
  })
  writeFileSync(join(folder, 'day.ts'), day)
})

afterAll(() => sandbox.close())

test('the generated client compiles, and so does a program written against it', () => {
  const flags = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'preserve', '--lib', 'es2023,dom']
  const argv = [join(root, 'node_modules/typescript/bin/tsc'), ...flags, join(folder, 'day.ts')]

  const { status, stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8', cwd: folder })

  expect([stdout, status]).toEqual(['', 0])
})

test('the generated client does the day of a shop', async () => {
  const { app_id, app_token } = sandbox.credentials
  const bundle = await rolldown({ input: join(folder, 'day.ts'), platform: 'node' })
  await bundle.write({ file: join(folder, 'day.mjs'), format: 'esm' })
  const { aDay } = await import(pathToFileURL(join(folder, 'day.mjs')).href)

  const { codes, expected, ...told } = await aDay(sandbox.url, { 'X-App-Id': app_id, 'X-App-Token': app_token })

  expect(told).toEqual({ valid: true, total: 2160, reason: 'returned', active: false, missing: 404 })
  expect(codes).toEqual(expected)
})
