import { readCommand } from '../../../cli/declared/read.ts'
import { rulesOfProject } from '../../../cli/topics/projects/stacking.ts'
import { listStackingRules } from '../../../contract/stacking-rules.ts'
import { stackingRulesColumns } from '../../../output/columns/resources/project.ts'

export default readCommand('Show the stacking rules of a project: how many redeemables apply together, and how', {
  description: 'A project without rules of its own has the defaults of the service.',
  examples: [
    'promo projects stacking get --profile sandbox',
    'promo projects stacking get --format yaml --profile sandbox',
  ],
  calls: [listStackingRules],
  columns: stackingRulesColumns,
  async read(client, { projectId, run }) {
    const rules = await rulesOfProject(client, projectId)
    if (rules?.id === undefined) run.show.say('no stacking rules: the defaults of the service apply')
    return (rules ?? {}) as never
  },
})
