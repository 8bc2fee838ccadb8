import { formatCount } from '../../base/numbers.ts'
import { inputError } from '../../bulk/input/input-error.ts'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { time, timeRangeFrom } from '../../cli/flags/time.ts'
import { campaignsIn } from '../../cli/topics/ledger/campaigns.ts'
import { copyFlags, openCopyToRead } from '../../cli/topics/ledger/copy-file.ts'
import { EXIT } from '../../errors.ts'
import { balanceAt, breakCheck, type CardBalance, sumsOf } from '../../ledger/balances.ts'
import { balanceTables, completeUntil, gapUntil } from '../../ledger/completeness.ts'
import { type Copy, copyWords } from '../../ledger/copy.ts'
import { cardsOf } from '../../ledger/movements.ts'
import { balanceSumColumns, cardBalanceColumns } from '../../output/columns/balances.ts'

export default class Balances extends PromoCommand {
  static override summary = 'Show what was on gift and loyalty cards at an instant, from the copy of `ledger pull`'
  static override description =
    'A balance is the sum of all movements up to the instant. Owed is what of it could still be used. Each card is checked against the balances that its transactions state. If one does not add up, its row says where, and the command exits 12. Credits are in the smallest currency unit.'
  static override examples = [
    'promo ledger balances --as-of 2026-09-30 --profile sandbox',
    'promo ledger balances --card CLUB-001 --as-of 2026-09-30 --profile sandbox',
    'promo ledger balances --as-of 2026-09-30 --sum --json --profile sandbox',
    'promo ledger balances --broken --profile sandbox',
  ]
  static override effect = 'none' as const
  static override columns = [cardBalanceColumns, balanceSumColumns]
  static override exits = [EXIT.no]
  static override flags = {
    ...outputFlags,
    ...copyFlags,
    'as-of': time({ description: 'the instant; a day counts to its end (default: now)' }),
    card: textFlag('only this card, by code or id'),
    campaign: textFlag('only of this campaign, by id or name'),
    sum: switchFlag('add up by campaign and unit', { exclusive: ['broken'] }),
    broken: switchFlag('only cards that do not add up'),
  }

  async run() {
    const { flags } = await this.input(Balances)
    const clock = await this.clock()
    const untilMs = flags['as-of'] === undefined ? clock.nowMs : timeRangeFrom(flags['as-of'], clock).untilMs
    const until = new Date(untilMs).toISOString()
    const { warn } = this.show
    const copy = await openCopyToRead(flags, this)
    try {
      const campaigns = campaignsIn(copy)
      const only = flags.campaign === undefined ? undefined : campaigns.idOf(flags.campaign)
      const complete = completeUntil(copy, balanceTables)
      const gap = gapUntil(flags['as-of'] === undefined ? (complete ?? until) : until, complete)
      const cardId = flags.card === undefined ? undefined : cardIn(copy, flags.card)
      let broken = 0
      function* rows(): Generator<CardBalance & { campaign: string | null }> {
        for (const card of cardsOf(copy, cardId)) {
          if (only !== undefined && card.campaignId !== only) continue
          const check = breakCheck(card, complete)
          const balance = balanceAt(card, until, check)
          const found = check.end()
          if (found !== undefined) broken += 1
          if (balance === undefined || (flags.broken && found === undefined)) continue
          yield { ...balance, campaign: campaigns.nameOf(card.campaignId), ...found }
        }
      }
      if (flags.sum) {
        const sums = sumsOf(rows()).map((sum) => ({ ...sum, campaign: campaigns.nameOf(sum.campaign_id) }))
        await this.show.rows(sums, balanceSumColumns, { nothing: 'no card existed' })
      } else {
        const nothing = flags.broken ? 'every card adds up' : 'no card existed'
        await this.show.rows(rows(), cardBalanceColumns, { nothing })
      }
      if (gap !== undefined) warn(`warning: ${gap}; pull again: promo ledger pull${copyWords(flags.data)}`)
      if (broken === 0) return
      warn(
        `${formatCount(broken, 'card')} did not add up${flags.broken ? '' : `; list them: promo ledger balances --broken${copyWords(flags.data)}`}`,
      )
      this.exitCode = EXIT.no
    } finally {
      copy.close()
    }
  }
}

/** Returns the id of a card by its code or id. Throws `input` for one that the copy has not. */
function cardIn(copy: Copy, named: string): string {
  const card = copy.get<{ id: string }>(
    'SELECT id FROM vouchers WHERE code = ? OR id = ? ORDER BY code = ?',
    named,
    named,
    named,
  )
  if (card === undefined) throw inputError(`the copy has no card "${named}"`, 'promo ledger pull, if it is new')
  return card.id
}
