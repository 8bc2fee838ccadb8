// What operators, campaign planners and those who integrate a shop do. The points are those of the issue about what people read.
import { everyTaskWorks } from './tasks.ts'

const yes = [[/\(y\/N\)/, 'y\r']] as const

everyTaskWorks([
  // Columns of other people's files.
  {
    wants: "to create the codes of a printer's list, whose columns are its own",
    files: { 'printer.csv': 'Code;Serial number\nBERLIN-1;0001\nBERLIN-2;0002\n' },
    types: [
      'promo vouchers create --from printer.csv --percent-off 10 --map "Serial number=metadata.serial" --yes',
      'promo vouchers get BERLIN-2',
    ],
    reads: [
      'the column "Code" is taken for "code"',
      'created 2 vouchers',
      'discount.percent_off 10',
      'metadata.serial 0002',
    ],
  },
  {
    wants: 'to be told which column of a list is unknown, and how it is left out',
    files: { 'printer.csv': 'Code;Serial number\nBERLIN-1;0001\n' },
    types: 'promo vouchers create --from printer.csv --percent-off 10 --yes',
    exits: 2,
    reads: ['nothing was sent', 'line 2', 'has no field "Serial number"', "--ignore-columns 'Serial number'"],
  },
  {
    wants: 'to add points to cards of a list, under the title that the list has for them',
    files: { 'cards.csv': 'Card number,points,note\nCLUB-001,10,a\nCLUB-002,20,b\n' },
    types: [
      'promo loyalty points add --from cards.csv --map "Card number=code" --ignore-columns others --yes',
      'promo loyalty cards get CLUB-002',
    ],
    reads: ['added points to 2 loyalty cards', 'loyalty_card.balance 138'],
  },
  {
    wants: 'to take back what a list of promo says',
    given: [
      'promo redemptions create BEANS10 --amount 10000 --customer shop-1001',
      'promo redemptions create BEANS10 --amount 5000 --customer shop-1002',
    ],
    types: [
      'promo redemptions list --limit 2 --csv | promo redemptions rollback --from - --reason "The shop was closed" --yes',
      'promo redemptions list --limit 2',
    ],
    reads: ['rolled back 2 redemptions', 'BEANS10 … rolled back'],
  },
  {
    wants: 'to switch off the codes of a campaign that another command lists',
    types: [
      'promo vouchers list --campaign Welcome --csv | promo vouchers disable --from - --yes',
      'promo vouchers list --campaign Welcome --limit 2',
    ],
    reads: ['disabled 12 vouchers', 'WELCOME-012 … off'],
  },
  {
    wants: 'to switch off the unused codes of a campaign from before a date, except some',
    files: { 'keep.csv': 'code\nWELCOME-001\nWELCOME-003\n' },
    types: [
      'promo vouchers disable --campaign Welcome --unused --created-before 2026-01-20 --except keep.csv',
      'promo jobs list',
      'promo vouchers list --campaign Welcome --no-active',
    ],
    answers: yes,
    reads: [
      '--created-before 2026-01-20 chooses 2 vouchers, without 1 of the 2 in',
      'WELCOME-004, WELCOME-002',
      'disabled 2 vouchers',
      'vouchers disable',
    ],
    never: ['WELCOME-007', 'WELCOME-001'],
  },
  {
    wants: 'to switch off all codes except some, and forgets to say which',
    files: { 'keep.csv': 'code\nWELCOME-001\n' },
    types: 'promo vouchers disable --except keep.csv --yes --no-input',
    exits: 2,
    reads: ['missing argument CODE, --from or a filter like --campaign'],
  },
  {
    wants: 'to know which codes of a list were used',
    files: { 'codes.csv': 'code\nWELCOME-001\nWELCOME-003\nNOPE-1\n' },
    types: 'promo vouchers get --from codes.csv',
    exits: 3,
    reads: ['WELCOME-001 … found … 0', 'WELCOME-003 … found … 1', 'NOPE-1 … not found', '1 of 3 not found'],
  },
  {
    wants: 'to switch off codes that a script wrote as a JSON array',
    files: { 'codes.json': '["MORNING","WEEKEND"]\n' },
    types: 'promo vouchers disable --from codes.json --yes',
    reads: ['disabled 2 vouchers'],
  },
  {
    wants: 'to read a table with a lone quote in a cell',
    files: { 'codes.tsv': 'code\tnote\nMORNING\t5" mug\nWEEKEND\tnone\n' },
    types: 'promo vouchers disable --from codes.tsv --no-quotes --yes',
    reads: ['disabled 2 vouchers'],
  },
  {
    wants: 'to know what to do about a lone quote',
    files: { 'codes.tsv': 'code\tnote\nMORNING\t5" mug\n' },
    types: 'promo vouchers disable --from codes.tsv --yes',
    exits: 2,
    reads: ['line 2, column 2', 'nothing was sent', '--no-quotes'],
  },
  {
    wants: 'to switch off a list, and sees that a code of it does not exist',
    files: { 'codes.csv': 'code\nMORNING\nNOPE-1\n' },
    types: 'promo vouchers disable --from codes.csv --yes',
    exits: 3,
    reads: ['NOPE-1 … failed … not_found', 'disabled 1 voucher, 1 refused', 'promo jobs report'],
  },
  {
    wants: 'to switch off a list, and types its name like a code',
    files: { 'codes.csv': 'code\nMORNING\n' },
    types: 'promo vouchers disable codes.csv',
    exits: 2,
    reads: ['is a file here, and no item', '--from'],
  },
  {
    wants: 'to import a list of codes in one request, and is told which header is missing before anything is asked',
    files: { 'codes.csv': 'Number\nA-1\n' },
    types: 'promo vouchers import codes.csv',
    exits: 2,
    reads: ['Code', 'Number'],
  },
  {
    wants: 'to import codes into a campaign',
    files: { 'codes.csv': 'Code\nWELCOME-MILAN\nWELCOME-ROME\n' },
    types: ['promo campaigns vouchers import Welcome codes.csv --wait --yes', 'promo vouchers get WELCOME-MILAN'],
    reads: ['campaign Welcome', 'discount.amount_off 500'],
  },
  {
    wants: 'to import customers by their e-mail address',
    files: { 'people.csv': 'email,name,city\nann@shop.example,Ann Lee,Berlin\n' },
    types: [
      'promo customers create --from people.csv --map "city=address.city" --yes',
      'promo customers get ann@shop.example --columns name,email',
    ],
    reads: ['created or updated 1 customer', 'name Ann Lee', 'email ann@shop.example'],
  },

  // Values.
  {
    wants: 'a version in metadata to stay what it is',
    files: { 'zip.csv': 'code,metadata.version,metadata.zip\nMORNING,1.10,007\n' },
    types: ['promo vouchers update --from zip.csv --yes', 'promo vouchers get MORNING'],
    reads: ['updated 1 voucher', 'metadata.version 1.10', 'metadata.zip 007'],
  },
  {
    wants: 'to say that a number is a text',
    types: [
      'promo vouchers update MORNING --metadata zip=12345 --type-of metadata.zip=string --yes',
      'promo vouchers get MORNING --json --query metadata',
    ],
    reads: ['"zip": "12345"'],
  },

  // Dates.
  {
    wants: 'a code to hold to the end of the year, and sees which instant that is',
    types: ['promo vouchers update MORNING --expires 2026-12-31', 'promo vouchers get MORNING'],
    reads: [
      'a day is sent as its end in UTC, 2026-12-31 as 2026-12-31T23:59:59.999Z',
      'expiration_date 2026-12-31 23:59:59 UTC',
    ],
  },
  {
    wants: 'a day to be one of the project, where that is elsewhere',
    types: [
      'PROMO_TIMEZONE=Europe/Warsaw promo vouchers update MORNING --starts 2026-12-01',
      'PROMO_TIMEZONE=Europe/Warsaw promo vouchers update MORNING --expires 2027-07-31',
      'promo vouchers get MORNING --tz Europe/Warsaw',
    ],
    reads: [
      'start_date: a day is sent as its start in Europe/Warsaw, 2026-12-01 as 2026-11-30T23:00:00.000Z',
      'expiration_date: a day is sent as its end in Europe/Warsaw, 2027-07-31 as 2027-07-31T21:59:59.999Z',
      'start_date … 2026-12-01 00:00:00 Europe/Warsaw',
      'expiration_date … 2027-07-31 23:59:59 Europe/Warsaw',
    ],
  },
  {
    wants: 'an instant to be sent as it is',
    types: 'promo vouchers update MORNING --expires 2026-12-31T12:00:00+01:00 --dry-run',
    reads: ['"expiration_date":"2026-12-31T12:00:00+01:00"'],
    never: ['a day is sent'],
  },
  {
    wants: 'a column of days to mean the end of each, in a list',
    files: { 'ends.csv': 'code,expiration_date\nMORNING,2026-06-30\nWEEKEND,2026-07-31\n' },
    types: ['promo vouchers update --from ends.csv --yes', 'promo vouchers get WEEKEND'],
    reads: ['updated 2 vouchers', 'expiration_date 2026-07-31 23:59:59 UTC'],
  },
  {
    wants: 'to know that a code is not valid yet',
    types: ['promo vouchers update MORNING --starts 2026-12-01 --yes', 'promo vouchers list --code MORNING'],
    reads: ['MORNING … not before 1 Dec'],
  },

  // Flags for what people type.
  {
    wants: 'a code with a limit, a period, a note and a category',
    types: [
      'promo vouchers create SUMMER10 --percent-off 10 --max-amount-off 500 --uses 100 --starts 2026-06-01 --expires 2026-08-31 --metadata channel=radio --category Seasonal',
      'promo vouchers get SUMMER10',
    ],
    reads: [
      'created 1 voucher',
      'discount.percent_off 10',
      'state not before 1 Jun',
      'redemption.quantity 100',
      'category Seasonal',
      'discount.amount_limit 500',
      'metadata.channel radio',
    ],
  },
  {
    wants: 'to limit the uses of a code, and calls that a limit',
    types: ['promo vouchers create SUMMER10 --percent-off 10 --limit 100', '{try}'],
    reads: [
      'did you mean --uses?',
      'try: promo vouchers create SUMMER10 --percent-off 10 --uses 100',
      'created 1 voucher',
    ],
  },
  {
    wants: 'one use for each customer, and types it as a flag of the campaign',
    types: 'promo campaigns create --name Summer --percent-off 10 --per-customer 1',
    exits: 2,
    reads: ['"promo rules create" has it', 'try: promo rules create --help'],
  },
  {
    wants: 'a code that each customer uses once, and to see that the second use is refused',
    types: [
      'promo rules create --name Once --per-customer 1',
      'promo rules assign Once --voucher BEANS10 --yes',
      'promo redemptions create BEANS10 --customer shop-1001 --amount 5000 --yes',
      'promo validate redeemables BEANS10 --customer shop-1001 --amount 5000 --explain',
    ],
    exits: 12,
    reads: ['BEANS10 … shop-1001 … 500 off', 'rule "Once"'],
  },
  {
    wants: 'a gift card for an amount',
    types: ['promo vouchers create GIFT-NEW --gift-amount 2500', 'promo vouchers list --code GIFT-NEW'],
    reads: ['created 1 voucher', 'GIFT-NEW  GIFT_VOUCHER … 2500 … on'],
  },
  {
    wants: 'a code that gives a product away',
    types: ['promo vouchers create MUG-1 --unit-off 1 --unit-type house-blend', 'promo vouchers get MUG-1'],
    reads: ['created 1 voucher', 'discount.unit_off 1'],
  },
  {
    wants: 'a price with a decimal point to be understood',
    types: 'promo vouchers create FIVE --amount-off 5.00',
    exits: 2,
    reads: ['smallest unit of the currency: 500', 'try: --amount-off 500'],
  },
  {
    wants: 'a campaign with generated codes',
    types: [
      'promo campaigns create --name "Autumn mailing" --percent-off 15 --count 20 --prefix AUTUMN- --length 6 --charset ABCDEFGH --expires 2026-12-31',
      'promo vouchers list --campaign "Autumn mailing" --limit 3',
    ],
    reads: ['vouchers_count 20', 'voucher.code_config.pattern AUTUMN-######', /AUTUMN-\w{6} +DISCOUNT_VOUCHER +15/],
  },
  {
    wants: 'a campaign, and types its name behind the command',
    types: 'promo campaigns create "Autumn mailing" --percent-off 15 --charset ABCDEFGH',
    reads: ['name Autumn mailing', 'voucher.discount.percent_off 15'],
  },
  {
    wants: 'a campaign to go on for a month',
    types: ['promo campaigns update "Spring mailing" --expires 2026-06-30', 'promo campaigns list'],
    reads: ['expiration_date 2026-06-30 23:59:59 UTC', 'Spring mailing  DISCOUNT_COUPONS  on'],
  },
  {
    wants: 'more codes in a campaign',
    types: ['promo campaigns vouchers add Welcome --count 3 --yes', 'promo campaigns get Welcome'],
    reads: ['vouchers_count 15'],
  },
  {
    wants: 'to try a cart with metadata of the order',
    types: 'promo validate redeemables BEANS10 --amount 10000 --order-metadata channel=app --explain',
    reads: ['valid', '10% off the order, at most 1500', 'total … 9000'],
  },

  // Pictures.
  {
    wants: 'to see in which week gift cards were used',
    types: 'promo campaigns summary "Gift cards" --by week --chart',
    reads: [
      'from until redemptions failed rollbacks discounted ordered',
      '2026-03-16  2026-03-22 … 2 … 10100 … 18600',
      /2026-03-16 +█+ 2/,
    ],
  },
  {
    wants: 'to see how a campaign went by month',
    types: 'promo campaigns summary "Gift cards" --by month',
    reads: ['2026-03-01  2026-03-31 … 2 … 10100 … 18600'],
  },
  {
    wants: 'to see how a campaign went by day',
    types: 'promo campaigns summary Welcome --by day',
    reads: ['2026-03-19  2026-03-19 … 1 … 500 … 4000'],
  },
  {
    wants: 'to compare two campaigns',
    types: 'promo campaigns summary Welcome "Spring mailing"',
    reads: ['Welcome … 4 … 2000 … 13000', 'Spring mailing … 0'],
  },
  {
    wants: 'to see the balance of a card as a line',
    types: 'promo loyalty transactions list --card CLUB-001 --chart',
    reads: ['points  balance', '-60 … 82', /balance 100 \S+ 82/],
  },

  // What is left of the list: spreadsheets, narrow tables, shards, words that say what happened.
  {
    wants: 'vouchers that a spreadsheet opens',
    types: 'promo vouchers list --campaign Welcome --excel --columns code,campaign',
    reads: ['code,campaign', 'WELCOME-001,Welcome'],
  },
  {
    wants: 'an export that a spreadsheet opens, from the service',
    types: ['promo exports create vouchers --wait --excel --out ~/vouchers.csv', 'promo exports list'],
    reads: [/wrote [\d,]+ bytes to vouchers\.csv/, 'DONE'],
  },
  {
    wants: 'to see what a code is, without scrolling',
    types: 'promo vouchers get GIFT-001',
    reads: ['code GIFT-001', 'gift.balance 5000', 'state on', 'campaign Gift cards'],
  },
  {
    wants: 'to see what kind each campaign is, and whether it is on',
    types: 'promo campaigns list',
    reads: ['name … kind … state', 'Bean Club  LOYALTY_PROGRAM  on', 'Welcome  DISCOUNT_COUPONS  on … 500'],
  },
  {
    wants: 'to find customers by the ids of the shop in a list',
    types: 'promo customers list --limit 2',
    reads: ['source_id  name', 'shop-1008  Hana Sato'],
  },
  {
    wants: 'to find orders by the number of the shop in a list',
    types: 'promo orders list --limit 3',
    reads: ['source_id … amount  discounted  to_pay', 'northlight-2006 … 10800 … 6300 … 4500'],
  },
  {
    wants: 'to pass a parameter, and types -q',
    types: 'promo api GET /v1/vouchers -q limit=1',
    exits: 2,
    reads: ['unexpected argument'],
  },
  {
    wants: 'a call that has no command',
    types: 'promo api GET /v1/vouchers --param limit=1 --query "vouchers[0].code"',
    reads: ['SPRING-2KPXJDM3'],
  },
  {
    wants: 'to send the events of a file, whose rows say which',
    files: {
      'events.csv': 'event,customer,metadata.cups\ncupping_attended,shop-1001,3\ncupping_attended,shop-1002,2\n',
    },
    types: 'promo events send --from events.csv --yes',
    reads: ['sent 2 events'],
  },
  {
    wants: 'to send one event for all customers of a file',
    files: { 'guests.csv': 'customer\nshop-1001\nshop-1002\n' },
    types: 'promo events send cupping_attended --from guests.csv --yes',
    reads: ['sent 2 events'],
  },
  {
    wants: 'to divide a list between two computers',
    files: { 'codes.csv': 'code\nMORNING\nWEEKEND\nSORRY5\nBEANS10\n' },
    types: [
      'promo vouchers disable --from codes.csv --shard 0/2 --journal ~/shards --yes',
      'promo vouchers disable --from codes.csv --shard 1/2 --journal ~/shards --yes',
      'promo jobs show ~/shards',
    ],
    reads: ['0/2', '1/2'],
  },
  {
    wants: 'to know that codes were there already',
    given: ['promo vouchers create TEN-1 TEN-2 --percent-off 10 --yes'],
    types: 'promo vouchers create TEN-1 TEN-2 --percent-off 10 --if-exists reuse --yes',
    reads: ['2', 'already'],
    never: ['created 2 vouchers'],
  },
  {
    wants: 'to see that points were added',
    types: [
      'promo loyalty points add CLUB-001 CLUB-002 --points 10 --yes',
      'promo jobs show latest --columns state,changed',
    ],
    reads: ['added points to 2 loyalty cards', 'changed … 2'],
  },
  {
    wants: 'a row that changes nothing not to be sent as a change',
    files: { 'rows.csv': 'code,metadata.zip\nMORNING,\n' },
    types: 'promo vouchers update --from rows.csv --yes',
    exits: 2,
    reads: ['the only row of rows.csv is bad; nothing was sent', 'line 2: has nothing to change'],
  },

  // Campaign planning beyond the points.
  {
    wants: 'to give readers a code each, and to see who got which',
    files: { 'readers.csv': 'customer,channel\nshop-1001,mail\nshop-1002,mail\n' },
    types: [
      'promo publications create --campaign "Gift cards" --from readers.csv --yes',
      'promo publications list --campaign "Gift cards"',
    ],
    reads: [
      'gave a code to 2 customers',
      'shop-1002  customer2@example.com',
      /shop-1001 +customer1@example\.com +GIFT-\d+/,
    ],
  },
  {
    wants: 'to give a list of customers codes, and forgets from which campaign',
    files: { 'readers.csv': 'customer\nshop-1001\nshop-1002\n' },
    types: 'promo publications create --from readers.csv --yes',
    exits: 2,
    reads: ['--campaign', 'nothing was sent'],
  },
  {
    wants: 'a rule that only orders above an amount meet, for a campaign',
    types: [
      'promo rules create --name "From 50 euros" --min-amount 5000',
      'promo rules assign "From 50 euros" --campaign Welcome',
      'promo rules assignments list',
    ],
    reads: ['From 50 euros … campaign "Welcome"', 'Orders above 20 euros … voucher BEANS10'],
  },
  {
    wants: 'to read what each rule demands',
    types: 'promo rules list',
    reads: ['Orders of 40 euros and more … order.amount >= 4000 … From 40 euros'],
  },
  {
    wants: 'to know why a code is refused for a small order',
    types: 'promo validate redeemables BEANS10 --amount 1500 --explain',
    exits: 12,
    reads: ['not valid', 'the order does not meet its rules', 'This code is for orders above 20 euros'],
  },
  {
    wants: 'to know which promotions a customer gets without a code',
    types: 'promo validate promotions --amount 5000 --customer shop-1001',
    reads: ['Ten percent from 40 euros … 500 … 4500', 'Three euros for readers … 300 … 4700'],
  },
  {
    wants: 'to pause a promotion',
    types: ['promo promotions disable "Ten percent from 40 euros"', 'promo promotions list'],
    reads: ['Ten percent from 40 euros … 10 … false'],
  },
  {
    wants: 'a promotion to be applied before the others',
    types: ['promo promotions tiers move "Three euros for readers" --first --yes', 'promo promotions list'],
    reads: ['Three euros for readers … 1'],
  },
  {
    wants: 'a promotion, and types its campaign as a flag',
    types: ['promo promotions tiers create --campaign "Terrace season" --name "Five off" --amount-off 500', '{try}'],
    reads: ["try: promo promotions tiers create 'Terrace season' --name 'Five off' --amount-off 500", 'name Five off'],
  },
  {
    wants: 'to see which promotions apply together',
    types: 'promo promotions stacks',
    reads: ['Terrace and newsletter', 'promo_19b8d627a800000001,', 'promo_19b8d627a800000002'],
  },
  {
    wants: 'to rename a category',
    types: ['promo categories update Seasonal --name Winter --hierarchy 1', 'promo categories list'],
    reads: ['Winter … 1'],
  },
  {
    wants: 'another price of a reward',
    types: [
      'promo loyalty rewards reprice "Bean Club" "Enamel mug" --points 250',
      'promo loyalty rewards list "Bean Club"',
    ],
    reads: ['Enamel mug … MATERIAL … 250'],
  },
  {
    wants: 'a new price of a product',
    types: ['promo products update house-blend --price 950', 'promo products list'],
    reads: ['house-blend … House Blend … 950'],
  },
  {
    wants: 'a product by its name',
    types: ['promo products get "House Blend"', 'promo skus list house-blend --limit 2'],
    reads: ['source_id house-blend', 'house-blend-250-whole … 890'],
  },
  {
    wants: 'to pause a campaign, and what that does to its codes',
    types: ['promo campaigns disable Welcome --yes', 'promo vouchers list --campaign Welcome --limit 2'],
    reads: ['WELCOME-011 … campaign paused'],
  },
  {
    wants: 'to know for which campaigns a customer qualifies',
    types: 'promo qualify campaigns --customer shop-1001 --amount 4000',
    reads: ['Spring mailing  DISCOUNT_COUPONS … 20'],
  },
  {
    wants: 'a group of customers',
    types: [
      'promo segments create --name VIP --type static --customers shop-1001,shop-1006',
      'promo customers list --segment VIP',
    ],
    reads: ['Ada Okafor', 'Farid Rahman'],
  },
  {
    wants: 'the customers of a segment, and looks for them below it',
    given: ['promo segments create --name VIP --type static --customers shop-1001,shop-1006'],
    types: ['promo segments customers VIP', '{try}'],
    reads: ['did you mean "customers list"?', 'Ada Okafor', 'Farid Rahman'],
  },
  {
    wants: 'what customers did with the codes of a campaign',
    types: ['promo campaigns redemptions Welcome', '{try}'],
    reads: ['did you mean "redemptions list"?', 'WELCOME-012 … shop-1004 … 500 off'],
  },
  {
    wants: 'to see the stacking rules of the project',
    types: 'promo projects stacking get',
    reads: ['redeemables_limit 30', 'the defaults of the service apply'],
  },

  // Many rows: how fast, what happened, and back.
  {
    wants: 'to send ten in a second',
    files: { 'codes.csv': 'code\nMORNING\nWEEKEND\n' },
    types: 'promo vouchers disable --from codes.csv --rate 10 --yes',
    exits: 2,
    reads: ['--rate 10/s'],
  },
  {
    wants: 'to see what a list would do before it is sent',
    files: { 'codes.csv': 'code\nMORNING\nWEEKEND\n' },
    types: 'promo vouchers disable --from codes.csv --dry-run',
    reads: ['POST  /v1/vouchers/MORNING/disable', 'would disable 2 vouchers; nothing was sent'],
  },
  {
    wants: 'to be asked before many are changed',
    files: { 'codes.csv': 'code\nMORNING\nWEEKEND\n' },
    types: 'promo vouchers disable --from codes.csv',
    answers: yes,
    reads: ['disable 2 vouchers', 'disabled 2 vouchers'],
  },
  {
    wants: 'to take the points of a list back',
    given: ['promo loyalty points add CLUB-001 CLUB-002 --points 10 --yes'],
    types: ['promo jobs undo latest --yes', 'promo jobs list'],
    reads: ['removed points from 2 loyalty cards', 'loyalty points remove … finished', 'loyalty points add … undone'],
  },
  {
    wants: 'to undo half of a job, and the rest later',
    files: { 'half.csv': 'code\nCLUB-001\n' },
    given: ['promo loyalty points add CLUB-001 CLUB-002 --points 10 --yes'],
    types: [
      'promo jobs list',
      'promo jobs undo {20260402-} --only half.csv --yes',
      'promo jobs list',
      'promo history',
      'promo jobs undo {20260402-} --yes',
      'promo jobs list',
    ],
    reads: [
      'removed points from 1 loyalty card',
      'loyalty points add … finished … undone in part by job 20260402-',
      '1 row, a part of',
      'loyalty points add … undone … by job 20260402-',
    ],
  },
  {
    wants: 'to pause a campaign at midnight, as another tool does',
    types: ['promo campaigns pause Welcome --at 2027-03-01T00:00', '{try}'],
    answers: yes,
    reads: ['cron has: 0 0 1 3 * promo campaigns disable Welcome --yes --no-input', 'expiration_date 2027-0'],
  },
  {
    wants: 'to see what went wrong in a list',
    files: { 'codes.csv': 'code,reason\nMORNING,leaked\nNOPE-1,leaked\n' },
    types: ['promo vouchers disable --from codes.csv --yes', '{try}'],
    reads: ['NOPE-1', 'leaked', 'not_found'],
  },
  {
    wants: 'the jobs of this computer',
    given: ['promo vouchers disable MORNING WEEKEND --yes'],
    types: 'promo jobs list',
    reads: ['command … done  total  wrong', 'vouchers disable … 2 … 2 … 0'],
  },
  {
    wants: 'what was changed today, and by whom',
    given: ['promo vouchers disable MORNING --yes'],
    types: 'promo history',
    reads: ['vouchers disable  MORNING', 'lena'],
  },
  {
    wants: 'to take one change back',
    given: ['promo categories update Seasonal --name Winter --hierarchy 1'],
    types: ['promo history undo latest --yes', 'promo categories list'],
    reads: ['restore  name  Winter  Seasonal', 'Seasonal … 1'],
  },

  // Webhooks and events.
  {
    wants: 'events to be sent to the shop',
    types: [
      'promo webhooks create --url https://shop.example/hook --event voucher.disabled --event redemption.succeeded',
      'promo webhooks list',
    ],
    reads: ['https://shop.example/hook', 'voucher.disabled, redemption.succeeded'],
  },
  {
    wants: 'a webhook, and types --events',
    types: ['promo webhooks create --url https://shop.example/hook --events voucher.disabled', '{try}'],
    reads: ['did you mean --event?', 'target_url https://shop.example/hook'],
  },
  {
    wants: 'to see which events there are',
    types: 'promo webhooks events',
    reads: ['name … family', 'redemption.succeeded … Redemption and publication'],
  },
  {
    wants: 'a webhook that was switched off to be on again',
    types: ['promo webhooks update wh_19b8d627a800000001 --active', 'promo webhooks list'],
    reads: ['http://127.0.0.1:8090/  true'],
  },
  {
    wants: 'an event of a customer to give points',
    types: [
      'promo events send cupping_attended --customer shop-1001 --metadata cups=3',
      'promo loyalty cards get CLUB-001',
    ],
    reads: ['type cupping_attended', 'metadata.cups 3', 'loyalty_card.balance 107'],
  },
  {
    wants: 'to know which custom events there are',
    types: 'promo events schemas list',
    reads: ['cupping_attended', 'newsletter_subscribed'],
  },
  {
    wants: 'what happened in the last hours, once, for a program',
    given: ['promo redemptions create BEANS10 --amount 10000 --customer shop-1001'],
    types: 'promo events tail --since 1h --once --jsonl',
    reads: ['"type":"redemption.succeeded"', 'BEANS10'],
  },

  {
    wants: 'to read what happened in the last weeks',
    types: 'promo events tail --since 90d --once',
    reads: ['redemption.succeeded  WELCOME-012', 'order.created  northlight-2009'],
  },
  {
    wants: 'to know who used a gift card, when, and for what',
    types: 'promo redemptions list --voucher GIFT-004',
    reads: ['shop-1005  3800 credits … 4000'],
  },
  {
    wants: 'to know which points of a program expire, and when',
    types: 'promo loyalty cards list "Bean Club"',
    reads: ['code … expiring  expire_on', 'CLUB-005 … 40  2027-12-31'],
  },

  {
    wants: 'to hand codes to a mailing list, and to get the file back with them',
    files: { 'readers.csv': 'customer,first_name\nshop-1001,Ada\nshop-1002,Bruno\n' },
    types: [
      'promo publications create --campaign "Spring mailing" --from readers.csv --ignore-columns first_name --yes',
      'promo jobs report latest --csv --columns customer,first_name,promo_result_code',
    ],
    reads: ['gave a code to 2 customers', /^shop-1001,Ada,SPRING-\w{8}$/m, /^shop-1002,Bruno,SPRING-\w{8}$/m],
  },
  {
    wants: 'to stop a job that is too fast for the shop, and to go on at another rate',
    files: { 'codes.csv': `code\n${Array.from({ length: 400 }, (_, at) => `TEN-${at}\n`).join('')}` },
    types: [
      'promo vouchers create --from codes.csv --percent-off 10 --jsonl --concurrency 1 --yes',
      'promo jobs list',
      'promo jobs resume latest --rate 60000/m --yes --quiet --jsonl',
      'promo jobs list',
    ],
    stopsAt: /"t":"item"/,
    reads: ['vouchers create … stopped', 'vouchers create … finished'],
  },

  // Tokens, templates, projects.
  {
    wants: 'a token for a script, alone on its line',
    types: 'promo token create --scope vouchers --raw',
    reads: [/^\w{40,}\n/],
    never: ['scope', 'expires_in'],
  },
  {
    wants: 'to know what a token may do, and how long',
    types: 'promo token create --scope vouchers',
    reads: ['scope vouchers', 'expires_in 900', 'the token itself is printed only with --raw'],
  },
  {
    wants: 'a campaign like another one',
    types: [
      'promo templates create "Welcome again" --campaign Welcome',
      'promo templates setup-campaign "Welcome again" --name "New year"',
      'promo campaigns list',
    ],
    reads: ['campaign.name New year', 'New year  DISCOUNT_COUPONS  on'],
  },
  {
    wants: "last year's campaign again, under another name and with other dates",
    given: ['promo templates create "Last year" --campaign Welcome'],
    types: [
      'promo templates setup-campaign "Last year" --name "Welcome 2027" --starts 2027-01-01 --expires 2027-12-31 --count 5',
      'promo campaigns list --columns name,start_date,expiration_date,vouchers_count',
    ],
    reads: ['campaign.name Welcome 2027', 'Welcome 2027 … 2027-01-01 00:00:00 … 2027-12-31 23:59:59'],
  },
  {
    wants: 'to see what a template is for',
    types: 'promo templates list',
    reads: ['Five euros for newcomers … DISCOUNT_COUPONS … Made from the campaign "Welcome"'],
  },
  {
    wants: 'a template in another project, by its name',
    types: 'promo templates copy "Five euros for newcomers" --to proj_2 --name Spring --dry-run --json',
    reads: ['Five', 'nothing was sent'],
  },

  // The ledger: the shop's orders beside what was redeemed.
  {
    wants: 'to take back the redemptions of the orders that the shop refunded',
    files: {
      'orders.csv': 'Order ID,Financial Status\nnorthlight-2006,refunded\nnorthlight-2005,paid\n',
      'rollback.csv': '',
    },
    given: ['promo ledger pull'],
    types: ['promo ledger reconcile orders.csv', '{try}', '{try}'],
    answers: [[/\(y\/N\)/, 'y\r']],
    reads: ['order northlight-2006, line 2', 'to roll back 1', 'rolled back', 'GIFT-008'],
    never: ['northlight-2005, line'],
  },
  {
    wants: 'to compare a file in which the shop has its own words',
    files: { 'orders.csv': 'Order ID,Status\nnorthlight-2006,on hold\n' },
    given: ['promo ledger pull'],
    types: 'promo ledger reconcile orders.csv',
    exits: 2,
    reads: ['"on hold" (1 order)', "--status 'on hold=paid'"],
  },
  {
    wants: 'to count what was redeemed by month, in SQL',
    given: ['promo ledger pull'],
    types: `promo ledger query "select substr(created_at, 1, 7) as month, count(*) as redeemed from redemptions where result = 'SUCCESS' group by 1"`,
    reads: ['2026-01 … 2', '2026-03 … 6'],
  },

  // A project as files.
  {
    wants: 'the project as files, and what differs after a change of one',
    types: ['promo config pull ~/shop', 'promo config diff ~/shop', 'promo config validate ~/shop'],
    reads: ['campaigns/bean-club.yaml … new', 'nothing differs', 'valid'],
  },
  {
    wants: 'to know in what two projects differ',
    given: [
      'promo config pull ~/staging',
      'promo campaigns update "Terrace season" --expires 2026-10-01',
      'promo products update house-blend --price 950',
    ],
    types: 'promo config diff ~/staging --profile sandbox',
    exits: 12,
    reads: ['terrace-season', 'update … expiration_date', 'products/house-blend … update … price … 950 … 890'],
  },
  {
    wants: 'what somebody changed in the project since it was pulled',
    given: ['promo config pull ~/shop', 'promo products update house-blend --price 950'],
    types: 'promo config diff ~/shop',
    exits: 12,
    reads: ['products/house-blend … update … price … 950 … 890'],
  },
  {
    wants: 'to have the project as the files say again',
    given: ['promo config pull ~/shop', 'promo products update house-blend --price 950'],
    types: ['promo config plan ~/shop', 'promo config apply ~/shop --yes', 'promo config diff ~/shop'],
    reads: ['products/house-blend', 'update', 'nothing differs'],
  },

  // The sandbox, profiles, help.
  {
    wants: 'to know where a test writes to',
    types: 'promo whoami',
    reads: ['profile … sandbox', 'PROMO_PROFILE'],
  },
  {
    wants: 'to save what the sandbox holds before a test, and to go back',
    types: [
      'promo sandbox snapshot save before',
      'promo vouchers disable MORNING --yes',
      'promo sandbox snapshot load before',
      'promo vouchers list --code MORNING',
    ],
    reads: ['MORNING … on'],
  },
  {
    wants: 'a sandbox in tests, with keys, a clock, webhooks and faults of their own',
    files: {
      'keys.json':
        '{"app_id":"shop-app-id","app_token":"shop-app-token","management_id":"shop-management-id","management_token":"shop-management-token"}',
    },
    serves: 'promo sandbox start --data ~/shop.db --keys-from keys.json --time 2026-01-01 --json',
    types: [
      'promo sandbox clock advance 30d --data ~/shop.db',
      'promo webhooks create --url http://127.0.0.1:8090/ --event voucher.disabled --yes',
      "promo sandbox faults add --call 'POST /v1/vouchers/*/disable' --status 503 --times 1 --data ~/shop.db",
      'promo vouchers disable MORNING --yes',
      'promo sandbox faults list --data ~/shop.db',
      "promo sandbox requests list --call 'POST /v1/vouchers/*/disable' --data ~/shop.db",
    ],
    reads: [
      '2026-01-31',
      'target_url http://127.0.0.1:8090/',
      'status 503 … 1 time … 2 … 1',
      'disabled 1 voucher',
      /\b503\b[\s\S]*\b200\b/,
    ],
  },
  {
    wants: 'to know what the sandbox holds',
    types: 'promo sandbox status',
    reads: ['counts.vouchers 1040', 'counts.customers 8', 'project_id proj_'],
  },
  {
    wants: 'the time of the sandbox to be another',
    types: ['promo sandbox clock advance 90d', 'promo vouchers list --code OPENING2099'],
    reads: ['2026-07-01', 'OPENING2099 … not before'],
  },
  {
    wants: 'the profiles of this computer',
    types: 'promo profiles list',
    reads: ['name … region … protected', 'sandbox'],
  },
  {
    wants: 'an SKU of a product',
    types: [
      'promo skus create house-blend --source-id house-blend-2000 --name "House Blend 2 kg" --price 4900',
      'promo skus list house-blend',
    ],
    reads: ['House Blend 2 kg', 'house-blend-2000'],
  },
  {
    wants: 'to see a campaign that ended, without asking its date',
    given: ['promo campaigns update Welcome --starts 2026-01-01 --expires 2026-03-31'],
    types: 'promo campaigns list',
    reads: ['Welcome … ended'],
  },
  {
    wants: 'another place of a category, which keeps its name',
    types: 'promo categories update Seasonal --hierarchy 5',
    reads: ['name … Seasonal', 'hierarchy … 5'],
  },
  {
    wants: 'to know what is wrong with the set-up',
    types: 'promo doctor',
    reads: ['check … state … found', 'program … ok … promo/', 'service … ok'],
  },
  {
    wants: 'a command, and does not know its name',
    types: 'promo commands vouchers balance',
    reads: ['vouchers balance add … Add credits'],
  },
  {
    wants: 'to list codes, and types the verb of another tool',
    types: 'promo vouchers ls --campaign Welcome --limit 2',
    exits: 2,
    reads: ['did you mean "vouchers list"?', 'try: promo vouchers list'],
  },
])
