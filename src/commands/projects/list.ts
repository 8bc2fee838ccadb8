import { listCommand } from '../../cli/declared/list.ts'
import { withoutSecrets } from '../../cli/topics/projects/shown.ts'
import { listProjects } from '../../contract/projects.ts'
import { projectColumns } from '../../output/columns/resources/project.ts'

export default listCommand('List the projects that the management keys open', {
  description: 'In the structured formats the secrets of an answer are left out.',
  examples: ['promo projects list --profile sandbox', "promo projects list --json --query '[].id' --profile sandbox"],
  calls: [listProjects],
  columns: projectColumns,
  noun: 'projects',
  shown: withoutSecrets,
  request: () => ({}),
})
