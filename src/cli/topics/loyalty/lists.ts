// Lists about points, of a loyalty program, of a card, or of a program's card: each has a call of its own.
import type { Endpoint } from '../../../contract/endpoint.ts'
import {
  listCampaignCardTransactions,
  listCardTransactions,
  listLoyaltyTransactions,
} from '../../../contract/loyalty.ts'
import { usageError } from '../../../errors.ts'
import { optionalArgument, textFlag } from '../../flags/kinds.ts'

/** The argument that says whose list it is. */
export const ownerArgs = { campaign: optionalArgument('a loyalty campaign, by id or name') }

/** What is asked for where neither a campaign nor a card is named. */
export const ownerAsks = { campaign: { or: ['card'] } }

/** The flag for the list of one card. */
export const cardFlag = { card: textFlag('only this card, by code or id', 'CODE') }

/** The calls that list the same of a program, of a card, and of a program's card. */
type CallsByOwner = readonly [ofProgram: Endpoint, ofCard: Endpoint, ofBoth: Endpoint]

/** The calls that list transactions. */
export const transactionCalls = [
  listLoyaltyTransactions,
  listCardTransactions,
  listCampaignCardTransactions,
] as const satisfies CallsByOwner

/** Chooses the call that lists what is asked for. Throws `usage`, with an example, when neither campaign nor card is named. */
export function callAbout(
  [ofProgram, ofCard, ofBoth]: CallsByOwner,
  { campaign, card }: { campaign?: string | undefined; card?: string | undefined },
  example: string,
): { endpoint: Endpoint; path: Record<string, string> } {
  if (campaign === undefined && card === undefined)
    throw usageError('name a loyalty campaign, or a card with --card CODE', example)
  const path = {
    ...(campaign !== undefined && { campaignId: campaign }),
    ...(card !== undefined && { memberId: card }),
  }
  return { endpoint: card === undefined ? ofProgram : campaign === undefined ? ofCard : ofBoth, path }
}
