import { argumentWords } from '../../base/shell-word.ts'
import { writeCommand } from '../../cli/declared/write.ts'
import { argument, choiceFlag } from '../../cli/flags/kinds.ts'
import { quotedValue } from '../../cli/prompt/asked-value.ts'
import { createProject, listProjects } from '../../contract/projects.ts'
import { newProjectColumns } from '../../output/columns/resources/project.ts'

export default writeCommand('Create a project, and show its keys, which the service shows only once', {
  description:
    'The answer has the secrets of both keys and of webhooks. promo neither stores nor logs them: keep the output, or put it into a file with --out. Asks for confirmation.',
  examples: [
    'promo projects create "Spring tests" --type SANDBOX --dry-run --profile sandbox',
    'promo projects create "Spring tests" --set timezone=Europe/Warsaw --set currency=EUR --yes --json --out project.json --profile sandbox',
  ],
  calls: [createProject, listProjects],
  instead: (project) => `promo projects delete ${project} --dry-run`,
  columns: newProjectColumns,
  args: { name: argument('the name of the project') },
  flags: {
    type: choiceFlag('for tests or for production; it cannot be changed later', ['SANDBOX', 'PRODUCTION']),
  },
  made: { listedBy: () => 'promo projects list' },
  shown(project, { run }) {
    if (project.server_side_key === undefined)
      run.show.warn(
        `its keys were in the lost answer, and no call shows them; delete it, and create another: promo projects delete ${argumentWords(project.id)}`,
      )
    return project
  },
  body: { takes: 'known', members: {} },
  request: ({ args: { name }, flags: { type }, body }) => ({
    body: { ...(body as object), name, ...(type && { type }) },
  }),
  question: ({ args }) => `create project ${quotedValue(args.name)}`,
  tell: ({ warn }) => warn('the keys are shown only now, and promo did not store them: promo profiles add NAME does'),
})
