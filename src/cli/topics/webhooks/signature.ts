// Whether a delivery comes from the service: HMAC-SHA256 over its body, keyed with the project's webhook secret.
// Source: docs/service/webhooks.md#signature.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header that carries the signature. */
export const signatureHeader = 'x-voucherify-signature'

/**
 * Says whether one of the signatures of a header is that of the body, compared in constant time.
 *
 * `body` is what arrived, byte for byte. A header may contain several signatures, separated by commas: one must match. A
 * signature other than 64 hexadecimal digits does not match.
 */
export function isSigned(body: Uint8Array, header: string, secret: string): boolean {
  const expected = digestOf(body, secret)
  const fitting = header.split(',').map((signature) => {
    const given = signature.trim()
    return /^[0-9a-f]{64}$/i.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), expected)
  })
  return fitting.includes(true)
}

/** Signs a body as the service does, in lower-case hexadecimal digits. */
export function signatureFor(body: Uint8Array, secret: string): string {
  return digestOf(body, secret).toString('hex')
}

function digestOf(body: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update(signedBytes(body)).digest()
}

/**
 * Returns the bytes that are signed: JSON without the white space outside its strings, plain text unchanged.
 *
 * The text is not parsed and serialised again, which would change numbers and escapes that the service signed.
 */
export function signedBytes(body: Uint8Array): Uint8Array {
  if (!isSignedAsJson(body)) return body
  const kept = new Uint8Array(body.length)
  let length = 0
  let isInString = false
  let isEscaped = false
  for (const byte of body) {
    if (!isInString && isBlank(byte)) continue
    kept[length++] = byte
    if (isEscaped) isEscaped = false
    else if (byte === backslash) isEscaped = isInString
    else if (byte === quote) isInString = !isInString
  }
  return kept.subarray(0, length)
}

/** Says whether white space between the tokens of a body is not signed: it begins as an object or an array. */
export function isSignedAsJson(body: Uint8Array): boolean {
  return [brace, bracket].includes(body.find((byte) => !isBlank(byte)) ?? 0)
}

const brace = 0x7b
const bracket = 0x5b
const quote = 0x22
const backslash = 0x5c

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}
