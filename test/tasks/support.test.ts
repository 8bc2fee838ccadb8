// What a support desk does while a customer waits on the phone: docs of the tasks are the help and README alone.
import { everyTaskWorks } from './tasks.ts'

everyTaskWorks([
  // Who it is, by anything that a caller can say, and what they hold.
  {
    wants: 'who it is, and what they hold and used, by an e-mail address',
    types: 'promo customers show customer6@example.com',
    reads: ['name Farid Rahman', 'CLUB-006 LOYALTY_CARD on', 'GIFT-008 … 6300 credits … 4500 … r_'],
  },
  {
    wants: 'who it is, by an order number',
    types: 'promo customers show northlight-2006',
    reads: ['Farid Rahman', 'spent 10500 in 2 orders'],
  },

  // What was redeemed: time, code, what it was, how much, id.
  {
    wants: 'what was redeemed in an order, and to take it back',
    types: [
      'promo redemptions list --order-id northlight-2006',
      'promo redemptions rollback {r_} --reason "The parcel was lost"',
    ],
    answers: [[/\(y\/N\)/, 'y\r']],
    reads: ['2026-03-21 … GIFT-008 … 6300 credits', 'GIFT-008', 'northlight-2006'],
  },

  // What a question says before something is changed.
  {
    wants: 'to add points, and to see whose and how many there are before and after',
    types: 'promo loyalty points add CLUB-001 --points 60 --reason "Order 2001 was not counted"',
    answers: [[/\(y\/N\)/, 'y\r']],
    reads: ['60 points', 'CLUB-001', 'Ada Okafor', '82 → 142'],
  },
  {
    wants: 'what to do about a code that nobody holds',
    types: ['promo customers show GIFT-008', '{try}'],
    reads: ['the code "GIFT-008" exists, and nobody holds it', 'GIFT_VOUCHER'],
  },
])
