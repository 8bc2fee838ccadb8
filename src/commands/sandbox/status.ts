import { formatCount } from '../../base/numbers.ts'
import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { textFlag } from '../../cli/flags/kinds.ts'
import { sandboxFile } from '../../cli/session/connect.ts'
import { withSandbox } from '../../cli/session/sandbox.ts'
import { sandboxColumns } from '../../output/columns/program.ts'

export default class Status extends PromoCommand {
  static override summary = 'Show what the embedded service holds, and which process has it open'
  static override examples = ['promo sandbox status', 'promo sandbox status --json']
  static override effect = 'none' as const
  static override exits = [usesSandboxFile]
  static override columns = sandboxColumns
  static override flags = {
    ...outputFlags,
    data: textFlag('the data file of the sandbox', 'FILE'),
  }

  async run() {
    const { flags } = await this.input(Status)
    const file = flags.data ?? sandboxFile(this.host)
    const status = await withSandbox(async ({ sandboxStatus }) => sandboxStatus(file))
    const kinds = Object.entries(status.counts).sort(([, one], [, other]) => other - one)
    const filled = kinds.filter(([, count]) => count > 0 || !this.show.isTable || flags.columns !== undefined)
    const counts = filled.map(([name]) => ({ name: `counts.${name}` }))
    const columns = Status.columns.columns.flatMap((column) =>
      column.name === 'held_by' ? [...counts, column] : [column],
    )
    const shown = filled.length === kinds.length ? status : { ...status, counts: Object.fromEntries(filled) }
    await this.show.one(shown, { ...Status.columns, columns })
    const empty = kinds.length - filled.length
    if (empty > 0) this.show.say(`${formatCount(empty, 'other kind')} of object: none; --json lists all`)
  }
}
