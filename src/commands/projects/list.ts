import { listCommand } from '../../cli/declared.ts'
import { listProjects } from '../../contract/projects.ts'
import { projectColumns } from '../../output/columns/resources/project.ts'

export default listCommand({
  summary: 'List the projects that the management keys open',
  description: 'In the structured formats the secrets of an answer are left out.',
  examples: ['promo projects list --profile sandbox', "promo projects list --json --query '[].id' --profile sandbox"],
  endpoint: listProjects,
  columns: projectColumns,
  noun: 'projects',
  shown: withoutSecrets,
  request: () => ({}),
})

/** The answer holds the signing secret of webhooks, and for a new project its keys. */
function withoutSecrets(row: object): object {
  const { webhook_token: _, server_side_key: __, client_side_key: ___, ...project } = row as Record<string, unknown>
  return project
}
