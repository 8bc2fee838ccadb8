// Accepts only requests that a program on this computer addressed to the sandbox, and none from web pages.
import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../../base/loopback.ts'
import { forbidden, frameworkRefusal, type Refusal } from './refusal.ts'

/**
 * The names of this computer in a Host or an Origin. A page whose own name resolves to 127.0.0.1 (DNS rebinding) cannot
 * change its Host header.
 */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether an address, as sockets state it, is one of this computer alone. */
export function isLocalAddress(address: string): boolean {
  return address === '::1' || isLoopback(address)
}

/**
 * Ports that fetch refuses to call; a free port chosen by the system is released when it is one of them.
 * Source: the Fetch standard, "bad port".
 */
export const portsFetchRefuses: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/**
 * Returns why a request is refused before it is processed: 400 for a second Host, 421 for a foreign one, 403 for a web
 * page's Origin. `authority` is the host of a target in absolute form, which counts instead of the header.
 * Source: RFC 9112, 3.2.
 */
export function foreignRequestRefusal(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  authority: string | undefined,
  port: number,
  allowedOrigins: readonly string[],
): Refusal | undefined {
  if (rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1)
    return frameworkRefusal(400, 'Bad Request', 'A request has one Host')
  const host = (authority ?? headers.host ?? '').toLowerCase()
  if (!loopbackNames.some((name) => host === `${name}:${port}` || (port === 80 && host === name)))
    return frameworkRefusal(421, 'Misdirected Request', `The sandbox answers to localhost:${port} only`)
  if (headers.origin !== undefined && !allowedOrigins.includes(headers.origin))
    return forbidden('Requests with this Origin are not allowed')
  return undefined
}
