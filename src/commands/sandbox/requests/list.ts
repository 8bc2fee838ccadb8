import { Flags } from '@oclif/core'
import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags } from '../../../cli/flags/flags.ts'
import { count } from '../../../cli/flags/kinds.ts'
import { instantFrom } from '../../../cli/flags/time.ts'
import { controlFlags, controlled } from '../../../cli/topics/sandbox/control.ts'
import { requestColumns } from '../../../output/columns/program.ts'

export default class List extends PromoCommand {
  static override summary = 'List what was called of a running sandbox'
  static override description =
    'The latest requests, oldest first, of the last 10,000 since the sandbox started. `status` is empty where the answer was lost. JSON has the bodies too if the sandbox was started with --bodies; values that are named like secrets are hidden. Calls of the control door and of /health are not listed.'
  static override examples = [
    'promo sandbox requests list --data shop.db',
    "promo sandbox requests list --call 'POST /v1/redemptions' --status 5xx --json --data shop.db",
  ]
  static override effect = 'none' as const
  static override columns = requestColumns
  static override flags = {
    ...outputFlags,
    ...controlFlags,
    call: Flags.string({ description: 'only these calls: a method and a path, with * and **', helpValue: 'CALL' }),
    status: Flags.string({ description: 'only answers with this status: 503, 5xx or lost', helpValue: 'STATUS' }),
    since: Flags.string({ description: "only from this day or instant of the service's time", helpValue: 'TIME' }),
    limit: count({ default: 100, description: 'how many, the latest', least: 1, most: 10_000 }),
  }

  async run() {
    const { flags } = await this.input(List)
    const { call, status, limit } = flags
    const since = flags.since === undefined ? undefined : instantFrom(flags.since)
    const asked = { call, status, limit, since }
    const { requests } = await controlled(flags, this.host, (control) => control.call('requests.list', asked), {
      mustServe: true,
    })
    await this.emit(requests, List.columns, flags, { nothing: 'nothing was called' })
  }
}
