import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags, serviceFlags, writeFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { namedAmong } from '../../cli/request/if-exists.ts'
import { projectFlag, projectOf } from '../../cli/session/project.ts'
import { copyTemplate, listProjectTemplates, type Template } from '../../contract/templates.ts'
import { templateColumns } from '../../output/columns/templates.ts'

export default class Copy extends PromoCommand {
  static override summary = 'Copy a template into another project'
  static override description =
    'Only the template is copied; rules and products are created when a campaign is created from it. A name that is taken in the other project is refused unless --if-exists says otherwise. Shows the copy.'
  static override examples = [
    'promo templates copy camp_tpl_19b8d627a800000001 --to proj_2 --name "Spring, again" --dry-run --profile sandbox',
    'promo templates copy camp_tpl_19b8d627a800000001 --to proj_2 --name Spring --description "from the pilot" --dry-run --json --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [copyTemplate, listProjectTemplates]
  static override columns = templateColumns
  static override args = { id: argument('the id of the template') }
  static override flags = {
    ...serviceFlags,
    ...projectFlag,
    ...outputFlags,
    to: Flags.string({ description: 'the id of the project to copy it into', helpValue: 'PROJECT', required: true }),
    name: Flags.string({ description: 'the name of the copy', required: true }),
    description: Flags.string({ description: 'the description of the copy' }),
    // No call changes a template of another project.
    'if-exists': Flags.option({
      default: 'fail',
      description: 'if the other project already has one of that name: fail, or reuse it as it is',
      options: ['fail', 'reuse'] as const,
    })(),
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Copy)
    const { to: destination_project_id, name, description } = flags
    await this.writeOne(flags, {
      endpoint: copyTemplate,
      request: (profile) => ({
        path: { projectId: projectOf(flags, profile), campaignTemplateId: args.id },
        body: { name, destination_project_id, description },
      }),
      columns: Copy.columns,
      existing: {
        choice: flags['if-exists'],
        named: `template "${name}"`,
        find: (client) =>
          namedAmong<Template>(
            client.items(listProjectTemplates, { path: { projectId: destination_project_id } }),
            name,
          ),
      },
    })
  }
}
