// What finance does at the end of a month: what is owed on cards, and what changed it.
import { everyTaskWorks } from './tasks.ts'

const given = ['promo ledger pull']

everyTaskWorks([
  {
    wants: 'what was owed on gift cards and in points at the end of February',
    types: ['promo ledger pull', 'promo ledger balances --as-of 2026-02-28 --sum'],
    reads: ['Gift cards  credits … 42500', 'Bean Club … points … 644'],
  },
  {
    wants: 'what became of the credit of gift cards in March, from opening to closing',
    given,
    types: 'promo ledger report --month 2026-03',
    reads: ['Gift cards · credits', 'opening 42,500', 'redeemed −10,100', 'closing 32,400', 'no accounting advice'],
  },
  {
    wants: 'the balance of every gift card on a day, for the auditor',
    given,
    types: 'promo ledger balances --as-of 2026-02-28 --campaign "Gift cards" --csv --columns code,balance',
    reads: ['code,balance', 'GIFT-008,7500'],
    never: ['CLUB-'],
  },
])
