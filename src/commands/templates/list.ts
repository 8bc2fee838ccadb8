import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags, listFlags } from '../../cli/flags/flags.ts'
import { listing } from '../../cli/result/listing.ts'
import { listProjectTemplates, listTemplates } from '../../contract/templates.ts'
import { templateColumns } from '../../output/columns/templates.ts'

export default class List extends PromoCommand {
  static override summary = 'List campaign templates'
  static override description =
    'With --project, lists the templates of any project of the organisation, through the management API; otherwise those of the project that the key pair belongs to.'
  static override examples = [
    'promo templates list --profile sandbox',
    'promo templates list --type GIFT_VOUCHERS --json --profile sandbox',
  ]
  static override calls = [listTemplates, listProjectTemplates]
  static override columns = templateColumns
  static override flags = {
    ...callFlags,
    ...listFlags,
    project: Flags.string({ description: 'the id of another project', helpValue: 'ID' }),
    name: Flags.string({ description: 'only the template with this name' }),
    type: Flags.option({
      description: 'only templates of this type',
      options: ['DISCOUNT_COUPONS', 'GIFT_VOUCHERS'] as const,
    })(),
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: ['id', '-id'] as const,
    })(),
  }

  async run() {
    const { flags } = await this.input(List)
    const client = await this.connect(flags)
    const { project, order } = flags
    const query = { order, filters: filtersFrom({ name: flags.name, campaign_type: flags.type }) }
    const { pages, more } =
      project === undefined
        ? listing(client, listTemplates, { query }, flags, this.messages(flags).say)
        : listing(
            client,
            listProjectTemplates,
            { path: { projectId: project }, query },
            flags,
            this.messages(flags).say,
          )
    await this.emitPages(pages, List.columns, flags, { nothing: 'no templates found', more })
  }
}

function filtersFrom(wanted: Record<string, string | undefined>): Record<string, unknown> | undefined {
  const named = Object.entries(wanted).filter(([, value]) => value !== undefined)
  if (named.length === 0) return undefined
  return Object.fromEntries(named.map(([field, value]) => [field, { conditions: { $is: value } }]))
}
