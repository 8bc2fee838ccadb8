import { Flags } from '@oclif/core'
import { PromoCommand } from '../../../cli/command.ts'
import { callFlags, listFlags } from '../../../cli/flags/flags.ts'
import { optionalArgument } from '../../../cli/flags/kinds.ts'
import { listing } from '../../../cli/result/listing.ts'
import {
  listCampaignMemberPendingPoints,
  listMemberPendingPoints,
  listPendingPoints,
} from '../../../contract/pending-points.ts'
import { usageError } from '../../../errors.ts'
import { pendingPointsColumns } from '../../../output/columns/resources/loyalty.ts'

export default class List extends PromoCommand {
  static override summary = 'List the points of a loyalty program, or of one card, that are not active yet'
  static override description =
    'Points of paid orders that become active some days later; those that were activated or canceled are not listed.'
  static override examples = [
    'promo loyalty pending list "Bean Club" --profile sandbox',
    'promo loyalty pending list --card CLUB-001 --order id --csv --profile sandbox',
  ]
  static override calls = [listPendingPoints, listMemberPendingPoints, listCampaignMemberPendingPoints]
  static override columns = pendingPointsColumns
  static override args = { campaign: optionalArgument('a loyalty campaign, by id or name') }
  static override asks = { campaign: { or: ['card'] } }
  static override flags = {
    ...callFlags,
    ...listFlags,
    card: Flags.string({
      description: 'only this card, by code or id; the campaign may be omitted',
      helpValue: 'CODE',
    }),
    order: Flags.option({
      description: 'the order of the rows; a leading - means newest first',
      options: ['id', '-id'] as const,
    })(),
  }

  async run() {
    const { args, flags } = await this.input(List)
    const { endpoint, path } = callFor(args.campaign, flags.card)
    const client = await this.connect(flags)
    const request = { path, query: { order: flags.order } } as never
    const { pages, more } = listing(client, endpoint, request, flags, this.messages(flags).say)
    await this.emitPages(pages, List.columns, flags, { nothing: 'no pending points found', more })
  }
}

function callFor(campaignId: string | undefined, memberId: string | undefined) {
  if (campaignId !== undefined && memberId !== undefined)
    return { endpoint: listCampaignMemberPendingPoints, path: { campaignId, memberId } }
  if (memberId !== undefined) return { endpoint: listMemberPendingPoints, path: { memberId } }
  if (campaignId !== undefined) return { endpoint: listPendingPoints, path: { campaignId } }
  throw usageError('name a loyalty campaign, or a card with --card CODE', 'promo loyalty pending list "Bean Club"')
}
