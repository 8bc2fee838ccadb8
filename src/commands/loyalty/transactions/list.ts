import { PromoCommand } from '../../../cli/command.ts'
import { filtersFrom } from '../../../cli/flags/filters.ts'
import { callFlags, listFlags } from '../../../cli/flags/flags.ts'
import { choiceFlag, count, repeatable, switchFlag, textFlag } from '../../../cli/flags/kinds.ts'
import { time } from '../../../cli/flags/time.ts'
import { filteringClient } from '../../../cli/result/filtering-client.ts'
import { listing } from '../../../cli/result/listing.ts'
import { callAbout, cardFlag, ownerArgs, ownerAsks, transactionCalls } from '../../../cli/topics/loyalty/lists.ts'
import { transactionFilter, unknownTypes } from '../../../cli/topics/loyalty/transaction-filter.ts'
import { transactionReport } from '../../../cli/topics/loyalty/transaction-report.ts'
import { transactionColumns } from '../../../output/columns/transactions.ts'

/** Width of a chart in characters, without its first and last number. */
const chartWidth = 60

const makers = ['automatic', 'manual'] as const

export default class List extends PromoCommand {
  static override summary = 'List point transactions of a loyalty campaign or of one card, newest first'
  static override description =
    'Filters are applied as the transactions arrive; stderr says how many were read and how many are shown. With --card, a warning names each place where the running balance does not add up; `loyalty transactions verify` checks an entire campaign.'
  static override examples = [
    'promo loyalty transactions list "Bean Club" --profile sandbox',
    'promo loyalty transactions list --card CLUB-004 --chart --profile sandbox',
    'promo loyalty transactions list "Bean Club" --order id --after vtx_1a207817d0931ec09c --profile sandbox',
    'promo loyalty transactions list "Bean Club" --type POINTS_REDEMPTION --since 2026-01-01 --csv --profile sandbox',
  ]
  static override calls = transactionCalls
  static override columns = transactionColumns
  static override args = ownerArgs
  static override asks = ownerAsks
  static override flags = {
    ...callFlags,
    ...listFlags,
    ...cardFlag,
    since: time({ description: 'only from this time on, like 2026-01-05 (in UTC) or 7d' }),
    until: time({ description: 'only up to this time; a day counts to its end' }),
    type: repeatable('only of this type', 'TYPE'),
    by: choiceFlag('only automatic transactions, or only manual ones', makers),
    'min-points': count('only gains and losses of at least this many points', 0, 1_000_000_000_000),
    filter: repeatable('a filter of the service: id=vtx_1,vtx_2 or voucher_id=v_1', 'field=value'),
    order: choiceFlag('the order of the rows; a leading - means descending', ['id', '-id'], { default: '-id' }),
    after: textFlag('only transactions after this one, in the order of the rows', 'ID'),
    chart: switchFlag('draw a chart, on a terminal', { dependsOn: ['card'] }),
  }

  async run() {
    const { args, flags } = await this.input(List)
    const { order, filter } = flags
    const query = {
      order,
      ...(flags.after !== undefined && { starting_after_id: flags.after }),
      ...(filter && { filters: filtersFrom(filter) }),
    }
    const { endpoint, path } = callAbout(
      transactionCalls,
      { ...args, card: flags.card },
      'promo loyalty transactions list "Bean Club"',
    )
    const keep = transactionFilter(flags, await this.clock())
    const isCharted = flags.chart && this.show.shape.format === 'table' && this.host.stdout.isTTY === true
    // Transactions between the filtered ones may be missing.
    const isOneCard = flags.card !== undefined && filter === undefined
    const report = transactionReport({ newestFirst: order === '-id', isOneCard, isCharted })

    const client = filteringClient(await this.connect(), { watch: report.read, keep })
    const { pages, more } = listing(client, endpoint, { path, query } as never, flags, this.show)

    const { isTable } = this.show
    async function* showPages() {
      for await (const page of pages) {
        for (const transaction of page) report.show(transaction)
        yield isTable ? page.map(signedPoints) : page
      }
    }
    await this.show.pages(showPages(), List.columns, { nothing: 'no transactions found', more })

    const { show: messages } = this
    const chart = report.chart(chartWidth)
    for (const line of chart === undefined ? [] : ['', chart]) messages.say(line)
    if (keep !== undefined) messages.say(report.counts())
    for (const type of unknownTypes(flags.type)) messages.say(`"${type}" is not a known type`)
    for (const warning of report.warnings()) messages.warn(`warning: ${warning}`)
  }
}

interface WithPoints {
  details?: { balance?: { points?: unknown } | null } | null
}

/** Adds a `+` to a gain of points. */
function signedPoints(row: object): object {
  const { details } = row as WithPoints
  const points = details?.balance?.points
  if (typeof points !== 'number' || points <= 0) return row
  return { ...row, details: { ...details, balance: { ...details?.balance, points: `+${points}` } } }
}
