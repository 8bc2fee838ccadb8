// The tables of all commands on terminals of four widths: codes, amounts, states and reasons are whole.
import Table from 'cli-table3'
import { beforeAll, describe, expect, test } from 'vitest'
import { outcomeColumns } from '../../src/cli/bulk/outcome-records.ts'
import { listFlags } from '../../src/cli/flags/flags.ts'
import { type Column, type ColumnSet, kindOf, tableColumns } from '../../src/output/column.ts'
import { tableText } from '../../src/output/form/table.ts'
import { ruler } from '../../src/output/form/width.ts'
import { keysFor } from '../support/command-lines.ts'
import { allCommands, promo, promoIn, temporaryFolder } from '../support/promo.ts'
import { sampled } from '../support/size.ts'
import { inBatches, textOf } from '../unit/output/sinks.ts'

const outcomes = outcomeColumns({ noun: 'voucher', verb: 'disable', done: 'disabled', unchanged: 'off', key: 'code' })
const sets: [string, ColumnSet][] = []
/** The commands that list. */
const listIds: string[] = []
for (const { id: command, Class } of await allCommands()) {
  const { columns, flags } = Class
  const id = command.replaceAll(':', ' ')
  if (flags.all === listFlags.all) listIds.push(id)
  const declared = (Array.isArray(columns) ? columns : [columns]) as ColumnSet[]
  for (const [at, set] of declared.entries()) if (set.columns.length > 0) sets.push([`${id} (${at + 1})`, set])
}
const { widthOf } = ruler(Table)
const reason =
  'the service refused vouchers.disable "NOPE-1" (404 not_found: there is no such voucher), request v-1a2033'

/** Three rows of a small shop, and three of one with long codes and names in several scripts, and large and negative amounts. */
const shops = {
  'a small shop': {
    number: [1234500, 1234501, 1234502],
    state: ['SUCCEEDED', 'FAILED', 'UNKNOWN'],
    reason: [0, 1, 2].map((row) => `${reason}${row}`),
    text: ['Spring mailing of all shops', 'POINTS_ACCRUAL', 'x'],
    address: [0, 1, 2].map((row) => `rules/orders-above-${row}`),
    id: [0, 1, 2].map((row) => `obj_19b8d627a80000000${row}`),
    code: [0, 1, 2].map((row) => `SPRING-2KPXJDM${row}`),
  },
  'a large one': {
    number: [-987654321012, 0, 123456789012],
    state: ['SUCCEEDED', 'FAILED', 'UNKNOWN'],
    reason: [`${reason}: 積分が足りません`, reason, `${reason} 🎁`],
    text: ['Maximiliane-Katharina von und zu Hohenstein-Württemberg', '山田 太郎 🎉', '{"note":"Zoë","n":1}'],
    address: [0, 1, 2].map((row) => `campaigns/terrace-season/tiers/three-euros-${row}`),
    id: [0, 1, 2].map((row) => `obj_19b8d627a80000000${row}`),
    code: ['SUMMER-SALE-2026-INFLUENCER-ÀÉÎ-0123456789ABCDEF', '🎁GIFT-山田', '-5'],
  },
}
type Shop = (typeof shops)[keyof typeof shops]

function sampleOf(column: Column, row: number, shop: Shop): unknown {
  const kind = kindOf(column)
  if (kind === 'flag') return row === 1
  if (kind === 'time') return `2026-01-0${row + 1}T10:00:00Z`
  if (kind === 'date') return `2026-01-0${row + 1}`
  if (kind !== 'identifier' && kind !== 'verbatim') return shop[kind][row]
  return column.name.endsWith('id') ? shop.id[row] : shop.code[row]
}

function rowOf({ columns }: ColumnSet, row: number, shop: Shop): object {
  return Object.fromEntries(columns.map((column) => [column.name, sampleOf(column, row, shop)]))
}

/** What tells the rows apart where there is no room for the id with which they begin, because commands take it as well. */
function subjectOf([first, ...others]: readonly Column[]): Column | undefined {
  if (first?.name !== 'id') return undefined
  return others.find(({ name }) => name === 'source_id') ?? others.find(({ name }) => name === 'name')
}

/** What a user would act on: never cut, never missing. */
function essentials(columns: readonly Column[]): Column[] {
  if (columns.some(({ stays }) => stays))
    return columns.filter(
      (column) => column.stays && kindOf(column) !== 'time' && kindOf({ name: column.name }) !== 'time',
    )
  // A source id is one of the shop, unless it is said beside what it is the id of.
  const isId = ({ name, label = name }: Column) => /(?:^|[._])id$/.test(label) || /(?<!source_|source)id$/.test(name)
  return columns.filter((column, at) => {
    const kind = kindOf(column)
    return (
      ['number', 'flag', 'state', 'reason', 'address'].includes(kind) ||
      (kind === 'identifier' && ((at === 0 && subjectOf(columns) === undefined) || !isId(column)))
    )
  })
}

const cases = Object.entries(shops)
  .flatMap(([name, shop]) => [80, 100, 120, 200].map((width) => ({ name, shop, width })))
  .map((one, at) => ({ ...one, some: sampled([...sets, ['the outcomes of many rows', outcomes] as const], 4, at) }))

describe.each(cases)('on a terminal of $width columns, of $name,', ({ shop, width, some }) => {
  test.each(some)(
    'the table of %s shows codes, amounts, states and reasons whole, and names what it leaves out',
    async (_, set) => {
      const columns = tableColumns(set)
      const rows = [0, 1, 2].map((row) => rowOf(set, row, shop))
      let left = ''
      const leftOut = (names: string) => {
        left = names
      }
      const look = { header: true, color: false, timeZone: 'UTC', width, mayLeaveOut: true, leftOut }

      const text = await textOf(tableText(inBatches(rows), columns, look))

      const words = new Set(text.split(/\s+/))
      const missing = (column: Column) => {
        const isAddress = kindOf(column) === 'address'
        const expected = [0, 1, 2].flatMap((row) =>
          String(sampleOf(column, row, shop)).split(isAddress ? /(?<=\/)/ : ' '),
        )
        return expected.filter((word) => !(isAddress ? text.includes(word) : words.has(word)))
      }
      for (const column of essentials(columns)) expect(missing(column), column.name).toEqual([])
      const [first] = columns
      const subject = subjectOf(columns)
      if (first && subject && missing(first).length > 0) expect(missing(subject), subject.name).toEqual([])
      // A heading is broken between its parts where that saves room.
      const heads = `${text} ${left}`.replace(/\s+/g, ' ')
      for (const { name, label = name } of columns) {
        for (const part of label.split(/(?<=[_./])/)) expect(heads, label).toContain(part)
      }
      if (!/\n\n/.test(text)) for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width)
    },
  )
})

/**
 * What every list has at 80 columns in the demo project, as headings: whom and what a row is about, what was taken or said, and
 * until when. Ids of the service, and what was typed, go first.
 */
const listsAt80: readonly [line: string, survives: string][] = [
  ['async list', 'id status operation done failed'],
  ['campaigns list', 'name kind state percent_off codes'],
  ['categories list', 'name hierarchy'],
  ['customers activity shop-1001', 'created_at type about detail'],
  ['customers list', 'source_id name email spent orders'],
  ['customers list --segment VIP', 'source_id name email spent orders'],
  ['events schemas list', 'name schema'],
  ['exports list', 'id status exported_object'],
  ['history', 'at command subject change outcome reason id'],
  ['jobs list', 'id command state done total wrong why'],
  ['loyalty cards list "Bean Club"', 'code active balance redeemed expiring expire_on'],
  ['loyalty cards tiers CLUB-001', 'name from to'],
  ['loyalty earning-rules list "Bean Club"', 'banner event points active'],
  ['loyalty pending list "Bean Club"', 'id card points active_on'],
  ['loyalty programs list', 'name active cards auto_join'],
  ['loyalty rewards list "Bean Club"', 'name type price points worth'],
  ['loyalty tiers list "Bean Club"', 'name from to'],
  ['loyalty tiers earning-rules "Bean Club" Regular', 'banner event points active'],
  ['loyalty tiers offers "Bean Club" Regular', 'name type price'],
  ['loyalty transactions list "Bean Club"', 'created_at points balance type reason'],
  ['loyalty transactions list --card CLUB-001', 'created_at points balance type reason'],
  ['metadata schemas', 'related_object allow_defined_only properties'],
  ['orders list', 'source_id status amount discounted to_pay created_at'],
  ['orders list --customer shop-1001', 'source_id status amount discounted to_pay created_at'],
  ['products collections list', 'name type products'],
  ['products list', 'source_id name price attributes'],
  ['projects list', 'id name timezone'],
  ['promotions list', 'name hierarchy percent_off amount_off active'],
  ['promotions stacks', 'name tiers'],
  ['publications list', 'created_at customer email code result'],
  ['publications list --customer shop-1001', 'created_at code campaign result'],
  ['redemptions list', 'created_at code customer outcome to_pay order id'],
  ['redemptions list --voucher GIFT-004', 'created_at customer outcome to_pay order id'],
  ['redemptions list --voucher=GIFT-004', 'created_at customer outcome to_pay order id'],
  ['redemptions list --customer shop-1001', 'created_at code outcome to_pay order id'],
  ['referrals holders list FRIEND-001', 'customer.name customer.email holder_role'],
  ['rewards list', 'name type points worth'],
  ['rules assignments list', 'id rule restricts'],
  ['rules list', 'name conditions error'],
  ['segments list', 'name type'],
  ['skus list house-blend', 'source_id sku price'],
  ['templates list', 'name campaign_type description'],
  ['vouchers list', 'code type percent_off state redeemed limit'],
  ['vouchers list --campaign Welcome', 'code type amount_off state redeemed limit'],
  ['vouchers transactions list GIFT-004', 'created_at amount balance type for'],
  ['webhooks list', 'id target_url active events'],
]

const given = [
  ['vouchers', 'disable', 'MORNING', 'WEEKEND', '--yes'],
  ['loyalty', 'points', 'add', 'CLUB-006', '--points', '50', '--reason', 'Order 2001 was not counted', '--yes'],
  ['segments', 'create', '--name', 'VIP', '--type', 'static', '--customers', 'shop-1001,shop-1006'],
]

describe('in the demo project, on a terminal of 80 columns,', () => {
  const run = promoIn(temporaryFolder())
  const env = { PROMO_PROFILE: 'sandbox', PROMO_ACTOR: 'lena', NO_COLOR: '1' }

  beforeAll(async () => {
    for (const argv of given) expect([argv, (await run(argv, { env })).exitCode]).toEqual([argv, 0])
  })

  test('every list has its columns', () => {
    const isListed = (id: string) => listsAt80.some(([line]) => `${line} `.startsWith(`${id} `))

    expect(listIds.filter((id) => !isListed(id))).toEqual([])
  })

  test.each(listsAt80)('%s has %s', async (line, survives) => {
    const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))

    const { stdout, stderr } = await run(words, { env, terminal: { columns: 80 } })

    expect(stdout, 'a table, not records').not.toMatch(/\n\n./)
    const left =
      stderr
        .replaceAll('\n', ' ')
        .match(/(?<=columns: ).*(?=; choose)/)?.[0]
        .split(', ') ?? []
    const lost = left.map((name) => name.replace(/ \(.*/, ''))
    expect(stdout === '' ? [] : survives.split(' ').filter((name) => lost.includes(name))).toEqual([])
  })
})

test.each(sets)('each heading in the table of %s is a name for --columns', (_, set) => {
  const shown = tableColumns(set)

  const named = shown.map(({ name, label = name }) => tableColumns(set, [label]).map((column) => column.name))

  expect(named).toEqual(shown.map(({ name }) => [name]))
})

test.each([80, 120])(
  'a dry run on a terminal of %i columns has the path and the body, whatever the host',
  async (columns) => {
    const origin = 'https://a-dedicated-cluster-with-a-long-name.voucherify.example'
    const argv = ['customers', 'create', 'shop-1', '--email', 'ann@shop.example', '--dry-run']

    const { stdout, stderr } = await promo(argv, { env: keysFor(origin), terminal: { columns } })

    expect(stdout.split('\n')[0]?.replaceAll('\x1b[1m', '').replaceAll('\x1b[22m', '')).toMatch(/^method +path +body$/)
    expect(stdout.replaceAll(/\s/g, '')).toContain('/v1/customers{"source_id":"shop-1","email":"ann@shop.example"}')
    expect(stderr).toContain(origin)
  },
)
