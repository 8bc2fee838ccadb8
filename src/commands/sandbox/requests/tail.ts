import { PromoCommand } from '../../../cli/command.ts'
import { duration, switchFlag, textFlag } from '../../../cli/flags/kinds.ts'
import { endOf, follow } from '../../../cli/result/follow.ts'
import { controlFlags, withControl } from '../../../cli/topics/sandbox/control.ts'
import { requestLine, requestsAfter } from '../../../cli/topics/sandbox/requests.ts'
import { requestColumns } from '../../../output/columns/program.ts'

export default class Tail extends PromoCommand {
  static override summary = 'Follow the requests that a running sandbox receives'
  static override description =
    'A line for each request, from now on. Ctrl-C ends it, and so does the end of the sandbox.'
  static override examples = [
    'promo sandbox requests tail --data shop.db',
    "promo sandbox requests tail --call 'POST /v1/**' --for 10m --jsonl --data shop.db",
  ]
  static override effect = 'none' as const
  static override columns = requestColumns
  static override flags = {
    ...controlFlags,
    call: textFlag('only these calls: a method and a path, with * and **', 'CALL'),
    status: textFlag('only answers with this status: 503, 5xx or lost', 'STATUS'),
    for: duration('end after this time (default: at Ctrl-C)', '10m'),
    jsonl: switchFlag('print each as one line of JSON'),
  }

  async run() {
    const { flags } = await this.input(Tail)
    const end = endOf(flags, this.host)
    await withControl(
      flags,
      this,
      async (control) => {
        const rows = requestsAfter(control, { call: flags.call, status: flags.status }, end)
        await follow(rows, requestColumns, requestLine, flags, this.host)
      },
      { mustServe: true },
    )
  }
}
