import { Flags } from '@oclif/core'
import { listCommand } from '../../../cli/declared.ts'
import { optionalArgument } from '../../../cli/flags/kinds.ts'
import {
  listCampaignMemberPendingPoints,
  listMemberPendingPoints,
  listPendingPoints,
} from '../../../contract/pending-points.ts'
import { usageError } from '../../../errors.ts'
import { pendingPointsColumns } from '../../../output/columns/resources/loyalty.ts'

export default listCommand({
  summary: 'List the points of a loyalty program, or of one card, that are not active yet',
  description:
    'Points of paid orders that become active some days later; those that were activated or canceled are not listed.',
  examples: [
    'promo loyalty pending list "Bean Club" --profile sandbox',
    'promo loyalty pending list --card CLUB-001 --order id --csv --profile sandbox',
  ],
  endpoint: listPendingPoints,
  looks: [listMemberPendingPoints, listCampaignMemberPendingPoints],
  columns: pendingPointsColumns,
  args: { campaign: optionalArgument('a loyalty campaign, by id or name') },
  asks: { campaign: { or: ['card'] } },
  flags: {
    card: Flags.string({
      description: 'only this card, by code or id; the campaign may be omitted',
      helpValue: 'CODE',
    }),
    order: Flags.option({
      description: 'the order of the rows; a leading - means newest first',
      options: ['id', '-id'] as const,
    })(),
  },
  noun: 'pending points',
  chosen: ({ args, flags }) => callFor(args.campaign, flags.card).endpoint,
  request: ({ args, flags }) => ({
    path: callFor(args.campaign, flags.card).path as never,
    query: { order: flags.order },
  }),
})

function callFor(campaignId: string | undefined, memberId: string | undefined) {
  if (campaignId !== undefined && memberId !== undefined)
    return { endpoint: listCampaignMemberPendingPoints, path: { campaignId, memberId } }
  if (memberId !== undefined) return { endpoint: listMemberPendingPoints, path: { memberId } }
  if (campaignId !== undefined) return { endpoint: listPendingPoints, path: { campaignId } }
  throw usageError('name a loyalty campaign, or a card with --card CODE', 'promo loyalty pending list "Bean Club"')
}
