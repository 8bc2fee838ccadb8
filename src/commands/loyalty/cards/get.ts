import { Flags } from '@oclif/core'
import type { Client } from '../../../api/client.ts'
import { PromoCommand } from '../../../cli/command.ts'
import { callFlags } from '../../../cli/flags/flags.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { isPlainTable } from '../../../cli/result/output.ts'
import { unlessRefused } from '../../../cli/result/unless-refused.ts'
import { getCustomer } from '../../../contract/customers.ts'
import { getCampaignMember, getMember } from '../../../contract/loyalty-programs.ts'
import { listMemberTiers } from '../../../contract/loyalty-tiers.ts'
import { cardColumns, cardOnOneScreen } from '../../../output/columns/cards.ts'

export default class Get extends PromoCommand {
  static override summary =
    'Show a loyalty card: its holder and their tier, its balance, and the points that expire next'
  static override description =
    "A table also shows the holder of the card and the holder's tier, and is limited to what fits on one screen; the other formats return the service's own object."
  static override examples = [
    'promo loyalty cards get CLUB-001 --profile sandbox',
    'promo loyalty cards get CLUB-001 --campaign "Bean Club" --json --query \'loyalty_card.balance\' --profile sandbox',
  ]
  static override calls = [getMember, getCampaignMember, getCustomer, listMemberTiers]
  static override columns = cardColumns
  static override args = { code: argument('the code or the id of a loyalty card') }
  static override flags = {
    ...callFlags,
    campaign: Flags.string({ description: 'the campaign the card must belong to, by id or name' }),
  }

  async run() {
    const { args, flags } = await this.input(Get)
    const { campaign } = flags
    const client = await this.connect(flags)
    const path = { memberId: args.code, ...(campaign !== undefined && { campaignId: campaign }) }
    const card = await client.call(campaign === undefined ? getMember : getCampaignMember, { path })
    if (!isPlainTable(flags)) return await this.emitOne(card, Get.columns, flags)
    const { warn } = this.messages(flags)
    const [holder, tier] = await Promise.all([holderOf(card, client, warn), tierOf(card, client, warn)])
    const columns = flags.columns ?? [...cardOnOneScreen]
    await this.emitOne({ ...card, holder, tier }, Get.columns, { ...flags, columns })
  }
}

/** The customer who holds the card. Optional: credentials that may read cards may not read customers. */
async function holderOf(card: object, client: Client, warn: (line: string) => void): Promise<object | undefined> {
  const { holder_id } = card as { holder_id?: unknown }
  if (typeof holder_id !== 'string') return undefined
  return await unlessRefused(
    () => client.call(getCustomer, { path: { customerId: holder_id } }),
    ({ message }) => warn(`warning: the holder is not shown: ${message}`),
  )
}

/** The tier that the holder is in. Optional: there may be none, and the service may not tell. */
async function tierOf(card: object, client: Client, warn: (line: string) => void): Promise<object | undefined> {
  const { code, holder_id } = card as { code?: unknown; holder_id?: unknown }
  if (typeof code !== 'string' || typeof holder_id !== 'string') return undefined
  return await unlessRefused(
    async () => {
      for await (const tier of client.items(listMemberTiers, { path: { memberId: code } })) return tier
      return undefined
    },
    ({ message }) => warn(`warning: the tier is not shown: ${message}`),
  )
}
