// One attempt to deliver: a POST that follows no redirect, takes 10 seconds at most and reads 64 KiB of the answer.
import type { ClientRequest } from 'node:http'
import type { DeliveryTarget } from './target.ts'

const timeoutMs = 10_000
const answerLimitBytes = 65_536

/**
 * Sends a body to a checked target and returns the status of the answer; the body of the answer is read and discarded.
 *
 * Rejects when there is no answer within 10 s, or when `signal` aborts it.
 */
export function post(
  { url, lookup }: DeliveryTarget,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<number> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  return new Promise((resolve, reject) => {
    let status: number | undefined
    const sent: ClientRequest = request({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: url.pathname + url.search,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
      lookup,
      // A separate agent: no proxies from the environment and no connection of another delivery.
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    // An answer whose body breaks off, or never ends, still has its status.
    sent.on('error', (error) => (status === undefined ? reject(error) : resolve(status)))
    sent.on('response', (response) => {
      const answered = response.statusCode ?? 0
      status = answered
      let sizeBytes = 0
      response.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length
        if (sizeBytes > answerLimitBytes) response.destroy()
      })
      response.on('error', () => {})
      response.on('close', () => resolve(answered))
    })
    sent.end(body)
  })
}
