// `examples/full-fixture.json` contains one of everything that a fixture may contain, and every list shows its objects.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import { resources } from '../../../../src/sandbox/resources.ts'
import { promoIn, temporaryFolder } from '../../../support/promo.ts'
import { type TestSandbox, testSandbox } from '../../../support/sandbox.ts'
import { root } from '../../../support/source-files.ts'

const path = 'examples/full-fixture.json'
const fixture: Record<string, Array<{ id: string }>> = JSON.parse(readFileSync(join(root, path), 'utf8'))

/** Collections internal to the sandbox: jobs, and records of its own calls. */
const notOfFixtures = [
  'projects',
  'bin_entries',
  'exports',
  'export_parts',
  'session_locks',
  'order_payments',
  'action_inputs',
  'action_outcomes',
  'referral_conversions',
  'async_actions',
  'campaign_days',
]

const card = '/v1/loyalties/members/CLUB-1'
const program = '/v1/loyalties/camp_club'
const member = `${program}/members/CLUB-1`

/** The ids each list must show, by the id of its endpoint; with the path where it has parameters. */
const lists: Record<string, { path?: string; shows: string[] }> = {
  'vouchers.list': { shows: ['v_season', 'v_mornings', 'v_free', 'v_gift', 'v_club', 'v_friend'] },
  'vouchers.transactions.list': { path: '/v1/vouchers/GIFT-1/transactions', shows: ['vtx_gift_1'] },
  'vouchers.activity.list': { path: '/v1/vouchers/CLUB-1/activity', shows: ['evvou_'] },
  'vouchers.redemptions.list': { path: '/v1/vouchers/SEASON-1/redemptions', shows: ['r_season'] },
  'vouchers.publications.list': { path: '/v1/vouchers/SEASON-1/publications', shows: ['pub_season'] },
  'redemptions.list': { shows: ['r_season'] },
  'promotions.tiers.list': { shows: ['promo_big', 'promo_all'] },
  'promotions.campaign-tiers.list': { path: '/v1/promotions/camp_terrace/tiers', shows: ['promo_big', 'promo_all'] },
  'promotions.stacks.list': { shows: ['stack_both'] },
  'promotions.campaign-stacks.list': { path: '/v1/promotions/camp_terrace/stacks', shows: ['stack_both'] },
  'campaigns.list': { shows: ['camp_season', 'camp_gifts', 'camp_club', 'camp_friends', 'camp_terrace'] },
  'campaigns.activity.list': { path: '/v1/campaigns/camp_season/activity', shows: ['evcam_'] },
  'campaigns.transactions.list': { path: '/v1/campaigns/camp_gifts/transactions', shows: ['vtx_gift_1'] },
  'templates.list': { shows: ['camp_tpl_season'] },
  'templates.list-of-project': { shows: ['camp_tpl_season'] },
  'loyalty.programs.list': { shows: ['camp_club'] },
  'loyalty.members.activity.list': { path: `${card}/activity`, shows: ['evvou_'] },
  'loyalty.campaign-members.activity.list': { path: `${member}/activity`, shows: ['evvou_'] },
  'loyalty.members.list': { path: `${program}/members`, shows: ['v_club'] },
  'loyalty.transactions.list': { path: `${program}/transactions`, shows: ['vtx_club_1'] },
  'loyalty.card-transactions.list': { path: `${card}/transactions`, shows: ['vtx_club_1'] },
  'loyalty.campaign-card-transactions.list': { path: `${member}/transactions`, shows: ['vtx_club_1'] },
  'loyalty.points-expiration.list': { path: `${member}/points-expiration`, shows: ['lopb_club'] },
  'loyalty.earning-rules.list': { path: `${program}/earning-rules`, shows: ['ern_tasting'] },
  'loyalty.tiers.list': { path: `${program}/tiers`, shows: ['ltr_silver'] },
  'loyalty.tiers.earning-rules.list': { path: `${program}/tiers/ltr_silver/earning-rules`, shows: ['ern_tasting'] },
  'loyalty.tiers.rewards.list': { path: `${program}/tiers/ltr_silver/rewards`, shows: ['rewa_mug'] },
  'loyalty.members.tiers.list': { path: `${card}/tiers`, shows: ['ltr_silver'] },
  'loyalty.pending-points.list': { path: `${program}/pending-points`, shows: ['lopp_club'] },
  'loyalty.members.pending-points.list': { path: `${card}/pending-points`, shows: ['lopp_club'] },
  'loyalty.campaign-members.pending-points.list': { path: `${member}/pending-points`, shows: ['lopp_club'] },
  'loyalty.rewards.list': { path: `${program}/rewards`, shows: ['rewa_mug'] },
  'loyalty.reward-assignments.list': { path: `${program}/reward-assignments`, shows: ['rewa_mug'] },
  'customers.activities.list': { path: '/v1/customers/shop-1/activities', shows: [] },
  'loyalty.members.activities.list': { path: `${card}/activities`, shows: [] },
  'loyalty.campaign-members.activities.list': { path: `${member}/activities`, shows: [] },
  'locations.list': { shows: [] },
  'rewards.list': { shows: ['rew_mug'] },
  'rewards.assignments.list': { path: '/v1/rewards/rew_mug/assignments', shows: ['rewa_mug'] },
  'referrals.holders.list': { path: '/v1/referrals/members/FRIEND-1/holders', shows: ['rh_ada', 'rh_bo'] },
  'referrals.campaign-holders.list': {
    path: '/v1/referrals/camp_friends/members/FRIEND-1/holders',
    shows: ['rh_ada', 'rh_bo'],
  },
  'publications.list': { shows: ['pub_club', 'pub_season'] },
  'customers.list': { shows: ['cust_ada', 'cust_bo'] },
  'customers.activity.list': { path: '/v1/customers/shop-1/activity', shows: ['evcus_'] },
  'customers.segments.list': { path: '/v1/customers/shop-1/segments', shows: ['seg_readers'] },
  'client.vouchers.list': { shows: ['SEASON-1', 'GIFT-1', 'CLUB-1'] },
  'client.promotions.tiers.list': { shows: ['promo_big', 'promo_all'] },
  'customers.redeemables.list': { path: '/v1/customers/shop-1/redeemables', shows: ['v_club'] },
  'segments.list': { shows: ['seg_readers'] },
  'products.list': { shows: ['prod_beans'] },
  'skus.list': { path: '/v1/products/beans/skus', shows: ['sku_beans_1kg'] },
  'orders.list': { shows: ['ord_1'] },
  'product-collections.list': { shows: ['pc_coffee'] },
  'product-collections.products.list': { path: '/v1/product-collections/pc_coffee/products', shows: ['prod_beans'] },
  'categories.list': { shows: ['cat_season'] },
  'validation-rules.list': { shows: ['val_forty'] },
  'validation-rules-assignments.list': { shows: ['asgm_big'] },
  'validation-rules.assignments.list': { path: '/v1/validation-rules/val_forty/assignments', shows: ['asgm_big'] },
  'exports.list': { shows: ['exp_'] },
  'async-actions.list': { shows: ['aa_'] },
  'trash-bin.list': { shows: ['tbe_'] },
  'webhooks.list': { shows: ['wh_local'] },
  'event-schemas.list': { shows: ['ms_tasting'] },
  'metadata-schemas.list': { shows: ['ms_voucher'] },
  'project-metadata-schemas.list': { shows: ['ms_voucher'] },
  'stacking-rules.list': { shows: ['stk_'] },
  'projects.list': { shows: ['proj_'] },
}

test('the example has every member that a fixture may have', () => {
  const collections = resources.flatMap((resource) => resource.collections ?? []).map(({ name }) => name)
  const expected = collections.filter((name) => !notOfFixtures.includes(name))

  expect(Object.keys(fixture).toSorted()).toEqual([...new Set(expected), 'settings', 'stacking_rules'].toSorted())
  expect(expected.filter((name) => fixture[name]?.length === 0)).toEqual([])
})

test('promo sandbox seed loads it, and refuses it entirely the second time', async () => {
  const folder = temporaryFolder()
  const promo = promoIn(folder)
  const seed = ['sandbox', 'seed', '--from', path, '--data', join(folder, 'shop.db')]

  const first = await promo(seed)
  const second = await promo(seed)
  const { stdout } = await promo(['sandbox', 'status', '--json', '--data', join(folder, 'shop.db')])

  expect(first).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('6 vouchers') })
  expect(second).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is taken') })
  expect(JSON.parse(stdout).counts).toMatchObject({ vouchers: 6, campaigns: 5, redemptions: 1, webhooks: 1 })
})

describe('every list that is served', () => {
  const served = new Set(resources.flatMap(({ routes }) => routes ?? []).map(({ endpoint }) => endpoint.id))
  const listing = endpoints.filter(({ id, method }) => method === 'GET' && /\.list\b/.test(id) && served.has(id))
  let sandbox: TestSandbox

  beforeAll(async () => {
    const settings = Object.assign({}, fixture.settings, { client_list_vouchers_enabled: true })
    sandbox = testSandbox({ fixture: { ...fixture, settings } })
    // Only the service creates these: events about a customer, a campaign and a card, an export, an asynchronous action, an object in the bin.
    sandbox.put('/v1/customers/shop-1', { name: 'Ada L.' })
    sandbox.post('/v1/loyalties/members/CLUB-1/balance', { points: 1 })
    sandbox.post('/v1/exports', { exported_object: 'voucher' })
    sandbox.call('POST', '/v1/campaigns/camp_season/vouchers', { query: 'vouchers_count=5', body: {} })
    await sandbox.settled()
    sandbox.post('/v1/vouchers/GONE', { discount: { type: 'AMOUNT', amount_off: 100 } })
    sandbox.del('/v1/vouchers/GONE')
  })

  afterAll(() => sandbox.store.close())

  test('has a line in the table above, and no line is unused', () => {
    expect(Object.keys(lists).toSorted()).toEqual(listing.map(({ id }) => id).toSorted())
  })

  test.each(listing.map((endpoint) => [endpoint.id, endpoint] as const))('%s shows its objects', (id, endpoint) => {
    const { path = endpoint.path, shows = [] } = lists[id] ?? {}
    const { management_id, management_token, project_id, client_app_id, client_token } = sandbox.credentials
    const headers = {
      'x-management-id': management_id,
      'x-management-token': management_token,
      'x-client-application-id': client_app_id,
      'x-client-token': client_token,
      origin: 'http://localhost',
    }

    const { status, body } = sandbox.call('GET', path.replace('{projectId}', project_id), { headers })

    // An offer to the members of a tier has no id of its own.
    const ids: string[] = body[body.data_ref].map(
      ({ id, code, assignment }: { id?: string; code: string; assignment?: { id: string } }) =>
        id ?? assignment?.id ?? code,
    )
    expect(status).toBe(200)
    expect(shows.filter((wanted) => !ids.some((found) => found === wanted || isMade(wanted, found)))).toEqual([])
  })
})

/** Ids that the sandbox generates are compared by their prefix. */
function isMade(wanted: string, found: string): boolean {
  return wanted.endsWith('_') && found.startsWith(wanted)
}
