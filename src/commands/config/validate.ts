import { formatCount } from '../../base/numbers.ts'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { textFlag } from '../../cli/flags/kinds.ts'
import { dirArg } from '../../cli/topics/config/declared.ts'
import { mustBeProject } from '../../cli/topics/config/open.ts'
import { doubtsIn, readFolder } from '../../config/folder.ts'
import { misspelt } from '../../config/misspelt.ts'
import { PromoError } from '../../errors.ts'
import { problemColumns } from '../../output/columns/plan.ts'
import { environmentName } from '../../profiles/profile.ts'

export default class Validate extends PromoCommand {
  static override summary = 'Check the files of a project without the service (exit 2: with file and line)'
  static override description =
    'Finds errors of syntax, members and values that the service does not take, and references to nothing. Finds two files of one key or name, and placeholders without a value. Their values are looked up in values/NAME.yaml, then in the environment.'
  static override examples = [
    'promo config pull ~/shop --profile sandbox | tail -1; promo config validate ~/shop',
    'promo config pull ~/shop --profile sandbox | tail -1; promo config validate ~/shop --values live --json',
  ]
  static override effect = 'none' as const
  static override columns = problemColumns
  static override args = dirArg
  static override flags = {
    ...outputFlags,
    values: textFlag('the file of placeholder values: values/NAME.yaml', 'NAME'),
  }

  async run() {
    const { args, flags } = await this.input(Validate)
    const { env, stop } = this.host
    const folder = await readFolder(args.dir, { profile: flags.values ?? environmentName, env, stop })
    mustBeProject(folder, args.dir)
    const { show: messages } = this
    for (const line of [...folder.unread, ...[...folder.objects.values()].flatMap(misspelt)]) messages.say(line)
    for (const line of doubtsIn(folder)) messages.say(line)
    const problems = folder.problems.map(({ file, line, message }) => ({ file, line, message }))
    await this.show.rows(problems, problemColumns, { nothing: '' })
    if (folder.problems.length > 0) {
      const count = formatCount(folder.problems.length, 'problem')
      throw new PromoError('input', `${count} in the files of "${args.dir}"`, {
        hint: 'correct the files and run the same command again',
      })
    }
    messages.say(`${formatCount(folder.objects.size, 'object')} in ${formatCount(folder.files.size, 'file')}: valid`)
  }
}
