// Accepts only requests that a program on this computer addressed to the sandbox, and none from web pages.
import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../../base/loopback.ts'
import { SandboxError } from '../sandbox-error.ts'
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

function hostOf(address = ''): string {
  return address.includes(':') && !address.startsWith('::ffff:') ? `[${address}]` : address.replace('::ffff:', '')
}

/**
 * Checks an address to listen on, such as 0.0.0.0. Throws SandboxError `bad-option`.
 */
export function checkAddress(text: string): string {
  if (process.getBuiltinModule('node:net').isIP(text) !== 0) return text
  throw new SandboxError('bad-option', `"${text}" is not an address of this computer`, {
    hint: 'write it like 127.0.0.1, 0.0.0.0 (every address) or ::',
  })
}

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const hostForm = new RegExp(`^(?:${label}(?:\\.${label})*|\\[[0-9a-f:]+\\])(?::[0-9]{1,5})?$`)

/** Checks a name by which others call the sandbox, with a port or without. Throws SandboxError `bad-option`. */
export function checkHostName(text: string): string {
  const name = text.toLowerCase()
  const port = /:(\d+)$/.exec(name)?.[1]
  if (hostForm.test(name) && name.length <= 253 && Number(port ?? 1) >= 1 && Number(port ?? 1) <= 65_535) return name
  throw new SandboxError('bad-option', `"${text}" is not the name of a host`, {
    hint: 'write it like promo, promo:8099 or promo.example.com',
  })
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
  { headers, rawHeaders, socket }: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'socket'>,
  authority: string | undefined,
  port: number,
  { allowedOrigins, allowedHosts = [] }: { allowedOrigins: readonly string[]; allowedHosts?: readonly string[] },
): Refusal | undefined {
  if (rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1)
    return frameworkRefusal(400, 'Bad Request', 'A request has one Host')
  const host = (authority ?? headers.host ?? '').toLowerCase()
  // An address is no name that could lead elsewhere: it is the one at which the request arrived.
  const names = [...loopbackNames, hostOf(socket?.localAddress)]
  const isOwn = names.some((name) => host === `${name}:${port}` || (port === 80 && host === name))
  if (!isOwn && !allowedHosts.some((allowed) => host === allowed || host.replace(/:\d+$/, '') === allowed))
    return frameworkRefusal(
      421,
      'Misdirected Request',
      `The sandbox answers to ${[`localhost:${port}`, ...allowedHosts].join(', ')} only`,
    )
  if (headers.origin !== undefined && !allowedOrigins.includes(headers.origin))
    return forbidden('Requests with this Origin are not allowed')
  return undefined
}
