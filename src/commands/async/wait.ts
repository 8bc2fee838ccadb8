import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { timeoutWait } from '../../cli/result/polling.ts'
import { endedAction, exitOf } from '../../cli/topics/async/action.ts'
import { getAsyncAction } from '../../contract/async-actions.ts'
import { asyncActionColumns } from '../../output/columns/resources/project.ts'

export default class Wait extends PromoCommand {
  static override summary = 'Wait for a background job of the service, and show what came of it'
  static override description =
    'The exit code is 3 if the job failed, or anything in it: a job that is DONE may still have failed rows.'
  static override examples = [
    'promo campaigns vouchers add "Spring mailing" --count 10 --yes --json --query async_action_id --profile sandbox | xargs promo async wait --profile sandbox',
    'promo campaigns vouchers add "Spring mailing" --count 10 --yes --json --query async_action_id --profile sandbox | xargs promo async wait --timeout-wait 1h --json --query result --profile sandbox',
  ]
  static override calls = [getAsyncAction]
  static override columns = asyncActionColumns
  static override args = { id: argument('the id of a background job') }
  static override flags = { ...callFlags, 'timeout-wait': timeoutWait('the job') }

  async run() {
    const { args, flags } = await this.input(Wait)
    const client = await this.connect(flags)
    const ended = await endedAction(client, args.id, flags, this.host)
    await this.emitOne(ended, Wait.columns, flags)
    this.exitCode = exitOf(ended)
  }
}
