import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { bodyFlags, callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { bodyFrom } from '../../cli/request/body.ts'
import { createProject, newProject } from '../../contract/projects.ts'
import { newProjectColumns } from '../../output/columns/resources/project.ts'

export default class Create extends PromoCommand {
  static override summary = 'Create a project, and show its keys, which the service shows only once'
  static override description =
    'The answer has the secrets of both keys and of webhooks. promo neither stores nor logs them: keep the output, or put it into a file with --out. Asks for confirmation.'
  static override examples = [
    'promo projects create "Spring tests" --type SANDBOX --dry-run --profile sandbox',
    'promo projects create "Spring tests" --set timezone=Europe/Warsaw --set currency=EUR --yes --json --out project.json --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [createProject]
  static override columns = newProjectColumns
  static override args = { name: argument('the name of the project') }
  static override flags = {
    ...callFlags,
    type: Flags.option({
      description: 'for tests or for production; it cannot be changed later',
      options: ['SANDBOX', 'PRODUCTION'] as const,
    })(),
    ...bodyFlags,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Create)
    const settings = await bodyFrom(flags, newProject, this.host)
    const body = { ...settings, name: args.name, ...(flags.type && { type: flags.type }) }
    const created = await this.writeOne(flags, {
      endpoint: createProject,
      request: { body },
      columns: Create.columns,
      question: `create project "${args.name}"`,
    })
    if (created !== undefined) {
      this.messages(flags).warn(
        'the keys are shown only now, and promo did not store them: promo profiles add NAME does',
      )
    }
  }
}
