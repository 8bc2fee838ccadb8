import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { confirmFlags } from '../../cli/flags/flags.ts'
import { confirmWrite } from '../../cli/prompt/confirm.ts'
import { sandboxFile } from '../../cli/session/connect.ts'
import { withSandbox } from '../../cli/session/sandbox.ts'

export default class Reset extends PromoCommand {
  static override summary = 'Delete everything in the embedded service: data, demo project and keys'
  static override description = 'The next use starts from the demo project, with new keys.'
  static override examples = ['promo sandbox reset --yes', 'promo sandbox reset --data shop.db --yes']
  static override effect = 'local' as const
  static override exits = [usesSandboxFile]
  static override flags = {
    yes: confirmFlags.yes,
    data: Flags.string({ description: 'the data file', helpValue: 'FILE' }),
  }

  async run() {
    const { flags } = await this.input(Reset)
    const file = flags.data ?? sandboxFile(this.host)
    const messages = this.messages(flags)
    await confirmWrite({ flags, host: this.host, action: `delete everything in ${file}`, isFinal: true })
    const existed = await withSandbox(({ resetSandbox }) => resetSandbox(file))
    messages.say(existed ? `deleted ${file}` : `there is no ${file}; nothing to delete`)
  }
}
