// Posting a delivery to another program: its bytes, its signature, and nothing else.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { isLoopback } from '../../../base/loopback.ts'
import { usageError } from '../../../errors.ts'
import { refuseUncheckedTls } from '../../../profiles/certificates.ts'
import type { Host } from '../../run/host.ts'
import { recordedHeaders } from './saved.ts'

/** Forwards a delivery and returns the status of the answer, or the code of the error that prevented one. */
export type Forwarder = (body: Uint8Array, headers: IncomingHttpHeaders) => Promise<number | string>

const timeoutMs = 10_000

/**
 * Checks where deliveries are forwarded to: an http or https address on this computer, or anywhere if that is allowed.
 *
 * Throws `usage`, and `config` where certificates are not checked.
 */
export function forwardTarget(address: string, isAnywhere: boolean, host: Pick<Host, 'env'>): URL {
  const url = deliveryAddress(address, '--forward-to', host)
  if (!isLoopback(url.hostname) && !isAnywhere) {
    throw usageError(`${url.host} is not this computer`, 'add --forward-anywhere if deliveries may go there')
  }
  return url
}

/**
 * Checks where deliveries are sent on request: to this computer, over https, or also over http if that is allowed.
 *
 * Throws `usage`, and `config` where certificates are not checked.
 */
export function sendTarget(address: string, isHttpAllowed: boolean, host: Pick<Host, 'env'>): URL {
  const url = deliveryAddress(address, '--url', host)
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !isHttpAllowed) {
    throw usageError(`http to ${url.host} is not encrypted`, 'use https, or add --allow-http')
  }
  return url
}

function deliveryAddress(address: string, flag: string, { env }: Pick<Host, 'env'>): URL {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageError(`"${address}" is not an http or https address`, `${flag} http://127.0.0.1:3000/hooks`)
  }
  if (url.username !== '' || url.password !== '') throw usageError(`${flag} must not contain a user name or a password`)
  if (url.protocol === 'https:') refuseUncheckedTls(env)
  return url
}

/** Creates a forwarder. It follows no redirect, uses no proxy and waits ten seconds at most. */
export function forwarderTo(url: URL): Forwarder {
  return async (body, headers) => {
    const kept = recordedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
    return await posted(url, body, Object.fromEntries(kept))
  }
}

/**
 * Posts a body and returns the status of the answer, or the code of the error that prevented one.
 *
 * Follows no redirect, uses no proxy, waits ten seconds at most, and ends at once when `stop` is aborted.
 */
export async function posted(
  url: URL,
  body: Uint8Array,
  headers: OutgoingHttpHeaders,
  stop?: AbortSignal,
): Promise<number | string> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const late = AbortSignal.timeout(timeoutMs)
  return await new Promise((resolve) => {
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      agent: false,
      signal: stop ? AbortSignal.any([stop, late]) : late,
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (stop?.aborted) return resolve('stopped')
      resolve(error.name === 'AbortError' || error.name === 'TimeoutError' ? 'timeout' : (error.code ?? 'error'))
    })
    sent.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    sent.end(body)
  })
}
