// `webhooks listen`: a receiver that runs until it is stopped, and prints a line for everything it receives.

import { usageError } from '../../../errors.ts'
import { receivedColumns } from '../../../output/columns/deliveries.ts'
import { lineOf } from '../../../output/tell.ts'
import { follow } from '../../result/follow.ts'
import { messagesTo } from '../../result/messages.ts'
import { type Host, untilStopped } from '../../run/host.ts'
import { eventFilter } from './events.ts'
import { forwarderTo, forwardTarget } from './forward.ts'
import { type Received, startReceiver } from './receive.ts'
import { recorderInto } from './record.ts'
import { webhookSecret } from './secret.ts'

export interface ListenFlags {
  port: number
  event?: string[] | undefined
  'forward-to'?: string | undefined
  'forward-anywhere'?: boolean
  record?: string | undefined
  'max-age'?: number | undefined
  'max-body': number
  jsonl?: boolean
  profile?: string | undefined
  'secret-stdin'?: boolean
  quiet?: boolean
}

/**
 * Receives until the run is told to stop. Throws `usage` for an invalid address or event, `config` when there
 * is no secret, and the error of the file system when a delivery cannot be recorded.
 */
export async function listen(flags: ListenFlags, host: Host): Promise<void> {
  const wants = eventFilter(flags.event)
  const address = flags['forward-to']
  const target = address === undefined ? undefined : forwardTarget(address, flags['forward-anywhere'] ?? false, host)
  const secret = await webhookSecret(flags, host)
  const receiver = await startReceiver({
    port: flags.port,
    secret,
    wants,
    maxAgeMs: flags['max-age'],
    bodyLimitBytes: flags['max-body'],
    ...(flags.record !== undefined && { record: recorderInto(flags.record) }),
    ...(target && { forward: forwarderTo(target) }),
    now: host.now,
  })
  try {
    const { port, received, close } = receiver
    if (target?.port === String(port)) throw usageError('--forward-to points back to this receiver')
    messagesTo(host, flags).say(`listening on http://127.0.0.1:${port}/; Ctrl-C ends it`)
    void untilStopped(host.stop).then(close)
    await follow(received, receivedColumns, receivedLine, flags, host)
  } finally {
    await receiver.close()
  }
}

function receivedLine({
  received_at,
  result,
  type,
  id,
  size_bytes,
  answered,
  forward,
  file,
  reason,
}: Received): string {
  const forwarded = forward === undefined ? undefined : `forwarded: ${forward}`
  return lineOf([received_at, answered, result, type ?? '-', id ?? '-', `${size_bytes} bytes`, forwarded, file, reason])
}
