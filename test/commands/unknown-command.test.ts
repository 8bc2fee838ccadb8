// Words that name no command: the command that was meant, and the line that leads to it.
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../src/cli/help/manifest.ts'
import { otherNames, otherTopics } from '../../src/cli/help/other-names.ts'
import { promo } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const manifest = readManifest(root)
const names = Object.values(manifest).flatMap(({ id, aliases }) =>
  [id, ...aliases].map((name) => name.replaceAll(':', ' ')),
)

/** What is typed, and the next step. */
const meant = rows(`
vouchrs -> vouchers --help
voucher list -> vouchers list
voucher show A -> vouchers get A
segments customers VIP -> customers list --segment VIP
campaigns vouchers list 'A b' -> vouchers list --campaign 'A b'
campaigns redemptions Welcome -> redemptions list --campaign Welcome
campaigns publications Welcome -> publications list --campaign Welcome
customers codes shop-1 -> vouchers list --customer shop-1
customers vouchers shop-1 -> vouchers list --customer shop-1
customer orders shop-1 --limit 2 -> orders list --customer shop-1 --limit 2
clients redemptions shop-1 -> redemptions list --customer shop-1
customers publications shop-1 -> publications list --customer shop-1
loyalty cards transactions CLUB-001 -> loyalty transactions list --card CLUB-001
coupons redemptions BEANS10 -> redemptions list --voucher BEANS10
vouchers publications BEANS10 -> publications list --voucher BEANS10
coupons ls -> vouchers list
coupons ls --campaign 'A b' --limit 2 -> vouchers list --campaign 'A b' --limit 2
coupon BEANS10 -> vouchers get BEANS10
promo-codes rm BEANS10 -> vouchers delete BEANS10
codes new A --percent-off 10 -> vouchers create A --percent-off 10
codes new A --frobnicate 10 -> vouchers create --help
gift-cards balance add G-1 --amount 5 -> vouchers balance add G-1 --amount 5
points show CLUB-001 -> loyalty cards get CLUB-001
points add CLUB-001 60 -> loyalty points add CLUB-001 60
members ls -> customers list
users show a@b.c -> customers show a@b.c
clients add shop-9 -> customers create shop-9
show coupon BEANS10 -> vouchers get BEANS10
tiers ls -> loyalty tiers list --help
codes -> vouchers --help
config rename shop a b -> config mv --help
vouchers search A -> vouchers list --help
vouchers rm A -> vouchers delete A
loyalty cards show -> loyalty cards get --help
referrals holders ls -> referrals holders list --help
list vouchers -> vouchers list
show voucher A -> vouchers get A
find 'Ada Okafor' -> customers find 'Ada Okafor'
customers search Ada -> customers find Ada
customer shop-1006 -> customers show shop-1006
customers a@b.c -> customers show a@b.c
orders n-2006 -> orders get n-2006
orders n-2006 n-2007 -> orders get n-2006 n-2007
points CLUB-001 -> loyalty cards get CLUB-001
loyalty points C-1 -> loyalty cards get C-1
balance GIFT-001 -> vouchers get GIFT-001
vouchers balance G-1 -> vouchers get G-1
card CLUB-001 -> loyalty cards get CLUB-001
why BEANS10 -> validate redeemables BEANS10
referrals F-1 -> referrals tree F-1
vouchers transactions G-1 -> vouchers transactions list G-1
loyalty cards lost -> loyalty cards replace --help
redemptions r_19b8d627a800000006 -> redemptions get r_19b8d627a800000006
redemptions f3b0c44298fc1c149afbf4c8 -> redemptions get --help
refund r_1 -> redemptions rollback r_1
vouchers extend A -> vouchers update A
list jobs all -> jobs list --help
logout -> profiles remove --help
auth login -> login --help
redemptions redeem A -> redemptions create A
validate voucher A -> validate redeemables A
vouchers balance show A -> vouchers get A
loyalty balance A -> loyalty cards get A
loyalty A -> loyalty cards get A
validate MORNING -> validate redeemables MORNING
vouchers lst -> vouchers list
customer show ada -> customers show ada
points add -> loyalty points add --help
cards -> loyalty cards --help
tiers create -> loyalty tiers create --help
loyalty add -> loyalty points add --help
redeem BEANS10 -> redemptions create BEANS10
vouchers redeem BEANS10 -> redemptions create BEANS10
vouchers validate BEANS10 -> validate redeemables BEANS10
vouchers export -> exports create --help
voucher export -> exports create --help
customers export -> exports create --help
campaigns vouchers list -> vouchers list
sandbox up -> sandbox start --help
jobs status -> jobs show --help
campaigns pause Welcome -> campaigns disable Welcome
campaigns resume Welcome -> campaigns enable Welcome
campaigns end Welcome -> campaigns update Welcome
promotions tiers list -> promotions list
segments members VIP -> customers list --segment VIP
events track x -> events send x
account -> whoami --help
campaigns clone Spring -> config pull --help
clone campaign -> config pull --help
auth -> login --help
call -> api --help
completion -> autocomplete --help
configure -> login --help
curl -> api --help
init -> login --help
keys -> profiles update --help
man -> help --help
me -> whoami --help
mock -> sandbox start --help
request -> api --help
resume -> jobs resume --help
serve -> sandbox start --help
server -> sandbox start --help
settings -> profiles --help
setup -> login --help
signin -> login --help
status -> doctor --help
switch -> profiles use --help
undo -> history undo --help
use -> profiles use --help
profil list -> profiles list
vouch -> vouchers --help
valid -> validate --help
vouchers delet A -> vouchers delete A
vouchers rm -> vouchers delete --help
`)

/** What may mean several commands, or none. */
const unclear = rows(`
points history CLUB-001 -> help points
points ls 'Bean Club' -> help points
customers merge a b -> help customers merge
list -> help list
delete jobs -> help delete
config set x -> help config set
trash-bin list -> help trash-bin
qwertyuiop -> --help
jobs cancel 1 -> help jobs cancel
qualify redeemables -> help qualify redeemables
customers frobnicate -> customers --help
loyalty frobnicate -> loyalty --help
points frobnicate C-1 -> help points
customers merge shop-1004 shop-1002 -> help customers merge
sandbox stop -> help sandbox stop
vouchers constructor -> vouchers --help
__proto__ -> --help
`)

function rows(text: string): [string, string][] {
  return text
    .trim()
    .split('\n')
    .map((row) => row.split(' -> ') as [string, string])
}

function wordsOf(line: string): string[] {
  return line.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? []
}

test.each(meant)('"%s" means "promo %s"', async (line, step) => {
  const { exitCode, stdout, stderr } = await promo([...wordsOf(line), '--profile', 'sandbox'])

  const name = /^(?:[a-z-]+ ?)+(?= |$)/.exec(step.replace(/ --.*/, ''))?.[0] ?? ''
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`did you mean "${names.findLast((one) => `${name} `.startsWith(`${one} `)) ?? name}"`)
  expect(stderr.replace(' --profile sandbox', '')).toContain(`\ntry: promo ${step}\n`)
})

test.each(unclear)('"%s" is answered with "promo %s"', async (line, step) => {
  const { exitCode, stderr } = await promo(wordsOf(line))

  expect(exitCode).toBe(2)
  expect(stderr).not.toContain('did you mean')
  expect(stderr).toContain(`\ntry: promo ${step}\n`)
})

test('a word that begins several names is answered with all of them', async () => {
  expect((await promo('pro')).stderr).toContain('did you mean "profiles", "promotions", "products", "projects"?')
})

describe('a name of another tool', () => {
  test.each(Object.entries(otherNames))('leads to %s, and is no name of ours', async (name, others) => {
    expect(names).toContain(name)
    for (const other of others) {
      const isTopic = Object.keys(manifest).some((id) => id.startsWith(`${other.replaceAll(' ', ':')}:`))
      const { stderr } = await promo([...other.split(' '), ...(isTopic ? ['X-1'] : [])])
      expect(names).not.toContain(other)
      expect(stderr).toContain(`; did you mean "${name}"?`)
    }
  })

  test.each(Object.entries(otherTopics))('leads to %s', async (topic, others) => {
    for (const other of others)
      expect((await promo([other])).stderr).toContain(`unknown command "${other}"; did you mean "${topic}"?`)
  })
})
