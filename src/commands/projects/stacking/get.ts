import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags, serviceFlags } from '../../../cli/flags/flags.ts'
import { projectFlag, projectOf } from '../../../cli/session/project.ts'
import { rulesOfProject } from '../../../cli/topics/projects/stacking.ts'
import { listStackingRules } from '../../../contract/stacking-rules.ts'
import { stackingRulesColumns } from '../../../output/columns/resources/project.ts'

export default class Get extends PromoCommand {
  static override summary = 'Show the stacking rules of a project: how many redeemables apply together, and how'
  static override description = 'A project without rules of its own has the defaults of the service.'
  static override examples = [
    'promo projects stacking get --profile sandbox',
    'promo projects stacking get --format yaml --profile sandbox',
  ]
  static override calls = [listStackingRules]
  static override columns = stackingRulesColumns
  static override flags = { ...serviceFlags, ...projectFlag, ...outputFlags }

  async run() {
    const { flags } = await this.input(Get)
    const client = await this.connect(flags)
    const rules = await rulesOfProject(client, projectOf(flags, client.profile))
    if (rules === undefined) this.messages(flags).say('no stacking rules: the defaults of the service apply')
    await this.emitOne(rules ?? {}, stackingRulesColumns, flags)
  }
}
