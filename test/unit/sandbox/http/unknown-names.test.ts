// Every call about an object, with a name in its path that nothing has, one part at a time: a 404 that says what was not found.
import { expect, test } from 'vitest'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import { resources } from '../../../../src/sandbox/resources.ts'
import { bodyOf, fullShop, senderOf } from '../../../support/write-calls.ts'

/** What is not found, by the part of the path that names it; where it is called otherwise, by the call. */
const kinds: Record<string, string> = {
  assignmentId: 'reward_assignment',
  asyncActionId: 'async_action',
  binEntryId: 'bin_entry',
  campaignId: 'campaign',
  campaignTemplateId: 'campaign_template',
  categoryId: 'category',
  code: 'voucher',
  customEventSchemaId: 'custom_event_schema',
  customerId: 'customer',
  earningRuleId: 'earning_rule',
  exportId: 'export',
  holderId: 'redeemable_holder',
  locationId: 'location',
  loyaltyTierId: 'loyalty_tier',
  memberId: 'voucher',
  metadataSchemaId: 'metadata_schema',
  orderId: 'order',
  parentRedemptionId: 'redemption',
  pendingPointsId: 'pending_points',
  productCollectionId: 'products_collection',
  productId: 'product',
  projectId: 'project',
  promotionTierId: 'promotion_tier',
  redemptionId: 'redemption',
  resource: 'metadata_schema',
  rewardId: 'reward',
  segmentId: 'segment',
  sessionKey: 'session',
  skuId: 'sku',
  stackId: 'promotion_stack',
  stackingRulesId: 'stacking_rules',
  'validation-rules.unassign': 'validation_rules_assignment',
  validationRuleId: 'validation_rules',
  webhookId: 'webhook',
}

/** A new code has any name; whether one is valid is a question that is answered. */
const others = ['vouchers.create', 'campaigns.vouchers.add code', 'vouchers.validate']

const served = new Set(resources.flatMap(({ routes = [] }) => routes).map(({ endpoint }) => endpoint.id))
const parts = endpoints
  .filter(({ id, encoding }) => served.has(id) && encoding !== 'multipart')
  .flatMap((endpoint) =>
    [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [endpoint.id, name, endpoint] as const),
  )
  .filter(([id, name]) => !others.includes(id) && !others.includes(`${id} ${name}`))

test.each(parts)('%s: an unknown %s is not found', (id, name, endpoint) => {
  const unknown = 'no "one"/?'
  const send = senderOf(fullShop(), endpoint, { stackingRulesId: 'x', [name]: unknown })

  const { status, body } = send(endpoint.body && bodyOf(endpoint))

  const kind = (name === 'assignmentId' && kinds[id]) || kinds[name]
  expect([status, body.details]).toEqual([404, `Cannot find ${kind} with id ${unknown}`])
  // A project has no key; what is redeemed has a failed redemption.
  if (name !== 'projectId' && !id.endsWith('.redeem'))
    expect(body).toMatchObject({ key: 'not_found', resource_id: unknown, resource_type: kind })
})

test('most calls are about an object', () => {
  expect(parts.length).toBeGreaterThan(200)
})
