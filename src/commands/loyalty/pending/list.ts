import { listCommand } from '../../../cli/declared/list.ts'
import { choiceFlag } from '../../../cli/flags/kinds.ts'
import { callAbout, cardFlag, ownerArgs, ownerAsks } from '../../../cli/topics/loyalty/lists.ts'
import {
  listCampaignMemberPendingPoints,
  listMemberPendingPoints,
  listPendingPoints,
} from '../../../contract/pending-points.ts'
import { pendingPointsColumns } from '../../../output/columns/resources/loyalty.ts'

export default listCommand('List the points of a loyalty program, or of one card, that are not active yet', {
  description:
    'Pending points of paid orders become active some days later. Those that were activated or canceled are not listed.',
  examples: [
    'promo loyalty pending list "Bean Club" --profile sandbox',
    'promo loyalty pending list --card CLUB-001 --order id --csv --profile sandbox',
  ],
  calls: [listPendingPoints, listMemberPendingPoints, listCampaignMemberPendingPoints],
  columns: pendingPointsColumns,
  args: ownerArgs,
  asks: ownerAsks,
  flags: {
    ...cardFlag,
    order: choiceFlag('the order of the rows; a leading - means descending', ['id', '-id']),
  },
  noun: 'pending points',
  chosen: ({ args, flags }) => callFor(args.campaign, flags.card).endpoint,
  request: ({ args, flags }) => ({
    path: callFor(args.campaign, flags.card).path as never,
    query: { order: flags.order },
  }),
})

const calls = [listPendingPoints, listMemberPendingPoints, listCampaignMemberPendingPoints] as const

function callFor(campaign: string | undefined, card: string | undefined) {
  return callAbout(calls, { campaign, card }, 'promo loyalty pending list "Bean Club"')
}
