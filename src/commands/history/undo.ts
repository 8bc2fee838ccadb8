import { PromoCommand } from '../../cli/command.ts'
import { usesJobsFolder } from '../../cli/exits.ts'
import { resumeFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { changeChoices } from '../../cli/topics/history/change-choices.ts'
import { EXIT } from '../../errors.ts'
import { differenceColumns } from '../../output/columns/plan.ts'

const { concurrency: _, rate: __, 'max-errors': ___, 'max-outage': ____, 'same-project': _____, ...flags } = resumeFlags

export default class Undo extends PromoCommand {
  static override summary = 'Undo one change: send the inverse of what it did'
  static override description =
    'A created object is deleted if nobody changed it; changed members and switches get their old values. Members that somebody changed since are left alone and named (exit 3). For a deleted object promo shows the command that creates it again. It asks with the values before and after. A job is undone by `jobs undo`; for other changes promo names what undoes them.'
  static override examples = ['promo history undo latest --dry-run', 'promo history undo latest --yes']
  static override effect = 'write' as const
  static override calls = 'any' as const
  static override columns = differenceColumns
  static override exits = [usesJobsFolder, EXIT.journal]
  static override args = {
    change: argument('the id of a change in the history, its beginning or end, or "latest", which is never an undo'),
  }
  static override asks = { change: { question: 'which change?', choices: changeChoices } }
  static override flags = flags

  async run() {
    const { args } = await this.input(Undo)
    const { undoChange } = await import('../../cli/topics/history/undo.ts')
    this.exitCode = await undoChange(args.change, this)
  }
}
