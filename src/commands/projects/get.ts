import { readCommand } from '../../cli/declared/read.ts'
import { withoutSecrets } from '../../cli/topics/projects/shown.ts'
import { getProject } from '../../contract/projects.ts'
import { projectColumns } from '../../output/columns/resources/project.ts'

export default readCommand('Show the settings of a project: that of the profile, or of --project', {
  description: 'In every format the secrets of the answer are left out.',
  examples: [
    'promo projects get --profile sandbox',
    "promo projects get --json --query 'default_code_config' --profile sandbox",
  ],
  calls: [getProject],
  columns: projectColumns,
  shown: withoutSecrets,
  request: ({ projectId }) => ({ path: { projectId } }),
})
