// What a support desk does while a customer waits on the phone. The numbers are the points of what such a desk needs.
import { everyTaskWorks } from './tasks.ts'

const yes = [[/\(y\/N\)/, 'y\r']] as const
const no = [[/\(y\/N\)/, 'n\r']] as const

everyTaskWorks([
  // First words, as other tools have them.
  {
    wants: 'to list coupons of a campaign, with the words of another tool',
    types: ['promo coupons ls --campaign Welcome --limit 2', '{try}'],
    reads: ['did you mean "vouchers list"?', 'WELCOME-012'],
  },
  {
    wants: 'to add points to a card, and types the number after it',
    types: ['promo points add CLUB-001 60', '{try}', '{try}'],
    answers: yes,
    reads: ['did you mean "loyalty points add"?', 'missing --points', 'balance 142'],
  },
  {
    wants: 'the orders of a caller, and looks for them below the customer',
    types: ['promo customers orders shop-1004', '{try}'],
    reads: ['did you mean "orders list"?', 'northlight-2004 … 3500'],
  },
  {
    wants: 'to merge two customers',
    types: ['promo customers merge shop-1004 shop-1002', '{try}'],
    reads: ['recipes.md … Merge two customers'],
  },
  // 1. What was redeemed: time, code, customer, what it was, how much in its unit, what was left to pay, order, id.
  {
    wants: 'what was redeemed lately, and of what kind',
    types: 'promo redemptions list',
    reads: [
      '2026-03-21 12:00 … GIFT-008 … shop-1006 … 6300 credits … 4500 … northlight-2006',
      'r_19b8d627a800000006',
      'WELCOME-012 … 500 off',
      'CLUB-001 … 60 points',
    ],
    never: ['left out … outcome'],
  },
  {
    wants: 'what was redeemed in an order',
    types: 'promo redemptions list --order-id northlight-2006',
    reads: ['GIFT-008 … shop-1006 … 6300 credits', 'r_19b8d627a800000006'],
    never: ['GIFT-004'],
  },
  {
    wants: 'what a caller redeemed, by their e-mail address',
    types: 'promo redemptions list --customer customer4@example.com',
    reads: ['WELCOME-012 … 500 off', 'CLUB-004 … 120 points'],
    never: ['GIFT-008'],
  },
  {
    wants: 'what a caller redeemed, as carts name customers',
    types: 'promo redemptions list --customer source_id=shop-1006',
    reads: ['GIFT-008 … 6300 credits', 'CLUB-006 … 500 points'],
  },
  {
    wants: 'which code was refused, and why',
    given: ['promo redemptions create PAUSED --amount 4000 --customer source_id=shop-1007 --yes'],
    types: 'promo redemptions list --result FAILURE',
    reads: ['PAUSED … refused: voucher_disabled', ' rf_'],
  },
  {
    wants: 'whether a redemption was taken back, and what became of it',
    given: ['promo redemptions rollback r_19b8d627a800000006 --reason "Parcel lost" --yes'],
    types: 'promo redemptions list --customer shop-1006',
    reads: [
      'GIFT-008 … 6300 credits, rolled back',
      ' r_19b8d627a800000006',
      'GIFT-008 … rolled back: -6300 credits',
      ' rr_',
    ],
  },
  {
    wants: 'all about one redemption: code, customer, order, what was paid with it and what is left on the card',
    types: 'promo redemptions get r_19b8d627a800000006',
    reads: [
      'voucher.code GIFT-008',
      'outcome 6300 credits',
      'order.source_id northlight-2006',
      'customer.name Farid Rahman',
      'voucher.gift.balance 1200',
    ],
  },
  {
    wants: 'one redemption, without the verb',
    types: ['promo redemptions r_19b8d627a800000006', '{try}'],
    reads: ['outcome 6300 credits'],
  },
  {
    wants: 'what was redeemed since yesterday, with the words of another list',
    types: ['promo redemptions list --since yesterday', '{try}'],
    reads: ['no redemptions found'],
  },
  {
    wants: 'the redemptions that took more than one code',
    given: ['promo redemptions create BEANS10 gift:GIFT-007=200 --amount 5000 --customer source_id=shop-1002 --yes'],
    types: 'promo redemptions list --customer shop-1002',
    reads: ['BEANS10 … 500 off', 'GIFT-007 … 200 credits'],
  },
  {
    wants: 'the orders of a caller, by the number that the caller has',
    types: 'promo orders list --customer customer6@example.com',
    reads: ['northlight-2006 … PAID … 10800 … 6300 … 4500', 'northlight-2009'],
  },
  {
    wants: 'an order by its number',
    types: 'promo orders get northlight-2006',
    reads: ['status PAID', 'total_discount_amount 6300', 'total_amount 4500'],
  },
  {
    wants: 'an order by its number, without the verb',
    types: ['promo orders northlight-2006', '{try}'],
    reads: ['total_amount 4500'],
  },

  // 2. Why a code is not on: it, its campaign, or the calendar.
  {
    wants: 'whether a code is on, whose campaign is paused',
    given: ['promo campaigns disable Welcome --yes'],
    types: 'promo vouchers get WELCOME-010',
    reads: ['state campaign paused', 'campaign Welcome'],
  },
  {
    wants: 'the codes of a paused campaign',
    given: ['promo campaigns disable Welcome --yes'],
    types: 'promo vouchers list --campaign Welcome --limit 3',
    reads: ['WELCOME-012 … used up', 'WELCOME-011 … campaign paused'],
  },
  {
    wants: 'which campaigns are paused',
    given: ['promo campaigns disable Welcome --yes'],
    types: 'promo campaigns list',
    reads: ['Welcome … DISCOUNT_COUPONS … paused', 'Bean Club … LOYALTY_PROGRAM … on'],
  },
  {
    wants: 'what a caller holds of a paused campaign',
    given: [
      'promo publications create --voucher WELCOME-002 --customer source_id=shop-1001 --yes',
      'promo campaigns disable Welcome --yes',
    ],
    types: 'promo customers show shop-1001',
    reads: ['WELCOME-002 … campaign paused … Welcome', 'CLUB-001 … on … 82'],
  },
  {
    wants: 'which of the two is off, the code or its campaign',
    given: ['promo campaigns disable Welcome --yes'],
    types: 'promo validate redeemables WELCOME-009 --amount 4000 --explain',
    exits: 12,
    reads: ['WELCOME-009: INAPPLICABLE', 'it is on; its campaign "Welcome" is off'],
  },
  {
    wants: 'from when a code is valid',
    types: 'promo vouchers get OPENING2099',
    reads: ['state not before 1 Jan 2099'],
  },
  {
    wants: 'why last year’s code is refused',
    types: 'promo validate redeemables XMAS2025 --amount 4000 --explain',
    exits: 12,
    reads: ['XMAS2025: INAPPLICABLE', 'it has expired'],
  },
  {
    wants: 'why a code is refused for a small order, in the words of its rule',
    types: 'promo validate redeemables BEANS10 --amount 1500 --explain',
    exits: 12,
    reads: ['the order does not meet its rules: This code is for orders above 20 euros; rule "Orders above 20 euros"'],
  },
  {
    wants: 'whether a code works, with the words that come first',
    types: ['promo validate BEANS10', '{try}'],
    exits: 12,
    reads: ['BEANS10 … INAPPLICABLE'],
  },
  {
    wants: 'why a code does not work, in the first word that comes',
    types: ['promo why XMAS2025', '{try}'],
    exits: 12,
    reads: ['XMAS2025 … INAPPLICABLE', 'it has expired'],
  },
  {
    wants: 'what an order costs with a code and a gift card',
    types: 'promo validate redeemables SORRY5 gift:GIFT-001=1500 --amount 4000 --explain',
    reads: ['500 off the order', 'pays 1500 of gift credit, of a balance of 5000', 'total 2000'],
  },
  {
    wants: 'what a code is worth, and what restricts it',
    types: 'promo vouchers get BEANS10',
    reads: ['discount.percent_off 10', 'state on', 'Printed on every bag; only for orders above 20 euros'],
  },

  // The copy of the ledger: what of an order stands, and what was on a card.
  {
    wants: 'what is to be done about an order that a caller sent back',
    given: ['promo ledger pull'],
    types: 'promo ledger reconcile --order-id northlight-2006 --status refunded',
    exits: 12,
    reads: [
      'the order is refunded, and GIFT-008 stands redeemed: 6300 credits; 80 days left to roll it back',
      'promo redemptions rollback r_19b8d627a800000006',
    ],
  },
  {
    wants: 'whether an order is as it should be',
    given: ['promo ledger pull'],
    types: 'promo ledger reconcile --order-id northlight-2005',
    reads: ['nothing differs: 1 order'],
  },
  {
    wants: 'how many points a caller had in the middle of February',
    given: ['promo ledger pull'],
    types: 'promo ledger balances --as-of 2026-02-15 --campaign "Bean Club"',
    reads: ['CLUB-001', 'CLUB-004 … 94'],
  },

  // 3. What a question says before something is changed: who, what, before and after.
  {
    wants: 'to add points, and to see whose, and how many before and after',
    types: 'promo loyalty points add CLUB-001 --points 60 --reason "Order 2001 was not counted"',
    answers: yes,
    reads: ['add 60 points to loyalty card CLUB-001 of Ada Okafor, 82 → 142', 'balance 142'],
  },
  {
    wants: 'to take points off, and to be told that there are too few',
    types: 'promo loyalty points remove CLUB-001 --points 100',
    exits: 3,
    reads: ['remove 100 points from loyalty card CLUB-001 of Ada Okafor, which has only 82 points'],
  },
  {
    wants: 'to add credit to a gift card, and to see the balance before and after',
    types: 'promo vouchers balance add GIFT-001 --amount 1000',
    answers: yes,
    reads: ['add 1,000 credits to gift card GIFT-001, 5,000 → 6,000', 'balance 6000'],
  },
  {
    wants: 'to take a redemption back, and to see code, customer, order and amount first',
    types: 'promo redemptions rollback r_19b8d627a800000006 --reason "The parcel was lost"',
    answers: yes,
    reads: ['(GIFT-008, Farid Rahman, order northlight-2006, 6,300 of credit)', 'rolled back 1 redemption'],
  },
  {
    wants: 'to take back what was redeemed in an order, from the list',
    types: [
      'promo redemptions list --order-id northlight-2006',
      'promo redemptions rollback {r_} --reason "The parcel was lost"',
    ],
    answers: yes,
    reads: ['GIFT-008 … 6300 credits', 'rolled back 1 redemption'],
  },
  {
    wants: 'to spend points on a reward, and to see its price and who has how many',
    types: 'promo loyalty rewards redeem CLUB-002 --reward "Enamel mug"',
    exits: 3,
    reads: ['Enamel mug for 300 points, CLUB-002 of Bruno Keller, which has only 118 points'],
  },
  {
    wants: 'to move points to another card, and to see both balances',
    types: 'promo loyalty points transfer CLUB-002 --to CLUB-006 --points 18',
    answers: yes,
    reads: ['CLUB-002 of Bruno Keller, 118 → 100', 'CLUB-006 of Farid Rahman, 0 → 18'],
  },
  {
    wants: 'to delete a caller’s record, and to see whose it is',
    types: 'promo customers delete shop-1002',
    answers: no,
    exits: 11,
    reads: ['delete customer "shop-1002" (Bruno Keller, customer2@example.com)', 'cannot be undone'],
  },
  {
    wants: 'to take an order back, by its number, and to be told that this is none',
    types: 'promo redemptions rollback northlight-2006',
    exits: 3,
    reads: ['roll back redemption "northlight-2006", which does not exist; nothing was sent'],
  },
  {
    wants: 'to take back what was redeemed with several codes, from the file of a list',
    types: 'promo redemptions list --customer shop-1006 --csv | promo redemptions rollback --from - --yes',
    reads: ['rolled back'],
  },
  {
    wants: 'to be asked in the money of the project',
    given: ['promo projects update --set currency=EUR --yes'],
    types: 'promo vouchers balance remove GIFT-001 --amount 5001',
    exits: 3,
    reads: ['remove 5,001 credits from gift card GIFT-001, which has only 50.00 EUR'],
  },

  // 4. Who it is, by anything that a caller can say.
  {
    wants: 'who it is, and what they hold and used, by an e-mail address',
    types: 'promo customers show customer6@example.com',
    reads: ['name Farid Rahman', 'CLUB-006 LOYALTY_CARD on', 'GIFT-008 … 6300 credits … 4500 … northlight-2006', ' r_'],
  },
  {
    wants: 'who it is, with a flag for the e-mail address',
    types: ['promo customers show --email customer6@example.com', '{try}'],
    reads: ['name Farid Rahman'],
  },
  {
    wants: 'who it is, by the number of the shop',
    types: 'promo customers show shop-1006',
    reads: ['Farid Rahman', 'spent 10500 in 2 orders'],
  },
  {
    wants: 'who it is, by the code on a card',
    types: 'promo customers show CLUB-001',
    reads: ['Ada Okafor', 'CLUB-001 LOYALTY_CARD on 82 Bean Club'],
  },
  {
    wants: 'who it is, by a code as it is read aloud',
    types: 'promo customers show "club 001"',
    reads: ['Ada Okafor'],
  },
  { wants: 'who it is, by an order number', types: 'promo customers show northlight-2006', reads: ['Farid Rahman'] },
  {
    wants: 'who it is, by the id of a redemption',
    types: 'promo customers show r_19b8d627a800000006',
    reads: ['Farid Rahman'],
  },
  {
    wants: 'who it is, by a phone number without the country',
    given: ['promo customers create p-1 --set name=Ann --set "phone=+49 (30) 123-4567" --yes'],
    types: 'promo customers show "030 1234567"',
    reads: ['name Ann', 'source_id p-1'],
  },
  { wants: 'who it is, by a first name', types: 'promo customers show farid', reads: ['name Farid Rahman'] },
  {
    wants: 'which of several customers it is',
    types: 'promo customers show example.com',
    exits: 3,
    reads: ['8 customers are known by "example.com"', 'Hana Sato … shop-1008', 'customers show ID'],
  },
  {
    wants: 'what to do about a gift card that nobody holds',
    types: ['promo customers show GIFT-008', '{try}'],
    reads: ['the code "GIFT-008" exists, and nobody holds it', 'gift.balance 1200'],
  },
  {
    wants: 'what to do about somebody who is not known',
    types: ['promo customers show nobody@example.com', '{try}'],
    reads: ['no customer is known by "nobody@example.com"', 'shop-1008'],
  },
  {
    wants: 'to be asked who it is',
    types: 'promo customers show',
    answers: [[/redemption:/, 'shop-1006\r']],
    reads: ['a customer', 'name Farid Rahman'],
  },
  {
    wants: 'a short list of everybody with a name',
    types: 'promo customers find rahman',
    reads: ['shop-1006 … Farid Rahman … customer6@example.com … 10500'],
  },
  { wants: 'to find somebody, verb first', types: ['promo find Farid', '{try}'], reads: ['shop-1006 … Farid Rahman'] },
  {
    wants: 'to find somebody, in the words of other programs',
    types: ['promo customers search Farid', '{try}'],
    reads: ['Farid Rahman … customer6@example.com'],
  },
  {
    wants: 'who it is, without a verb',
    types: ['promo customers customer6@example.com', '{try}'],
    reads: ['name Farid Rahman'],
  },

  // 5. Cards: what happened on them, whose friends they are, and a lost one.
  {
    wants: 'what happened on a gift card',
    types: 'promo vouchers transactions list GIFT-004',
    reads: ['2026-03-20 12:00:00 … -3800 … 1200 … CREDITS_REDEMPTION … northlight-2005'],
  },
  {
    wants: 'the history of a gift card, with the command of loyalty cards',
    types: ['promo loyalty transactions list --card GIFT-004', '{try}'],
    reads: ['it is a gift card', '-3800 … 1200'],
  },
  {
    wants: 'the history of a loyalty card, with the command of gift cards',
    types: 'promo vouchers transactions list CLUB-001',
    reads: ['it is a loyalty card', '-60 … 82', '100 … 100 … POINTS_ADDITION'],
  },
  {
    wants: 'what happened on a loyalty card, and why',
    types: 'promo loyalty transactions list --card CLUB-001',
    reads: ['2026-01-29 12:00:00 … -60 … 82 … POINTS_REDEMPTION … Paid with points', '+100 … Welcome to the club'],
  },
  {
    wants: 'how a balance came about, as a picture',
    types: 'promo loyalty transactions list --card CLUB-001 --chart',
    reads: ['balance 100', '82'],
  },
  {
    wants: 'a file of what happened on a card, for the caller',
    types: 'promo loyalty transactions export CLUB-001 --wait --out club.csv',
    files: { 'club.csv': '' },
    reads: ['club.csv'],
  },
  {
    wants: 'how many points there are on a card, and whose it is',
    types: 'promo loyalty cards get CLUB-001',
    reads: ['holder.name Ada Okafor', 'loyalty_card.balance 82', 'tier.name Taster'],
  },
  {
    wants: 'how many points there are, without the rest of the words',
    types: ['promo loyalty CLUB-001', '{try}'],
    reads: ['loyalty_card.balance 82'],
  },
  {
    wants: 'how many points there are, in the first words that come',
    types: ['promo points CLUB-001', '{try}'],
    reads: ['loyalty_card.balance 82'],
  },
  {
    wants: 'what is left on a gift card, in the first words that come',
    types: ['promo balance GIFT-001', '{try}'],
    reads: ['gift.balance 5000', 'state on'],
  },
  {
    wants: 'the tier of a caller, and since when',
    types: 'promo loyalty cards tiers CLUB-001',
    reads: ['Taster … 0 … 99 … 2026-01-29'],
  },
  {
    wants: 'points that are not active yet',
    types: 'promo loyalty pending list --card CLUB-001',
    reads: ['no pending points found'],
  },
  {
    wants: 'when points of a card expire',
    types: 'promo loyalty points expiring CLUB-005',
    reads: ['40'],
  },
  {
    wants: 'which cards a program has, and with how many points',
    types: ['promo loyalty cards list --campaign "Bean Club"', '{try}'],
    reads: ['CLUB-005 … 100', 'CLUB-001 … 82'],
  },
  {
    wants: 'what points can buy, and for how many',
    types: 'promo loyalty rewards list "Bean Club"',
    reads: ['Enamel mug … MATERIAL … 300'],
  },
  {
    wants: 'whom a caller brought',
    given: ['promo referrals holders add FRIEND-001 --holder source_id=shop-1008 --yes'],
    types: 'promo referrals tree customer1@example.com',
    reads: ['Ada Okafor … customer1@example.com … FRIEND-001', 'Hana Sato … customer8@example.com'],
  },
  {
    wants: 'whose a code for friends is, and who came by it',
    types: ['promo referrals FRIEND-001', '{try}'],
    reads: ['Ada Okafor … FRIEND-001'],
  },
  {
    wants: 'whom a caller brought, by the number in capitals',
    types: 'promo referrals tree SHOP-1001',
    reads: ['Ada Okafor … FRIEND-001'],
  },
  {
    wants: 'to replace a lost card',
    given: ['promo campaigns vouchers add "Bean Club" CLUB-101 --yes'],
    types: 'promo loyalty cards replace CLUB-004 --reason "lost on a train"',
    answers: yes,
    reads: [
      'give the holder of CLUB-004 a new loyalty card of Bean Club, move 94 points from CLUB-004 to it and switch CLUB-004 off',
      'Dmitri Volkov',
      '1 … give … CLUB-101 … done',
      '3 … switch off … CLUB-004 … done',
    ],
  },
  {
    wants: 'to replace a lost card where the program has no free one',
    types: ['promo loyalty cards replace CLUB-004', '{try}', 'promo loyalty cards replace CLUB-004 --yes'],
    answers: yes,
    reads: ['the program Bean Club has no free card', 'switch off … CLUB-004 … done'],
  },

  // 6. Who did what, and a desk that may only read.
  {
    wants: 'what this computer changed, with the values before and after',
    given: ['promo loyalty points add CLUB-001 --points 60 --reason "Not counted" --yes'],
    types: 'promo history --since yesterday',
    reads: ['loyalty points add … CLUB-001 … 82 → 142 … applied'],
  },
  {
    wants: 'who changed it, and why',
    given: ['promo loyalty points add CLUB-001 --points 60 --reason "Not counted" --yes'],
    types: 'promo history --columns by,command,subject,reason',
    reads: ['lena … loyalty points add … CLUB-001 … Not counted'],
  },
  {
    wants: 'what was done about the card of a caller',
    given: [
      'promo loyalty points add CLUB-001 --points 60 --reason "Not counted" --yes',
      'promo loyalty points add CLUB-002 --points 5 --yes',
    ],
    types: ['promo history CLUB-001', '{try}'],
    reads: ['loyalty points add … 82 → 142 … Not counted'],
    never: ['CLUB-002'],
  },
  {
    wants: 'to look around without changing anything by mistake',
    types: 'PROMO_READ_ONLY=1 promo vouchers disable MORNING',
    exits: 4,
    reads: ['PROMO_READ_ONLY allows only calls that read; nothing was sent'],
  },
  {
    wants: 'to see that a desk may only read',
    types: 'PROMO_READ_ONLY=1 promo whoami',
    reads: ['read_only … true … PROMO_READ_ONLY'],
  },
  {
    wants: 'which changes of today can be undone',
    given: [
      'promo loyalty points add CLUB-001 --points 60 --yes',
      'promo categories create --name Autumn --hierarchy 1 --yes',
    ],
    types: 'promo history undo',
    answers: [[/which change\?/, '\r'], ...yes],
    reads: ['categories create', 'delete category'],
    never: ['loyalty points add'],
  },
  {
    wants: 'to reverse the last change',
    given: ['promo loyalty points add CLUB-001 --points 60 --yes'],
    types: ['promo history undo latest', '{try}'],
    answers: yes,
    reads: ['remove 60 points from loyalty card CLUB-001 of Ada Okafor, 142 → 82'],
  },
  {
    wants: 'as whom and where a command works',
    types: 'promo whoami',
    reads: ['profile … sandbox', 'protected … false'],
  },

  // 7. Next steps that lead somewhere.
  {
    wants: 'a list by a filter whose name is not known',
    types: 'promo redemptions list --filter order_id=northlight-2006',
    exits: 3,
    reads: ['order_id is not a field that redemptions can be filtered by', 'order.id'],
  },
  { wants: 'a topic, half typed', types: ['promo vouch', '{try}'], reads: ['vouchers get'] },
  {
    wants: 'a code, misread from a card',
    types: ['promo vouchers get CLUB-OO3', '{try}'],
    reads: ['CLUB-003', 'LOYALTY_CARD'],
  },
  {
    wants: 'to switch a leaked code off',
    types: 'promo vouchers disable MORNING',
    reads: ['disabled 1 voucher'],
  },
  {
    wants: 'to see what a switch would do first',
    types: 'promo vouchers disable MORNING WEEKEND --dry-run',
    reads: ['POST … /v1/vouchers/MORNING/disable'],
  },
  {
    wants: 'to give a caller a code, and to see which',
    types: 'promo publications create --campaign Welcome --customer source_id=shop-1007',
    reads: ['shop-1007 … WELCOME-001 … SUCCESS'],
  },
  {
    wants: 'which codes a caller was given',
    types: 'promo publications list --customer shop-1006',
    reads: ['CLUB-006 … Bean Club'],
  },
  {
    wants: 'to redeem a code for a caller, and to know how to take it back',
    types: 'promo redemptions create WELCOME-005 --amount 4000 --customer source_id=shop-1007',
    reads: ['WELCOME-005 … 500 off', '3,500 left to pay', 'to take it back: promo redemptions rollback r_'],
  },
  {
    wants: 'who used up the code of a caller',
    types: ['promo redemptions create WELCOME-003 --amount 4000 --yes', '{try}', 'promo customers show {r_}'],
    reads: ['as often as allowed', '2026-03-16 … WELCOME-003 … 500 off', 'name Ada Okafor'],
  },
  {
    wants: 'to redeem more credit than there is',
    types: ['promo redemptions create gift:GIFT-001=9999 --amount 20000 --yes', '{try}'],
    reads: ['more credit was asked for than the card holds', 'gift.balance 5000'],
  },
  {
    wants: 'to redeem a code for too small an order',
    types: ['promo redemptions create BEANS10 --amount 400 --yes', '{try}'],
    reads: ['This code is for orders above 20 euros', 'Orders above 20 euros'],
  },
  {
    wants: 'to give a code more time',
    types: 'promo vouchers update XMAS2025 --expires 2026-12-31',
    reads: ['updated 1 voucher', '2026-12-31'],
  },
  {
    wants: 'to correct an e-mail address',
    types: ['promo customers update shop-1006 --set email=farid@example.com', 'promo customers show farid@example.com'],
    reads: ['updated 1 customer', 'email farid@example.com', 'Farid Rahman'],
  },
  {
    wants: 'to count an event that the till did not',
    types: 'promo events send cupping_attended --customer source_id=shop-1002 --metadata cups=3',
    reads: ['type cupping_attended', 'customer.name Bruno Keller'],
  },

  // 8. Why: the reasons that the service keeps.
  {
    wants: 'by whom a code was used up, and when',
    types: 'promo vouchers get WELCOME-003 --explain',
    reads: [
      'WELCOME-003: used up',
      'used 1 time of 1',
      '2026-03-16 12:00:00 UTC: 500 off, Ada Okafor (shop-1001), order northlight-2001, r_',
    ],
  },
  {
    wants: 'whether some codes can be used, and why not',
    given: ['promo campaigns disable Welcome --yes'],
    types: 'promo vouchers get WELCOME-009 PAUSED NOPE-1 --explain',
    exits: 3,
    reads: [
      'WELCOME-009: used up',
      'it is on; its campaign "Welcome" is off',
      'PAUSED: off',
      'used 0 times',
      'NOPE-1: not found',
    ],
  },
  {
    wants: 'why a redemption was refused, and what the code is now',
    given: ['promo redemptions create BEANS10 --amount 400 --customer shop-1007 --yes'],
    types: ['promo redemptions list --result FAILURE', 'promo redemptions get {rf_} --explain'],
    reads: [
      'refused: order_rules_violated',
      'the order does not meet its rules',
      'rule "Orders above 20 euros" (val_19b8d627a800000001): This code is for orders above 20 euros',
      'now BEANS10: on',
    ],
  },
  {
    wants: 'where the points and rewards of a redemption are explained',
    given: ['promo redemptions create FRIEND-001 --amount 4000 --customer shop-1007 --yes'],
    types: ['promo redemptions list --limit 1', 'promo redemptions get {r_} --explain'],
    reads: [
      '600 off',
      'points: promo orders get ord_',
      'rewards: promo referrals holders list FRIEND-001 --customer cust_',
    ],
  },
  {
    wants: 'which points an order earned, and by which rule',
    given: ['promo redemptions create BEANS10 --amount 5000 --customer shop-1002 --yes'],
    types: ['promo orders list --customer shop-1002 --limit 1', 'promo orders get {ord_} --explain'],
    reads: [
      ': earned 45 points',
      '45 points on CLUB-002 by "A point for every euro" (ern_19b8d627a800000001), 2026-04-02',
    ],
  },
  {
    wants: 'why an order earned nothing',
    given: ['promo redemptions create MORNING --amount 90 --customer shop-1002 --yes'],
    types: ['promo orders list --customer shop-1002 --limit 1', 'promo orders get {ord_} --explain'],
    reads: [': earned no points', 'no points on CLUB-002 by "A point for every euro"', 'is less than 100'],
  },
  {
    wants: 'why an order of somebody without a card earned nothing',
    given: ['promo redemptions create BEANS10 --amount 5000 --customer shop-1008 --yes'],
    types: ['promo orders list --customer shop-1008 --limit 1', 'promo orders get {ord_} --explain'],
    reads: [': earned no points', 'the customer holds no loyalty card, and was given none'],
  },
  {
    wants: 'what an old order earned, where nothing says it',
    types: 'promo orders get northlight-2006 --explain',
    reads: ['northlight-2006: earned no points', 'unknown, as the service does not say'],
  },
  {
    wants: 'why a referral was not rewarded: the friend has not come yet',
    given: ['promo referrals holders add FRIEND-001 --holder source_id=shop-1008 --yes'],
    types: 'promo referrals holders list FRIEND-001 --explain',
    reads: [
      'Hana Sato: not rewarded',
      'it counts when a friend redeems FRIEND-001, and Hana Sato has not',
      'Ada Okafor: owns the code',
    ],
  },
  {
    wants: 'why a referral was not rewarded: there was no card for it',
    given: ['promo redemptions create FRIEND-001 --amount 4000 --customer shop-1008 --yes'],
    types: 'promo referrals holders list FRIEND-001 --customer shop-1008 --explain',
    reads: [
      'Hana Sato: not rewarded',
      '2026-04-02 … 600 off',
      'no 100 points for Hana Sato: Hana Sato has no card of "Bean Club", and got none',
      'no reward for Ada Okafor: the program has none for the owner',
    ],
    never: ['owns the code'],
  },
  {
    wants: 'whether a referral was rewarded, and when',
    given: [
      'promo campaigns vouchers add "Bean Club" CLUB-101 --yes',
      'promo redemptions create FRIEND-001 --amount 4000 --customer shop-1008 --yes',
    ],
    types: 'promo referrals holders list FRIEND-001 --explain',
    reads: ['Hana Sato: rewarded', '100 points for Hana Sato onto CLUB-101, 2026-04-02'],
  },
  {
    wants: 'what happened to a caller',
    given: ['promo redemptions create BEANS10 --amount 5000 --customer shop-1002 --yes'],
    types: 'promo customers activity shop-1002',
    reads: ['customer.rewarded.loyalty_points … CLUB-002', 'redemption.succeeded … BEANS10', 'order.paid'],
  },
  {
    wants: 'a caller to be forgotten, and to see what is left of them',
    types: 'promo customers forget shop-1003',
    answers: yes,
    reads: [
      'forget customer shop-1003 (Chloé Martin, 1 order, 2 vouchers, 1 redemption',
      'customers … 1 … 0',
      'orders … 1 … 0',
      'what this computer recorded: promo history --subject cust_',
    ],
  },
])
