import { isRecord } from '../../base/record.ts'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { argument, choiceFlag, switchFlag } from '../../cli/flags/kinds.ts'
import { day } from '../../cli/flags/time.ts'
import { formatOf } from '../../cli/result/output.ts'
import { type Days, daysFrom, periodsOf } from '../../cli/topics/campaigns/periods.ts'
import { getCampaignSummary } from '../../contract/campaigns.ts'
import { campaignPeriodColumns, campaignSummaryColumns } from '../../output/columns/resources/campaign-summary.ts'
import { type Bar, barChart } from '../../output/form/bars.ts'

export default class Summary extends PromoCommand {
  static override summary = 'Show what happened in a campaign: redemptions, roll-backs, publications, amounts'
  static override description =
    'With --by there is a row for each day, week (from Monday) or month, oldest first, each counted by the service: 30 days, 12 weeks or 12 months until today unless --since and --until say otherwise. Days begin and end in UTC, as the service counts them.'
  static override examples = [
    'promo campaigns summary "Bean Club" --profile sandbox',
    'promo campaigns summary "Bean Club" --since 2026-01-01 --until 2026-03-31 --by month --chart --profile sandbox',
    'promo campaigns summary "Bean Club" --csv --profile sandbox',
  ]
  static override calls = [getCampaignSummary]
  static override columns = campaignPeriodColumns
  static override args = { campaign: argument('a campaign, by id or name') }
  static override flags = {
    ...callFlags,
    since: day({ description: 'only from this day on (in UTC): a day, or an age like 30d' }),
    until: day({ description: 'only up to this day, which is included' }),
    by: choiceFlag('a row for each of these periods', ['day', 'week', 'month']),
    chart: switchFlag('draw the redemptions of each period, on a terminal', { dependsOn: ['by'] }),
  }

  async run() {
    const { args, flags } = await this.input(Summary)
    const nowMs = this.host.now()
    const days = daysFrom(flags, nowMs)
    const periods = flags.by === undefined ? undefined : periodsOf(flags.by, days, nowMs)
    const client = await this.connect(flags)
    const path = { campaignId: args.campaign }
    const summaryOf = async ({ from, until }: Partial<Days>) =>
      await client.call(getCampaignSummary, {
        path,
        query: { ...(from !== undefined && { start_date: from }), ...(until !== undefined && { end_date: until }) },
      })
    if (periods === undefined) return await this.emitOne(await summaryOf(days), campaignSummaryColumns, flags)

    const bars: Bar[] = []
    async function* counted() {
      for (const period of periods ?? []) {
        const { campaign, ...counters } = await summaryOf(period)
        bars.push({ label: period.from, value: Number(counters.redemptions) })
        const { id, name } = isRecord(campaign) ? campaign : {}
        yield { ...period, campaign: { id, name }, ...counters }
      }
    }
    await this.emit(counted(), campaignPeriodColumns, flags)
    const { isTTY, columns } = this.host.stdout
    if (!flags.chart || formatOf(flags) !== 'table' || isTTY !== true) return
    const { say } = this.messages(flags)
    say('')
    say('redemptions')
    for (const bar of barChart(bars, columns)) say(bar)
  }
}
