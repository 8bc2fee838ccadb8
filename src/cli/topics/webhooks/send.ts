// Sending deliveries on request, one after another: samples of events, and recorded ones again.

import { Flags } from '@oclif/core'
import { isLoopback } from '../../../base/loopback.ts'
import { shellWord } from '../../../base/shell-word.ts'
import type { WebhookEventName } from '../../../contract/webhook-events.ts'
import { EXIT, type ExitCode, usageError } from '../../../errors.ts'
import { switchFlag } from '../../flags/kinds.ts'
import type { Messages } from '../../result/messages.ts'
import type { Host, Input } from '../../run/host.ts'
import { withSandbox } from '../../session/sandbox.ts'
import { contentOf, type DeliveryContent } from './delivery.ts'
import { posted } from './forward.ts'
import { savedDelivery } from './saved.ts'
import { signatureFor, signatureHeader } from './signature.ts'

/** Where deliveries are sent. */
export const targetFlags = {
  url: Flags.string({ description: 'the address of the receiver', helpValue: 'URL', required: true }),
  'allow-http': switchFlag('allow an http address that is not on this computer'),
}

/** A signed delivery, not yet sent. */
export interface ReadyDelivery {
  body: Uint8Array
  headers: Record<string, string>
  /** Where the body was read. */
  file?: string
}

/** The outcome of a delivery. */
export interface SentDelivery extends DeliveryContent {
  /** `accepted` is any 2xx. */
  result: 'accepted' | 'refused' | 'no answer'
  /** The HTTP status of the answer. */
  status?: number
  /** Until the answer, or until there was none, in milliseconds. */
  duration_ms: number
  /** Why there was no answer. */
  reason?: string
  size_bytes: number
  target_url: string
  file?: string
}

/** Makes a sample of each event when it is wanted; `warn` gets a line for each whose data is incomplete. */
export async function* samples(
  events: readonly WebhookEventName[],
  {
    url,
    secret,
    host,
    warn,
  }: { url: URL; secret: string; host: Input & Pick<Host, 'now'>; warn: (line: string) => void },
): AsyncGenerator<ReadyDelivery> {
  for (const event of events) {
    const sample = await withSandbox(({ sampleDelivery }) =>
      sampleDelivery({ event, targetUrl: url.href, secret, nowMs: host.now() }),
    )
    if (sample.insteadOf !== undefined) {
      warn(`the embedded service never announces ${event}: its data has only objects known from ${sample.insteadOf}`)
    }
    yield { body: Buffer.from(sample.body), headers: sample.headers }
  }
}

/**
 * Reads recorded deliveries; the signature is the recorded one, unless there is a secret to sign with.
 *
 * Throws `input` for a file that cannot be read, and `usage` for a delivery without a signature.
 */
export async function recordedDeliveries(
  files: readonly string[],
  secret: string | undefined,
  host: Input & Pick<Host, 'now'>,
): Promise<ReadyDelivery[]> {
  const deliveries: ReadyDelivery[] = []
  for (const file of files) {
    const {
      body,
      signatures,
      contentType = 'application/json',
    } = await savedDelivery(file, secret === undefined ? { headers: headersFileOf(file) } : {}, host)
    const [recorded] = signatures
    const signature = secret === undefined ? recorded : signatureFor(body, secret)
    if (signature === undefined) {
      throw usageError(`${headersFileOf(file)} has no ${signatureHeader} line`, 'add --sign to sign it with the secret')
    }
    deliveries.push({ body, headers: { 'content-type': contentType, [signatureHeader]: signature }, file })
  }
  return deliveries
}

/** Returns the file that `webhooks listen --record` writes beside the file of a body. */
export function headersFileOf(bodyFile: string): string {
  return `${bodyFile.replace(/\.\w+$/, '')}.headers`
}

/** Says what may be wrong where a receiver did not answer. */
export function ifUnanswered(exitCode: ExitCode, url: URL, { warn }: Pick<Messages, 'warn'>): void {
  if (exitCode !== EXIT.unavailable) return
  const isHere = isLoopback(url.hostname) && url.port !== ''
  const receives = isHere ? `promo webhooks listen --port ${shellWord(url.port)}` : 'promo webhooks listen'
  warn(`no answer from ${url.host}: is the receiver running? one of promo on this computer: ${receives}`)
}

/** Sends deliveries one after another, and none after the run was told to stop. `onExitCode` gets the worst exit code so far. */
export async function* sent(
  deliveries: AsyncIterable<ReadyDelivery> | Iterable<ReadyDelivery>,
  { url, host, onExitCode }: { url: URL; host: Input & Pick<Host, 'now'>; onExitCode: (exitCode: ExitCode) => void },
): AsyncGenerator<SentDelivery> {
  let worst: ExitCode = EXIT.ok
  for await (const { body, headers, file } of deliveries) {
    if (host.stop.aborted) return
    const beganMs = performance.now()
    const answer = await posted(url, body, headers, host.stop)
    const duration_ms = Math.round(performance.now() - beganMs)
    const isAccepted = typeof answer === 'number' && answer >= 200 && answer < 300
    // ASSUMED A1461: a receiver that refuses is exit 12 (the answer is no), one that does not answer exit 5.
    if (typeof answer === 'string') worst = EXIT.unavailable
    else if (!isAccepted && worst === EXIT.ok) worst = EXIT.no
    onExitCode(worst)
    yield {
      ...contentOf(body),
      ...(typeof answer === 'number'
        ? { result: isAccepted ? 'accepted' : 'refused', status: answer }
        : { result: 'no answer', reason: answer }),
      duration_ms,
      size_bytes: body.length,
      target_url: url.href,
      ...(file !== undefined && { file }),
    }
  }
}
