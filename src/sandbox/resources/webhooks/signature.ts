// The signature of a delivery. Source: docs/service/webhooks.md#signature.
import { createHmac } from 'node:crypto'

/** The header that carries the signature. */
export const signatureHeader = 'x-voucherify-signature'

/** Signs exactly these bytes with a project's webhook secret: HMAC-SHA256 in lower-case hexadecimal digits. */
export function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body, 'utf8').digest('hex')
}
