import { Flags } from '@oclif/core'
import { shellWord } from '../../base/shell-word.ts'
import { writeCommand } from '../../cli/declared/write.ts'
import { argument, choiceFlag, textFlag } from '../../cli/flags/kinds.ts'
import { namedAmong } from '../../cli/request/if-exists.ts'
import { copyTemplate, listProjectTemplates, type Template } from '../../contract/templates.ts'
import { templateColumns } from '../../output/columns/templates.ts'

export default writeCommand('Copy a template into another project', {
  description:
    'Only the template is copied; rules and products are created when a campaign is created from it. A name that is taken in the other project is refused unless --if-exists says otherwise. Shows the copy.',
  examples: [
    'promo templates copy "Five euros for newcomers" --to proj_2 --name "Spring, again" --dry-run --profile sandbox',
    'promo templates copy camp_tpl_19b8d627a800000001 --to proj_2 --name Spring --description "from the pilot" --dry-run --json --profile sandbox',
  ],
  calls: [copyTemplate, listProjectTemplates],
  instead: 'promo templates delete --help',
  columns: templateColumns,
  args: { id: argument('a template of the project, by id or name', 'project template') },
  flags: {
    to: Flags.string({ description: 'the id of the project to copy it into', helpValue: 'PROJECT', required: true }),
    name: Flags.string({ description: 'the name', required: true }),
    description: textFlag('the description'), // No call changes a template of another project.
    'if-exists': choiceFlag('if it exists: fail, or reuse it as it is', ['fail', 'reuse'], { default: 'fail' }),
  },
  made: {
    asked: ({ flags: { name, description } }) => ({ name, ...(description !== undefined && { description }) }),
    listedBy: ({ flags: { to } }) => `promo templates list --project ${shellWord(to)}`,
  },
  request: ({ args, flags: { to, name, description }, projectId }) => ({
    path: { projectId, campaignTemplateId: args.id },
    body: { name, destination_project_id: to, description },
  }),
  existing: ({ flags: { 'if-exists': choice, name, to } }) => ({
    choice,
    named: `template "${name}"`,
    find: (client) => namedAmong<Template>(client.items(listProjectTemplates, { path: { projectId: to } }), name),
  }),
})
