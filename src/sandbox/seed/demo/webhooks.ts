// Where the demo shop wants to hear of vouchers: the address of `promo webhooks listen --port 8090`.
import { daysOpen, demoId } from './ids.ts'

/** One webhook. It is off, so that nothing is sent to a computer on which nobody listens. */
export const webhooks = [
  {
    id: demoId('wh_', 1),
    target_url: 'http://127.0.0.1:8090/',
    events: ['voucher.disabled', 'voucher.enabled'],
    active: false,
    created_at: daysOpen(20),
    object: 'webhook',
  },
]
