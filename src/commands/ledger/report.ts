import { formatCount } from '../../base/numbers.ts'
import { shellWord } from '../../base/shell-word.ts'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { repeatable, switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { copyFlags, openCopyToRead } from '../../cli/topics/ledger/copy-file.ts'
import { decimal } from '../../cli/topics/ledger/decimal.ts'
import { periodFlags, periodOf } from '../../cli/topics/ledger/period.ts'
import { makeReport } from '../../cli/topics/ledger/report.ts'
import { chartLines, pageAccount, statements } from '../../cli/topics/ledger/report-text.ts'
import { EXIT } from '../../errors.ts'
import { copyWords } from '../../ledger/copy.ts'
import { reportPage } from '../../ledger/html.ts'
import { rollForwardColumns } from '../../output/columns/balances.ts'
import { mustBeReplaceable, outFile } from '../../output/out-file.ts'

/** Broken cards that are named one by one; `ledger balances --broken` lists all. */
const namedCards = 5

export default class Report extends PromoCommand {
  static override summary = 'Report what is owed on cards: opening, all that changed it, closing, by campaign'
  static override description =
    'Reads the copy of `ledger pull`. Opening and all movements make closing, to the unit. Exits 12 if a card does not add up, and names it. What expired or was switched off is not owed. Points have a value only with --point-value. This is a calculation, and no accounting advice.'
  static override examples = [
    'promo ledger report --month 2026-09 --profile sandbox',
    'promo ledger report --since 2026-01-01 --until 2026-12-31 --monthly --csv --profile sandbox',
    'promo ledger report --month 2026-09 --sold "Gift cards" --html report.html --profile sandbox',
  ]
  static override effect = 'none' as const
  static override columns = rollForwardColumns
  static override exits = [EXIT.no]
  static override flags = {
    ...outputFlags,
    ...copyFlags,
    ...periodFlags,
    campaign: textFlag('only of this campaign, by id or name'),
    monthly: switchFlag('a row for each month'),
    sold: repeatable('issued credit that was paid for: a campaign, metadata.key=value, or all', 'RULE'),
    'point-value': decimal({ description: 'what a point is worth in the currency', helpValue: '0.01' }),
    breakage: decimal({ description: 'the share of closing that is never used, in percent', helpValue: '12.5' }),
    chart: switchFlag('draw it as text instead of a table', { exclusive: ['html'] }),
    html: textFlag('write one page to this file, to read and print', 'FILE', { exclusive: ['out'] }),
  }

  async run() {
    const { flags } = await this.input(Report)
    const { show } = this
    await show.check(rollForwardColumns)
    const clock = await this.clock()
    const period = periodOf(flags, clock)
    if (flags.html !== undefined) await mustBeReplaceable(flags.html)
    const { say, warn } = show
    const said = { pointValue: flags['point-value'], breakage: flags.breakage }
    const copy = await openCopyToRead(flags, this)
    try {
      const report = makeReport(copy, { ...clock, period, campaign: flags.campaign, sold: flags.sold, ...said })
      const { accounts, broken, gap, notes } = report
      const rows = accounts.flatMap(({ row, months }) => (flags.monthly ? months : [row]))
      const isText = show.isTable && flags.columns === undefined
      if (flags.html !== undefined) {
        const pages = accounts.map((account) => pageAccount(account, period.months, said))
        const project = copy.about('project_name') ?? copy.about('project_id') ?? 'The project'
        const page = {
          project,
          period: period.words,
          accounts: pages,
          notes: gap === undefined ? notes : [gap, ...notes],
        }
        await writeFile(flags.html, reportPage(page), this.host.stop)
        say(`wrote ${flags.html}`)
      } else if (flags.chart && isText) {
        const width = this.host.stdout.isTTY ? (this.host.stdout.columns ?? 80) : 80
        const lines = chartLines(accounts, Math.min(width, 80))
        await show.text(textOf(lines))
      } else if (isText && !flags.monthly && rows.length > 0) await show.sections(statements(accounts, said))
      else await show.rows(rows, rollForwardColumns, { nothing: 'no card had a balance' })
      if (isText && flags.html === undefined) for (const note of notes) say(note)
      if (gap !== undefined) warn(`warning: ${gap}; pull again: promo ledger pull${copyWords(flags.data)}`)
      for (const { code, card_id, breaks_at, expected, found } of broken.slice(0, namedCards))
        warn(
          `card ${shellWord(code ?? card_id)} does not add up at ${breaks_at ?? 'its end'}: expected ${expected}, found ${found}`,
        )
      if (broken.length === 0) return
      warn(
        `${formatCount(broken.length, 'card')} did not add up; list them: promo ledger balances --broken${copyWords(flags.data)}`,
      )
      this.exitCode = EXIT.no
    } finally {
      copy.close()
    }
  }
}

async function* textOf(lines: readonly string[]): AsyncGenerator<string> {
  if (lines.length > 0) yield `${lines.join('\n')}\n`
}

async function writeFile(path: string, text: string, signal: AbortSignal): Promise<void> {
  const file = await outFile(path, signal)
  try {
    await file.write(text)
    await file.finish()
  } catch (error) {
    await file.abandon()
    throw error
  }
}
