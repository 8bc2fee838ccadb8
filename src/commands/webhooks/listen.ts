import type { Interfaces } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import type { globalFlags } from '../../cli/flags/flags.ts'
import { count, duration, repeatable, switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { follow } from '../../cli/result/follow.ts'
import type { Run } from '../../cli/session/run.ts'
import { untilStopped } from '../../cli/stop.ts'
import { eventFilter } from '../../cli/topics/webhooks/events.ts'
import { forwarderTo, forwardTarget } from '../../cli/topics/webhooks/forward.ts'
import { type Received, startReceiver } from '../../cli/topics/webhooks/receive.ts'
import { recorderInto } from '../../cli/topics/webhooks/record.ts'
import { secretFlags, webhookSecret } from '../../cli/topics/webhooks/secret.ts'
import { usageError } from '../../errors.ts'
import { receivedColumns } from '../../output/columns/deliveries.ts'
import type { Parts } from '../../output/form/line.ts'

/** The flags of the command. */
const listenFlags = {
  ...secretFlags,
  port: count('the port to listen on; 0 takes a free one', 0, 65_535, { default: 0 }),
  event: repeatable("only this event, or a pattern like 'voucher.*'", 'NAME'),
  'forward-to': textFlag('forward each genuine delivery to this address', 'URL'),
  'forward-anywhere': switchFlag('allow an address that is not on this computer', { dependsOn: ['forward-to'] }),
  record: textFlag('write each genuine delivery and its signature to this folder', 'DIR'),
  'max-age': duration('refuse a delivery whose time differs from now by more than this', '5m'),
  'max-body': count('the largest body that is accepted, in bytes', 1, 33_554_432, { default: 1_048_576 }),
  jsonl: switchFlag('print each as one line of JSON'),
}

type ListenFlags = Interfaces.InferredFlags<typeof listenFlags & typeof globalFlags>

/**
 * Receives until the run is told to stop. Throws `usage` for an invalid address or event, `config` when there
 * is no secret, and the error of the file system when a delivery cannot be recorded.
 */
async function listen(flags: ListenFlags, run: Run): Promise<void> {
  const { host, show } = run
  const wants = eventFilter(flags.event)
  const address = flags['forward-to']
  const target = address === undefined ? undefined : forwardTarget(address, flags['forward-anywhere'], host)
  const secret = await webhookSecret(flags, run)
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
    show.say(`listening on http://127.0.0.1:${port}/; Ctrl-C ends it`)
    void untilStopped(host.stop).then(close)
    await follow(received, receivedColumns, receivedLine, flags, host)
  } finally {
    await receiver.close()
  }
}

function receivedLine({ received_at, result, type, id, size_bytes, answered, forward, file, reason }: Received): Parts {
  const forwarded = forward === undefined ? undefined : `forwarded: ${forward}`
  return [received_at, answered, result, type ?? '-', id ?? '-', `${size_bytes} bytes`, forwarded, file, reason]
}

export default class Listen extends PromoCommand {
  static override summary = 'Receive deliveries on this computer: check, show, record and forward them'
  static override description =
    'It listens on 127.0.0.1 only and prints one line for each delivery. A wrong signature is answered with 401, a replay with 409. With --forward-to, only deliveries that the other program accepts are answered with 200; the service sends the others again. Ctrl-C ends it.'
  static override examples = [
    'promo webhooks listen --port 8090 --profile sandbox',
    "promo webhooks listen --port 8090 --event 'voucher.*' --forward-to http://127.0.0.1:3000/hooks --record deliveries --jsonl --profile sandbox",
  ]
  static override effect = 'local' as const
  static override columns = receivedColumns
  static override exits = [usesSandboxFile]
  static override flags = listenFlags

  async run() {
    const { flags } = await this.input(Listen)
    await listen(flags, this)
  }
}
