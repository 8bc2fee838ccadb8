import type { Client } from '../../../api/client.ts'
import { CallError, withNextStep } from '../../../api/outcome/call-error.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { PromoCommand } from '../../../cli/command.ts'
import { callFlags } from '../../../cli/flags/flags.ts'
import { optionalArgument, switchFlag, textFlag } from '../../../cli/flags/kinds.ts'
import { getMember, listMembers, listPointsExpiration } from '../../../contract/loyalty-programs.ts'
import { PromoError } from '../../../errors.ts'
import { expiringPointsColumns } from '../../../output/columns/resources/loyalty.ts'
import { type RowsFirst, warnAfterRows } from '../../../output/warn-after-rows.ts'

export default class Expiring extends PromoCommand {
  static override summary = 'List the points of a loyalty card, or of all cards of a program, by the day they expire'
  static override description =
    'Shows points that are still to expire; --all adds spent and expired ones. For a program, every card whose points expire is read, with one request each.'
  static override examples = [
    'promo loyalty points expiring CLUB-001 --profile sandbox',
    'promo loyalty points expiring --campaign "Bean Club" --csv --profile sandbox',
  ]
  static override calls = [listPointsExpiration, listMembers, getMember]
  static override columns = expiringPointsColumns
  static override args = { card: optionalArgument('the code or the id of a loyalty card') }
  static override asks = { card: { unless: ['campaign'] } }
  static override flags = {
    ...callFlags,
    campaign: textFlag('the campaign, by id or name; without a card, all of its cards'),
    all: switchFlag('also points that are spent or expired'),
  }

  async run() {
    const { args, flags } = await this.input(Expiring)
    const client = await this.connect()
    const lists = warnAfterRows()
    const buckets =
      args.card === undefined
        ? bucketsOfProgram(client, flags.campaign ?? '', flags.all, lists)
        : bucketsOfCard(client, flags.campaign ?? (await programOf(client, args.card)), args.card)
    const shown = flags.all ? buckets : active(buckets)
    const rows = this.show.isTabular ? shown : withoutCode(shown)
    await this.show.rows(rows, expiringPointsColumns, { nothing: 'no points expire', lists })
  }
}

async function programOf(client: Client, card: string): Promise<string> {
  const { campaign_id } = await client.call(getMember, { path: { memberId: card } }).catch((error: unknown) => {
    if (!(error instanceof CallError) || error.status !== 404) throw error
    throw withNextStep(error, `promo loyalty points expiring --campaign ${shellWord(card)} lists those of a program`)
  })
  if (typeof campaign_id === 'string') return campaign_id
  throw new PromoError('api', `the service does not say which program the card ${JSON.stringify(card)} belongs to`, {
    hint: 'name it with --campaign',
  })
}

/** The points of one card, with its code: the service names the card by id. */
async function* bucketsOfCard(client: Client, campaignId: string, code: string): AsyncGenerator<object> {
  for await (const bucket of client.items(listPointsExpiration, { path: { campaignId, memberId: code } }))
    yield { ...bucket, code }
}

async function* withoutCode(buckets: AsyncIterable<object>): AsyncGenerator<object> {
  for await (const { code: _, ...bucket } of buckets as AsyncIterable<{ code: string }>) yield bucket
}

/** The list of one card may be incomplete: those of the others are read all the same. */
async function* bucketsOfProgram(
  client: Client,
  campaignId: string,
  all: boolean,
  lists: RowsFirst,
): AsyncGenerator<object> {
  for await (const card of lists.of(client.items(listMembers, { path: { campaignId } }))) {
    const { code, loyalty_card } = card as { code?: unknown; loyalty_card?: { next_expiration_date?: unknown } | null }
    // Only a card with points that are still to expire has a next day (docs/service/vouchers.md#loyalty-card).
    const expires = (loyalty_card?.next_expiration_date ?? null) !== null
    if ((all || expires) && typeof code === 'string') yield* lists.of(bucketsOfCard(client, campaignId, code))
  }
}

async function* active(buckets: AsyncIterable<object>): AsyncGenerator<object> {
  for await (const bucket of buckets) if ((bucket as { status?: unknown }).status === 'ACTIVE') yield bucket
}
