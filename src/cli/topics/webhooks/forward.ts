// Forwarding a genuine delivery to another program, as it arrived: its bytes, its signature, and nothing else.
import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '../../../api/connection.ts'
import { usageError } from '../../../errors.ts'
import { refuseUncheckedTls } from '../../../profiles/resolve.ts'
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
export function forwardTarget(address: string, isAnywhere: boolean, { env }: Pick<Host, 'env'>): URL {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageError(`"${address}" is not an http or https address`, '--forward-to http://127.0.0.1:3000/hooks')
  }
  if (url.username !== '' || url.password !== '')
    throw usageError('--forward-to must not contain a user name or a password')
  if (!isLoopback(url.hostname) && !isAnywhere) {
    throw usageError(`${url.host} is not this computer`, 'add --forward-anywhere if deliveries may go there')
  }
  if (url.protocol === 'https:') refuseUncheckedTls(env)
  return url
}

/** Creates a forwarder. It follows no redirect, uses no proxy and waits ten seconds at most. */
export function forwarderTo(url: URL): Forwarder {
  return async (body, headers) => {
    const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
    const kept = recordedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
    return await new Promise((resolve) => {
      const sent = request(url, {
        method: 'POST',
        headers: { ...Object.fromEntries(kept), 'content-length': body.length },
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        resolve(error.name === 'AbortError' || error.name === 'TimeoutError' ? 'timeout' : (error.code ?? 'error'))
      })
      sent.on('response', (response) => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      })
      sent.end(body)
    })
  }
}
