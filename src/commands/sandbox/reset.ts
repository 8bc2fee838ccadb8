import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { confirmFlags } from '../../cli/flags/flags.ts'
import { switchFlag } from '../../cli/flags/kinds.ts'
import { sandboxFile } from '../../cli/session/connect.ts'
import { withSandbox } from '../../cli/session/sandbox.ts'
import { controlFlags, withControl } from '../../cli/topics/sandbox/control.ts'
import { usageError } from '../../errors.ts'

export default class Reset extends PromoCommand {
  static override summary = 'Delete everything in the embedded service: data, demo project and keys'
  static override description =
    'The next use starts from the demo project, with new keys. With --while-serving, a running sandbox goes on with the same keys. Data and clock are then as `sandbox start` makes them in a new file; faults and the log of requests stay.'
  static override examples = [
    'promo sandbox reset --yes',
    'promo sandbox reset --data shop.db --yes',
    'promo sandbox reset --while-serving --data shop.db --yes',
  ]
  static override effect = 'local' as const
  static override exits = [usesSandboxFile]
  static override flags = {
    yes: confirmFlags.yes,
    ...controlFlags,
    'while-serving': switchFlag('reset a running sandbox, which goes on'),
  }

  async run() {
    const { flags } = await this.input(Reset)
    const file = flags.data ?? sandboxFile(this.host)
    const { show: messages } = this
    if (flags['while-serving']) {
      await this.agree({ action: `bring ${flags.url ?? file} back to its beginning`, isFinal: true })
      await withControl(flags, this, ({ call }) => call('reset', undefined), { mustServe: true })
      messages.say(`${flags.url ?? file} is as it was in the beginning`)
      return
    }
    if (flags.url !== undefined) throw usageError('--url goes with --while-serving', '--while-serving --url URL')
    await this.agree({ action: `delete everything in ${file}`, isFinal: true })
    const existed = await withSandbox(({ resetSandbox }) => resetSandbox(file))
    messages.say(existed ? `deleted ${file}` : `there is no ${file}; nothing to delete`)
  }
}
