import { listCommand } from '../../cli/declared/list.ts'
import { choiceFlag, textFlag } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { listProjectTemplates, listTemplates } from '../../contract/templates.ts'
import { templateColumns } from '../../output/columns/templates.ts'

export default listCommand('List campaign templates', {
  description:
    'With --project, promo lists the templates of any project of the organisation, through the management API. Without it, those of the project that the key pair belongs to.',
  examples: [
    'promo templates list --profile sandbox',
    'promo templates list --type GIFT_VOUCHERS --json --profile sandbox',
  ],
  calls: [listTemplates, listProjectTemplates],
  columns: templateColumns,
  flags: {
    project: textFlag('the id of another project', 'ID'),
    name: textFlag('only with this name'),
    type: choiceFlag('only of this type', ['DISCOUNT_COUPONS', 'GIFT_VOUCHERS']),
    ...orderFlag(listTemplates),
  },
  noun: 'templates',
  chosen: ({ flags }) => (flags.project === undefined ? listTemplates : listProjectTemplates),
  request: ({ flags: { project, name, type, order } }) => ({
    ...(project !== undefined && { path: { projectId: project } }),
    query: { order, filters: filtersFrom({ name, campaign_type: type }) },
  }),
})

function filtersFrom(wanted: Record<string, string | undefined>): Record<string, unknown> | undefined {
  const named = Object.entries(wanted).filter(([, value]) => value !== undefined)
  if (named.length === 0) return undefined
  return Object.fromEntries(named.map(([field, value]) => [field, { conditions: { $is: value } }]))
}
