import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { webhookEvents } from '../../../../src/contract/webhook-events.ts'
import { sampleDelivery } from '../../../../src/sandbox/samples/sample.ts'
import { sampled } from '../../../support/size.ts'
import { root } from '../../../support/source-files.ts'

const nowMs = Date.parse('2026-05-06T07:08:09.123Z')
const targetUrl = 'https://shop.example/hooks'
const sampleOf = async (event: (typeof webhookEvents)[number]['name']) => {
  const sample = await sampleDelivery({ event, targetUrl, secret: 'secretKey', nowMs })
  return { ...sample, content: JSON.parse(sample.body) }
}

const [, paragraph = ''] = readFileSync(join(root, 'docs/sandbox.md'), 'utf8').split('These are never announced, ')
const never = [...(paragraph.split('\n\n')[0] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name)

/** The member of `data` that an event is about. */
const subjects: [RegExp, string][] = [
  [/^redemption\./, 'redemption'],
  [/^publication\./, 'publication'],
  [/^customer\.rewarded/, 'holder'],
  [/^customer\./, 'customer'],
  [/^voucher\.\w+\.transaction/, 'transaction'],
  [/^voucher\./, 'voucher'],
  [/^campaign\.(loyalty|referral)_tier/, 'campaign'],
  [/^campaign\.earning_rule/, 'earning_rule'],
  [/^campaign\.promotion_tier/, 'promotion_tier'],
  [/^campaign\.promotion_stack/, 'promotion_stack'],
  [/^campaign\.reward/, 'reward_assignment'],
  [/^campaign\./, 'campaign'],
  [/^business_validation_rule\.assignment/, 'assignment'],
  [/^business_validation_rule\./, 'rule'],
]

describe('a sample delivery', () => {
  test.each(sampled(webhookEvents, 2))('of $name is of that event and about its object', async ({ name, shown_as }) => {
    const { content, insteadOf } = await sampleOf(name)

    const [, subject = ''] = subjects.find(([names]) => names.test(shown_as)) ?? []
    expect(content).toMatchObject({ type: shown_as, event: { type: shown_as } })
    expect(content.data[subject]).toMatchObject({ id: expect.any(String) })
    expect(insteadOf !== undefined).toBe(never.includes(shown_as))
  })

  test('has the envelope of the service, at the time of the run', async () => {
    const { content } = await sampleOf('voucher.disabled')

    expect(Object.keys(content)).toEqual(['id', 'project_id', 'created_at', 'type', 'data', 'source', 'event'])
    expect(content).toMatchObject({
      id: expect.stringMatching(/^whs_/),
      created_at: '2026-05-06T07:08:09.123Z',
      data: { voucher: { code: 'SAMPLE-1', active: false } },
      source: { id: expect.stringMatching(/^wh_/), object: 'webhook', target_url: targetUrl },
      event: { id: expect.stringMatching(/^evvou_/), created_at: '2026-05-06T07:08:09.123Z' },
    })
  })

  test('is signed over exactly its bytes', async () => {
    const { body, headers } = await sampleOf('customer.created')

    expect(headers).toEqual({
      'content-type': 'application/json',
      'x-voucherify-signature': createHmac('sha256', 'secretKey').update(body).digest('hex'),
    })
  })

  test('of points that expired tells how many', async () => {
    const { content } = await sampleOf('voucher.loyalty_card.points_expired')

    expect(content.data).toMatchObject({ points: 25, voucher: { code: 'CLUB-001' } })
  })
})
