// Reads the file of an export: large, text instead of JSON, and on another host of the same service.
import type { Dispatcher } from 'undici'
import type { Endpoint } from '../contract/endpoint.ts'
import { shownTarget } from '../contract/secret-names.ts'
import { PromoError } from '../errors.ts'
import { contentOf } from './answer.ts'
import { type Clock, type Connection, closingOf } from './connection.ts'
import { callError } from './outcome/explain.ts'
import { type Verdict, verdictOfLoss, verdictOfReply } from './outcome/outcome.ts'
import { decide, type EndReason } from './outcome/retry.ts'
import { waitOf } from './pacing/retry-after.ts'
import { credentialHeaders } from './request/credentials.ts'
import { openDispatchers } from './request/dispatchers.ts'
import { scrubberFor } from './request/redact.ts'
import { codeOf } from './request/transport.ts'

/** Longest silence in the middle of a file; there is no limit for the entire file. */
const silenceMs = 30_000

/**
 * Downloads a file with the client's credentials, piece by piece, as fast as the consumer reads it.
 *
 * Retried until the first byte arrives; later a loss is a `CallError` (`network`), because the rest of a changed file
 * would not match. Redirects are not followed.
 * Source: docs/service/exports.md#download (both the token in the address and the
 * headers are sent, since the documentation asks for either).
 */
export async function* download(connection: Connection, url: string, clock: Clock): AsyncGenerator<Uint8Array> {
  const address = ownAddress(connection, url)
  const target = address.pathname + address.search
  const { signal, observe, proxy, retries = 2, timeoutMs = 60_000 } = connection
  const headers = {
    Accept: 'text/csv, text/plain, */*',
    'User-Agent': connection.userAgent,
    ...credentialHeaders('application', connection),
  }
  const scrub = scrubberFor(connection.credentials, [...address.searchParams.values()])
  const where = { origin: address.origin, concurrency: 1, timeoutMs, proxy }
  const [dispatcher] = (await openDispatchers(where, -1)) as [Dispatcher]

  try {
    for (let attempts = 1; ; attempts += 1) {
      observe?.(`> GET ${address.origin}${shownTarget(target)}`)
      const timeouts = { headersTimeout: Math.min(silenceMs, timeoutMs), bodyTimeout: silenceMs }
      const request = { path: target, method: 'GET', headers, signal: signal ?? null, ...timeouts } as const
      const answer = await dispatcher.request(request).catch((error: Error) => error)
      if (!(answer instanceof Error) && answer.statusCode === 200) return yield* bodyOf(answer, attempts)
      const verdict = answer instanceof Error ? verdictOfError(answer) : await verdictOfRefusal(answer)
      observe?.(scrub(`< ${verdict.status ?? `no answer (${verdict.reason})`}`))
      const isThrottled = verdict.cause === 'throttled'
      const reply = answer instanceof Error ? undefined : { status: answer.statusCode, headers: answer.headers }
      const waitMs = reply && waitOf(reply, isThrottled, clock.wall())
      const decision = decide({ verdict, repeat: 'read', attempts, retries, waitMs, random: clock.random() })
      if (decision.act === 'end') throw errorOf(verdict, decision.why, attempts, waitMs)
      const delayMs = Math.max(decision.delayMs, waitMs ?? 0)
      await clock.sleep(delayMs, closingOf(connection)).catch(() => {
        throw errorOf({ phase: 'not_sent', cause: 'stopped', reason: 'it was stopped' }, 'hopeless', attempts)
      })
    }
  } finally {
    await dispatcher.destroy()
  }

  async function* bodyOf({ headers, body }: Dispatcher.ResponseData, attempts: number): AsyncGenerator<Uint8Array> {
    const isNone = (reason: string) =>
      errorOf({ phase: 'ambiguous', cause: 'unreadable', reason, status: 200 }, 'exhausted', attempts)
    const doubt = doubtAbout(headers)
    if (doubt !== undefined) throw isNone(doubt)
    let lastByte: number | undefined
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        lastByte = chunk.at(-1) ?? lastByte
        yield chunk
      }
    } catch (error) {
      throw errorOf(verdictOfError(error as Error), 'exhausted', attempts)
    }
    if (lastByte === undefined) throw isNone('it answered with an empty file')
    // Only the end of its last line shows that such a file is complete.
    const hasLength = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    if (!hasLength && lastByte !== 0x0a) throw isNone('the file ends in the middle of a line')
  }

  function verdictOfError(error: Error): Verdict {
    const code = signal?.aborted ? 'STOPPED' : codeOf(error)
    // Only for the message: a download changes nothing, whatever was sent.
    const sent = /^(UND_ERR_(?!CONNECT|PRX)|ECONNRESET|EPIPE|HPE_|TERMINATED)/.test(code)
    return verdictOfLoss({ code, sent })
  }

  function errorOf(verdict: Verdict, why: EndReason, attempts: number, waitMs?: number) {
    const from = { connection: { ...connection, origin: address.origin }, endpoint: exportFile, path: {} }
    const known = { verdict, why, attempts, waitMs, lostBefore: false, wallMs: clock.wall() }
    return callError({ ...from, ...known, target: address.pathname, scrub })
  }
}

// Only what messages and verdicts need: the address comes from an answer, so no contract declares it.
const exportFile = { id: 'exports.download', method: 'GET', repeat: 'read', credential: 'application' } as Endpoint

const fileTypes = new Set(['text/csv', 'text/plain', 'application/csv', 'application/octet-stream'])

/** Says why an answer is not the file of an export, as far as its head shows it; no encoding was asked for. */
function doubtAbout(headers: Dispatcher.ResponseData['headers']): string | undefined {
  const type = String(headers['content-type'] ?? 'text/csv').split(';', 1)[0] ?? ''
  if (!fileTypes.has(type.trim().toLowerCase())) return 'the answer is not a text file'
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase()
  return encoding === 'identity' ? undefined : 'the answer is a compressed file, which was not asked for'
}

async function verdictOfRefusal({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<Verdict> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Uint8Array)
      // A refusal that is longer than this does not come from the service.
      if (chunks.length > 16) break
    }
  } catch {
    // The part that arrived must do for the message; the status decides.
  }
  if (status >= 200 && status < 300) {
    return { phase: 'ambiguous', cause: 'unreadable', reason: `it answered ${status} instead of the file`, status }
  }
  const reply = { status, headers, body: Buffer.concat(chunks) }
  return verdictOfReply({ endpoint: exportFile, path: {} }, reply, await contentOf(reply))
}

/** Throws unless the address is on the service's own origin or on the one it keeps its downloads on. */
function ownAddress({ origin, downloadOrigin }: Connection, url: string): URL {
  const address = URL.parse(url)
  if (address !== null && (address.origin === origin || address.origin === downloadOrigin)) return address
  const ownOrigins = [...new Set([origin, downloadOrigin])].filter(Boolean)
  const host = address === null ? 'an unreadable address' : address.host
  throw new PromoError('api', `the file is at ${host}, which is not a host of the service`, {
    hint: `check that ${origin} is the service; credentials are sent to ${ownOrigins.join(' and ')} only`,
  })
}
