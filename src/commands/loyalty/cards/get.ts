import type { RowContext } from '../../../cli/declared/command.ts'
import { readCommand } from '../../../cli/declared/read.ts'
import { argument, textFlag } from '../../../cli/flags/kinds.ts'
import { tryRead } from '../../../cli/result/try-read.ts'
import { getCustomer } from '../../../contract/customers.ts'
import { getCampaignMember, getMember } from '../../../contract/loyalty-programs.ts'
import { listMemberTiers } from '../../../contract/loyalty-tiers.ts'
import { cardColumns } from '../../../output/columns/cards.ts'

export default readCommand(
  'Show a loyalty card: its holder and their tier, its balance, and the points that expire next',
  {
    description:
      "A table also shows the holder of the card and the holder's tier, as much as fits on one screen. The other formats return the service's own object.",
    examples: [
      'promo loyalty cards get CLUB-001 --profile sandbox',
      'promo loyalty cards get CLUB-001 --campaign "Bean Club" --json --query \'loyalty_card.balance\' --profile sandbox',
    ],
    calls: [getMember, getCampaignMember, getCustomer, listMemberTiers],
    chosen: ({ flags }) => (flags.campaign === undefined ? getMember : getCampaignMember),
    columns: cardColumns,
    told: toldHolder,
    several: { noun: 'loyalty card', key: 'code' },
    args: { code: argument('the code or the id of a loyalty card') },
    flags: { campaign: textFlag('the campaign of the card, by id or name') },
    request: ({ args, flags: { campaign } }) => ({
      path: { memberId: args.code, ...(campaign !== undefined && { campaignId: campaign }) },
    }),
  },
)

/** Adds the `holder` of a card and their `tier`. Optional: there may be none, and credentials may not read them. */
function toldHolder({ client, isTable, warn }: RowContext): (card: object) => Promise<object> {
  return async (card) => {
    const { code, holder_id } = card as { code?: unknown; holder_id?: unknown }
    if (!isTable || typeof holder_id !== 'string') return {}
    const [holder, tier] = await Promise.all([
      tryRead(
        () => client.call(getCustomer, { path: { customerId: holder_id } }),
        ({ message }) => warn(`warning: the holder is not shown: ${message}`),
      ),
      tryRead(
        async () => {
          for await (const first of client.items(listMemberTiers, { path: { memberId: String(code) } })) return first
          return undefined
        },
        ({ message }) => warn(`warning: the tier is not shown: ${message}`),
      ),
    ])
    return { holder, tier }
  }
}
