// The connections to one origin, as undici makes them.
import type { buildConnector, Dispatcher } from 'undici'
import { PromoError } from '../../errors.ts'
import { type Lines, proxyOf } from '../connection.ts'

/** Where and how to connect. */
export interface DispatcherOptions {
  origin: string
  /** Requests in flight at the same time. */
  concurrency: number
  timeoutMs: number
  proxy?: Readonly<Record<string, string | undefined>> | undefined
  /** Awaited when a connection was made, before anything is written. */
  connected?: Lines['connected'] | undefined
}

const connectTimeoutMs = 10_000
const headersTimeoutMs = 30_000
const headersLimitBytes = 16_384

/**
 * Loads undici and returns a connection for each request that may be in flight, through the proxy of the environment, if
 * there is one. Nothing is opened before the first request.
 *
 * No pool: it makes every request wait in a queue of its own, which would take a twentieth of the time of a bulk job, and
 * a request with its own connection needs none. Throws `config` for an invalid proxy address.
 */
export async function openDispatchers(options: DispatcherOptions, limitBytes: number): Promise<Dispatcher[]> {
  const { origin, concurrency, timeoutMs, proxy } = options
  const undici = await import('undici')
  const settings = {
    pipelining: 1,
    // One request, one socket: the facts on lost answers (docs/reliability.md#failure-phases) were measured with HTTP/1.1.
    allowH2: false,
    headersTimeout: Math.min(headersTimeoutMs, timeoutMs),
    // The deadline bounds the body; undici's own timer would only watch the gaps between chunks.
    bodyTimeout: 0,
    maxHeaderSize: headersLimitBytes,
    maxResponseSize: limitBytes,
  }
  const httpsProxy = proxyOf(options)
  if (httpsProxy === undefined) {
    // One for all, because it remembers the sessions of TLS.
    const connector = undici.buildConnector({ timeout: connectTimeoutMs, allowH2: false })
    return Array.from({ length: concurrency }, () => {
      const connect = holdConnection(connector, () => options.connected?.(client))
      const client = new undici.Client(origin, { ...settings, connect })
      return client
    })
  }
  if (!isProxyAddress(httpsProxy)) {
    // Without the value: it may hold the proxy's password, which the error of undici would repeat.
    throw new PromoError('config', 'HTTPS_PROXY is not an address like http://proxy.example:3128', {
      hint: 'set HTTPS_PROXY again, or unset it',
    })
  }
  // Empty instead of absent: otherwise undici would read the environment by itself.
  const noProxy = proxy?.no_proxy || proxy?.NO_PROXY || ''
  const through = { httpsProxy, httpProxy: '', noProxy, connections: 1, connectTimeout: connectTimeoutMs }
  return Array.from({ length: concurrency }, () => {
    // The connector that undici passes on has opened the tunnel to the service when it hands over.
    const factory = (to: string | URL, { connect, ...rest }: { connect?: buildConnector.connector }) =>
      new undici.Client(to, {
        ...rest,
        ...(connect && { connect: holdConnection(connect, () => options.connected?.(agent)) }),
      })
    const agent: Dispatcher = new undici.EnvHttpProxyAgent({ ...settings, ...through, factory })
    return agent
  })
}

/** Returns a connector that hands over a connection once `connected` resolves, and closes it when that is rejected. */
function holdConnection(
  connect: buildConnector.connector,
  connected: () => Promise<void> | undefined,
): buildConnector.connector {
  return (target, handOver) =>
    connect(target, (...made) => {
      const [error, socket] = made
      const wait = error === null ? connected() : undefined
      if (wait === undefined) handOver(...made)
      else {
        wait.then(
          () => handOver(...made),
          (reason: Error) => {
            socket?.destroy()
            handOver(reason, null)
          },
        )
      }
    })
}

/** Says whether undici can use the address: it decodes user name and password, and fails on a bad escape. */
function isProxyAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  try {
    decodeURIComponent(`${url.username}:${url.password}`)
    return true
  } catch {
    return false
  }
}
