import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { differenceRows } from '../../cli/topics/config/changes.ts'
import { dirArg, readCalls } from '../../cli/topics/config/declared.ts'
import { openProject } from '../../cli/topics/config/open.ts'
import { compareWith } from '../../config/compare.ts'
import { EXIT } from '../../errors.ts'
import { differenceColumns } from '../../output/columns/plan.ts'

export default class Diff extends PromoCommand {
  static override summary = 'Show what differs between files and the project of the profile (exit 12: something does)'
  static override description =
    'One row per member: its value in the project (before) and in the file (after). "create" is an object that only the files have, "extra" one that only the project has.'
  static override examples = [
    'promo config pull ~/shop --profile sandbox | tail -1; promo config diff ~/shop --profile sandbox',
    'promo config pull ~/shop --profile sandbox | tail -1; promo config diff ~/shop --json --profile sandbox',
  ]
  static override calls = readCalls
  static override columns = differenceColumns
  static override exits = [EXIT.no]
  static override args = dirArg
  static override flags = { ...callFlags }

  async run() {
    const { args } = await this.input(Diff)
    const { show: messages } = this
    const client = await this.connect()
    const { folder, project, read } = await openProject(args.dir, { client, host: this.host, messages })
    for (const sentence of project.ambiguous) messages.warn(sentence)
    const differences = compareWith(folder, project).filter(({ file, object }) => {
      const { kind } = file ?? object ?? {}
      return kind !== undefined && !read.unreadable.includes(kind.name)
    })
    await this.show.rows(differenceRows(differences), differenceColumns, { nothing: 'nothing differs' })
    if (differences.length + project.ambiguous.length + read.unreadable.length > 0) this.exitCode = EXIT.no
  }
}
