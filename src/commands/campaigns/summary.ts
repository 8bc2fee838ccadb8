import { isRecord } from '../../base/record.ts'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { argumentList, choiceFlag, switchFlag } from '../../cli/flags/kinds.ts'
import { day } from '../../cli/flags/time.ts'
import { type Days, daysFrom, periodsOf } from '../../cli/topics/campaigns/periods.ts'
import { getCampaignSummary } from '../../contract/campaigns.ts'
import {
  campaignPeriodColumns,
  campaignSummaryColumns,
  campaignsPeriodColumns,
  campaignsSummaryColumns,
} from '../../output/columns/resources/campaign-summary.ts'
import { type Bar, barChart } from '../../output/form/bars.ts'

export default class Summary extends PromoCommand {
  static override summary =
    'Show what happened in a campaign, or in several side by side: redemptions, roll-backs, publications, amounts'
  static override description =
    'With --by there is a row for each day, week (from Monday) or month, oldest first, as the service counts them. Without --since and --until these are 30 days, 12 weeks or 12 months until today. Days begin and end in UTC.'
  static override examples = [
    'promo campaigns summary "Bean Club" --profile sandbox',
    'promo campaigns summary "Bean Club" --since 2026-01-01 --until 2026-03-31 --by month --chart --profile sandbox',
    'promo campaigns summary "Bean Club" --csv --profile sandbox',
    'promo campaigns summary Welcome "Spring mailing" --since 90d --profile sandbox',
  ]
  static override calls = [getCampaignSummary]
  static override columns = campaignPeriodColumns
  static override args = { campaign: argumentList('campaigns, by id or name') }
  static override asks = { campaign: { question: 'a campaign, by id or name:' } }
  static override flags = {
    ...callFlags,
    since: day({ description: 'only from this day on, like 2026-01-05 (in UTC) or 30d' }),
    until: day({ description: 'only up to this day, which is included' }),
    by: choiceFlag('one row per period', ['day', 'week', 'month']),
    chart: switchFlag('draw a chart, on a terminal', { dependsOn: ['by'] }),
  }

  async run() {
    const { args, flags } = await this.input(Summary)
    const nowMs = this.host.now()
    const days = daysFrom(flags, nowMs)
    const periods = flags.by === undefined ? undefined : periodsOf(flags.by, days, nowMs)
    const client = await this.connect()
    const summaryOf = async (campaignId: string, { from, until }: Partial<Days>) =>
      await client.call(getCampaignSummary, {
        path: { campaignId },
        query: { ...(from !== undefined && { start_date: from }), ...(until !== undefined && { end_date: until }) },
      })
    const [campaign = '', ...others] = args.campaign ?? []
    const campaigns = [campaign, ...others]
    if (periods === undefined && others.length === 0)
      return await this.show.one(await summaryOf(campaign, days), campaignSummaryColumns)
    if (periods === undefined) {
      const rows = mapAhead(campaigns, async (one) => await summaryOf(one, days))
      return await this.show.rows(rows, campaignsSummaryColumns)
    }

    const bars: Bar[] = []
    const spans = campaigns.flatMap((one) => periods.map((period) => ({ one, period })))
    const counted = mapAhead(spans, async ({ one, period }) => {
      const { campaign: of, ...counters } = await summaryOf(one, period)
      const { id, name } = isRecord(of) ? of : {}
      return { ...period, campaign: { id, name }, ...counters, redemptions: counters.redemptions }
    })
    async function* drawRows() {
      for await (const row of counted) {
        const label = others.length === 0 ? row.from : `${String(row.campaign.name)} ${row.from}`
        bars.push({ label, value: Number(row.redemptions) })
        yield row
      }
    }
    await this.show.rows(drawRows(), others.length === 0 ? campaignPeriodColumns : campaignsPeriodColumns)
    const { isTTY, columns } = this.host.stdout
    if (!flags.chart || this.show.shape.format !== 'table' || isTTY !== true) return
    const { say } = this.show
    say('')
    say('redemptions')
    for (const bar of barChart(bars, columns)) say(bar)
  }
}

const atOnce = 4

/** Makes the rows of a few items at once, in the order of the items. */
async function* mapAhead<Item, Row extends object>(
  items: readonly Item[],
  row: (item: Item) => Promise<Row>,
): AsyncGenerator<Row> {
  const rows: Promise<Row>[] = []
  const begin = (item: Item) => {
    const made = row(item)
    // It is awaited in its turn, which may never come.
    made.catch(() => {})
    rows.push(made)
  }
  items.slice(0, atOnce).forEach(begin)
  for (const [at] of items.entries()) {
    yield (await rows[at]) as Row
    items.slice(at + atOnce, at + atOnce + 1).forEach(begin)
  }
}
