import { describe, expect, test } from 'vitest'
import { acceptedSpelling, shownSpelling, webhookEvents } from '../../../src/contract/webhook-events.ts'
import { createWebhook, webhook } from '../../../src/contract/webhooks.ts'

const target_url = 'https://example.test/hook'

describe('the catalogue of webhook events', () => {
  test('has 60 different names in 11 families', () => {
    expect(new Set(webhookEvents.map(({ name }) => name)).size).toBe(60)
    expect(new Set(webhookEvents.map(({ family }) => family)).size).toBe(11)
  })

  test('knows both spellings of the four misspelt names, and one spelling of all others', () => {
    const twins = webhookEvents.filter(({ name, shown_as }) => name !== shown_as)

    expect(twins.map(({ name, shown_as }) => [name, shown_as])).toEqual([
      ['voucher.gift.balance_aded', 'voucher.gift.balance_added'],
      ['voucher.loyalty_card.points_aded', 'voucher.loyalty_card.points_added'],
      ['voucher.loyalty_card.pending_points.aded', 'voucher.loyalty_card.pending_points.added'],
      ['campaign.vouchers.aded', 'campaign.vouchers.added'],
    ])
  })

  test('spells a name as the service accepts it, from either spelling', () => {
    expect(acceptedSpelling('voucher.gift.balance_added')).toBe('voucher.gift.balance_aded')
    expect(acceptedSpelling('voucher.gift.balance_aded')).toBe('voucher.gift.balance_aded')
    expect(acceptedSpelling('voucher.created')).toBe('voucher.created')
    expect(acceptedSpelling('customer.updated')).toBe('customer.updated')
  })

  test('spells a name as the service shows it, and leaves unknown names unchanged', () => {
    expect(shownSpelling('campaign.vouchers.aded')).toBe('campaign.vouchers.added')
    expect(shownSpelling('campaign.vouchers.added')).toBe('campaign.vouchers.added')
    expect(shownSpelling('voucher.faded')).toBe('voucher.faded')
  })
})

describe('a webhook configuration', () => {
  test.each([
    ['no event', { target_url, events: [] }],
    ['an event twice', { target_url, events: ['voucher.created', 'voucher.created'] }],
    ['an event as it is shown, not as it is taken', { target_url, events: ['voucher.gift.balance_added'] }],
    ['an address that is not http', { target_url: 'ftp://example.test', events: ['voucher.created'] }],
    ['an address that is none', { target_url: 'example', events: ['voucher.created'] }],
    ['a typing error in a name', { target_url, event: ['voucher.created'] }],
  ])('is refused with %s', (_, body) => {
    expect(createWebhook.body?.safeParse(body).success).toBe(false)
  })

  test('accepts all 60 events at once', () => {
    const body = { target_url, events: webhookEvents.map(({ name }) => name), active: false }

    expect(createWebhook.body?.parse(body)).toEqual(body)
  })

  test('is read with any events', () => {
    const stored = { id: 'wh_1', object: 'webhook', target_url, events: ['a.new.event'], active: true, note: 1 }

    expect(webhook.parse(stored)).toEqual(stored)
  })
})
