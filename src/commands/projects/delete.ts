import { writeCommand } from '../../cli/declared/write.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { quotedValue } from '../../cli/prompt/asked-value.ts'
import { deleteProject } from '../../contract/projects.ts'

export default writeCommand('Delete a project with everything in it', {
  description:
    'It is named on the command line and never taken from the profile. Nothing brings it back: promo config pull keeps its configuration as files. Asks for confirmation.',
  examples: [
    'promo projects delete proj_1 --dry-run --profile sandbox',
    'promo projects delete proj_1 --yes --profile sandbox',
  ],
  calls: [deleteProject],
  instead: 'promo config apply --help',
  args: { project: argument('the id of a project') },
  request: ({ args }) => ({ path: { projectId: args.project } }),
  question: ({ args }) => `delete project ${quotedValue(args.project)} with everything in it`,
  done: ({ args }) => `deleted project "${args.project}"`,
})
