// Every command with a result, in every format, with zero, one and many rows: the shape never depends on the count.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownValue } from '../../src/base/record.ts'
import type { CommandClass } from '../../src/cli/command.ts'
import type { DeclaredKind } from '../../src/cli/declared/command.ts'
import { columnSetsOf } from '../../src/cli/facts.ts'
import { readManifest } from '../../src/cli/help/manifest.ts'
import { planColumns } from '../../src/output/columns/plan.ts'
import { leafPaths } from '../../src/output/path.ts'
import { startSandbox } from '../../src/sandbox/embedded.ts'
import { folderWith } from '../support/check-folders.ts'
import { classOf, nowhere, promoIn, type Ran, temporaryFolder } from '../support/promo.ts'
import { sampled } from '../support/size.ts'
import { root } from '../support/source-files.ts'

const counts = [0, 1, 3] as const
const formats = ['table', 'json', 'jsonl', 'csv'] as const
type Count = (typeof counts)[number]
type Format = (typeof formats)[number]

/** A separate sandbox for each count, in which every list has that many rows. */
interface Shop {
  run: ReturnType<typeof promoIn>
  /** A finished job with this many rows. */
  job: string
  exported: string
  /** A background job of the service. */
  action: string
  project: string
  token: string
  /** Data files that are served: one with as many faults and requests as rows, one for those that are added. */
  listed: string
  served: string
}

const shops = new Map<Count, Shop>()
const onTestsEnd: (() => Promise<void>)[] = []
const shopOf = (count: Count) => shops.get(count) as Shop

/** Lists: the command line, and the message of an empty table; `always` rows exist in any shop. */
const lists: Record<
  string,
  { argv: string[] | ((shop: Shop, count: Count) => string[]); nothing?: string; always?: number }
> = {
  api: { argv: ['GET', '/v1/templates/campaigns', '--paginate'], nothing: 'nothing found' },
  check: { argv: (_, count) => [cardsIn(count)], nothing: 'nothing found' },
  'config diff': { argv: (_, count) => [projectWith(count)], nothing: 'nothing differs' },
  'config plan': { argv: (_, count) => [projectWith(count)], nothing: 'nothing to do' },
  'config validate': { argv: (_, count) => [projectWith(count, 'no_member: 1')], nothing: '0 objects' },
  'customers find': { argv: ['ada-'], nothing: 'no customer found' },
  'exports list': { argv: [], nothing: 'no exports found' },
  'history prune': { argv: ['--dry-run'], nothing: 'nothing to remove' },
  'jobs list': { argv: [], nothing: 'no jobs found' },
  'jobs report': { argv: ({ job }) => [job], nothing: 'no such rows' },
  'loyalty pending list': { argv: ['Rich'], nothing: 'no pending points found' },
  'loyalty points expiring': { argv: ['DAMAGED-1', '--campaign', 'Damaged'], nothing: 'no points expire' },
  'loyalty rewards list': { argv: ['Club'], nothing: 'no rewards found' },
  'loyalty transactions list': { argv: ['Club'], nothing: 'no transactions found' },
  'loyalty transactions verify': { argv: ['Damaged'], nothing: 'every running balance adds up' },
  'referrals holders list': { argv: ['FRIEND-1'], nothing: 'no holders found' },
  'referrals tree': { argv: ['FRIEND-1'], nothing: 'nobody holds this code' },
  'skus list': { argv: ['prod_1'], nothing: 'no SKUs found' },
  'sandbox faults list': { argv: ({ listed }) => ['--data', listed], nothing: 'no faults' },
  'sandbox snapshot list': { argv: ({ listed }) => ['--data', listed], nothing: 'no snapshots' },
  'sandbox requests list': { argv: ({ listed }) => ['--data', listed], nothing: 'nothing was called' },
  'templates list': { argv: [], nothing: 'no templates found' },
  'vouchers list': { argv: ['--campaign-id', 'camp_club'], nothing: 'no vouchers found' },
  'webhooks list': { argv: [], nothing: 'no webhooks found' },
  'profiles list': { argv: [], always: 1 },
}

/** Deliveries that no program receives have a row all the same. */
const nobody = ['--url', 'http://127.0.0.1:9/']

const discounted = join(temporaryFolder(), 'orders.csv')
writeFileSync(discounted, 'order,status,discount\nnobody-1,paid,5.00\n')

/** Lists that are never empty. */
const fixedLists: Record<string, string[]> = {
  commands: [],
  'config pull': [join(temporaryFolder(), 'files'), '--only', 'products', '--dry-run'],
  doctor: [],
  history: [],
  'jobs discard': ['latest', '--dry-run'],
  'customers forget': ['ada-1', '--dry-run'],
  'loyalty cards replace': ['CARD-0', '--dry-run'],
  'jobs prune': ['--older-than', '1ms', '--dry-run'],
  'ledger balances': [],
  'ledger export': [join(temporaryFolder(), 'files')],
  'ledger pull': [],
  'ledger query': ['select code from vouchers'],
  'ledger reconcile': [discounted, '--amounts-in', 'EUR'],
  mcp: ['--inspect'],
  'profiles show': ['sandbox'],
  'promotions tiers move': ['promo_1', '--first', '--dry-run'],
  'sandbox copy': ['--data', join(nowhere, 'copy.db'), '--dry-run'],
  'webhooks events': [],
  'webhooks resend': ['examples/delivery.json', 'examples/delivery.json', ...nobody],
  'webhooks trigger': ['voucher.gift.*', ...nobody],
  whoami: [],
}

/** Acts on the rows of a file: the columns, and a row. Each has one outcome; a table omits successful rows. */
const bulk: Record<string, { argv?: string[]; header: string; row: (at: string) => string; done: string }> = {
  'customers create': { header: 'source_id,name', row: (at) => `new-${at},Ann`, done: 'created or updated' },
  'customers delete': { header: 'source_id', row: (at) => `new-${at}`, done: 'deleted' },
  'customers update': { header: 'source_id,name', row: (at) => `ada-${at.split('-').at(-1)},Ann`, done: 'updated' },
  'events send': {
    header: 'event,customer.source_id',
    row: (at) => `tasting,shop-${at}`,
    done: 'sent',
  },
  'loyalty points add': { header: 'code,points,reason', row: (at) => `CARD-0,5,${at}`, done: 'added points to' },
  'loyalty points remove': { header: 'code,points,reason', row: (at) => `CARD-0,1,${at}`, done: 'removed points from' },
  'loyalty points transfer': {
    argv: ['--campaign', 'Club', '--to', 'CARD-1'],
    header: 'code,points,reason',
    row: (at) => `CARD-0,1,${at}`,
    done: 'moved points from',
  },
  'redemptions rollback': { header: 'id,reason', row: (at) => `r_none_${at},Late`, done: 'rolled back' },
  'campaigns vouchers add': { argv: ['Sale 0'], header: 'code', row: (at) => `A-${at}`, done: 'added' },
  'referrals holders add': { argv: ['FRIEND-2'], header: 'source_id', row: (at) => `shop-${at}`, done: 'added' },
  'referrals holders remove': { argv: ['FRIEND-2'], header: 'id', row: (at) => `rh_none_${at}`, done: 'removed' },
  'vouchers balance add': { header: 'code,amount,reason', row: (at) => `GIFT-0,5,${at}`, done: 'added credits to' },
  'vouchers balance remove': {
    header: 'code,amount,reason',
    row: (at) => `GIFT-0,1,${at}`,
    done: 'removed credits from',
  },
  'vouchers create': { header: 'code,type,gift.amount', row: (at) => `N-${at},GIFT_VOUCHER,500`, done: 'created' },
  'vouchers delete': { header: 'code', row: (at) => `D-${at}`, done: 'deleted' },
  'vouchers disable': { header: 'code', row: (at) => `D-${at}`, done: 'disabled' },
  'vouchers enable': { header: 'code', row: (at) => `D-${at}`, done: 'enabled' },
  'vouchers update': { header: 'code,metadata.shop', row: (at) => `D-${at},new`, done: 'updated' },
}

/** Continues a job made with these flags and rows; each row that is acted on has one outcome. */
interface Again {
  /** A verb that puts the rows into the state that the job changes. */
  before?: string
  argv?: string[]
  flags: string[]
  rows: (name: string, count: Count) => string[]
}

const again: Record<string, Again> = {
  'jobs resume': {
    flags: ['--max-errors', '0', '--concurrency', '1'],
    rows: (name, count) => [`NONE-${name}`, ...Array.from({ length: count }, (_, at) => `CARD-${at}`)],
  },
  'jobs retry': {
    argv: ['--only', 'failed'],
    flags: [],
    rows: (name, count) => ['CARD-0', ...Array.from({ length: count }, (_, at) => `NONE-${name}-${at}`)],
  },
  'jobs undo': {
    before: 'disable',
    flags: [],
    rows: (name, count) => [`NONE-${name}`, ...Array.from({ length: count }, (_, at) => `CARD-${at}`)],
  },
}

/** Answers about one thing; a name can be used once, so each format uses its own. */
const singles: Record<string, (format: Format, shop: Shop) => { argv: string[]; stdin?: string }> = {
  'customers show': () => ({ argv: ['cust_0'] }),
  'async wait': (_, { action }) => ({ argv: [action] }),
  'campaigns summary': () => ({ argv: ['Sale 0'] }),
  'campaigns vouchers import': () => ({ argv: ['Sale 0', '-', '--yes'], stdin: 'Code\nI-1\n' }),
  'products import': () => ({ argv: ['-', '--yes'], stdin: 'source_id,name\ndecaf,Decaf\n' }),
  'skus import': () => ({ argv: ['-', '--yes'], stdin: 'source_id,product_id\nS,P\n' }),
  'vouchers import': () => ({
    argv: ['-', '--yes'],
    stdin: 'Code,Voucher Type,Value,Discount Type\nI-2,DISCOUNT_VOUCHER,10,PERCENT\n',
  }),
  'projects stacking set': () => ({ argv: ['--limit', '10', '--yes'] }),
  'projects stacking get': () => ({ argv: [] }),
  'projects create': (format) => ({ argv: [`New ${format}`, '--yes'] }),
  'exports create': () => ({ argv: ['customers', '--yes'] }),
  'exports get': (_, { exported }) => ({ argv: [exported] }),
  'jobs show': (_, { job }) => ({ argv: [job] }),
  'loyalty cards get': () => ({ argv: ['CARD-0'] }),
  'loyalty transactions export': () => ({ argv: ['CARD-0', '--yes'] }),
  'vouchers transactions export': () => ({ argv: ['GIFT-0', '--yes'] }),
  'loyalty rewards redeem': () => ({
    argv: ['RICH-0', '--reward', 'rew_0', '--points', '1', '--amount', '500', '--yes'],
  }),
  'publications create': (format) => ({ argv: ['--voucher', 'OPEN-0', '--customer', `source_id=${format}`] }),
  'sandbox faults add': (_, { served }) => ({
    argv: ['--call', 'GET /v1/rewards', '--status', '503', '--data', served],
  }),
  'sandbox clock advance': () => ({ argv: ['1ms'] }),
  'sandbox clock resume': () => ({ argv: [] }),
  'sandbox clock set': () => ({ argv: ['2099-01-01'] }),
  'sandbox clock show': () => ({ argv: [] }),
  'sandbox snapshot load': (_, { listed }) => ({ argv: ['snapshot-0', '--data', listed] }),
  'sandbox snapshot save': (format, { served }) => ({ argv: [format, '--data', served] }),
  'sandbox status': () => ({ argv: [] }),
  'templates copy': (format, { project }) => ({ argv: ['tpl_0', '--to', project, '--name', `Copy ${format}`] }),
  'campaigns create': (format) => ({ argv: ['--set', `name=New ${format}`, '--set', 'campaign_type=PROMOTION'] }),
  'templates create': (format) => ({ argv: [`New ${format}`, '--campaign', 'camp_0'] }),
  'templates get': () => ({ argv: ['tpl_0'] }),
  'templates setup-campaign': (format) => ({
    argv: ['tpl_0', '--name', `Campaign ${format}`, '--set', 'active=false'],
  }),
  'templates setup-tier': (format) => ({
    argv: ['tpl_0', '--campaign', 'camp_terrace', '--name', `Tier ${format}`, '--set', 'active=false'],
  }),
  'templates update': (format) => ({ argv: ['tpl_0', '--description', format] }),
  'token introspect': (_, { token }) => ({ argv: [], stdin: token }),
  'token create': () => ({ argv: ['--scope', 'vouchers'] }),
  version: () => ({ argv: [] }),
  'vouchers get': () => ({ argv: ['CARD-0'] }),
  'webhooks create': (format) => ({ argv: ['--url', `https://x.example/${format}`, '--event', 'voucher.disabled'] }),
  'webhooks verify': () => ({ argv: ['examples/delivery.json', '--headers', 'examples/delivery.headers'] }),
  'webhooks get': () => ({ argv: ['wh_0'] }),
  'webhooks update': (format) => ({ argv: ['wh_0', '--url', `https://x.example/new-${format}`] }),
}

/** Answers about several things: the service's own object for programs, a line for each in a table and CSV. */
const verdicts: Record<string, { argv: (count: Count) => string[]; counts: readonly Count[]; nothing?: string }> = {
  'redemptions create': {
    argv: () => ['gift:GIFT-0=1', '--amount', '50000'],
    counts: [1],
  },
  'qualify campaigns': { argv: () => ['--amount', '5000'], counts, nothing: 'no campaign qualifies' },
  'validate promotions': { argv: () => ['--amount', '5000'], counts, nothing: 'no promotion applies' },
  'validate redeemables': {
    argv: (count) => [...Array.from({ length: count }, (_, at) => `D-table-3-${at}`), '--amount', '5000'],
    counts: [1, 3],
  },
}

/** Acts without a result: what must exist before, and the message afterwards. */
const silent: Record<string, { before: string[]; argv: (made: string) => string[]; stdin?: true; says: RegExp }> = {
  'templates delete': {
    before: ['templates', 'create', 'Short-lived', '--campaign', 'camp_0', '--json', '--query', 'id'],
    argv: (id) => [id, '--yes'],
    says: /^deleted template "camp_tpl_\w+"$/m,
  },
  'token revoke': {
    before: ['token', 'create', '--scope', 'api', '--raw'],
    argv: () => [],
    stdin: true,
    says: /^the token is revoked$/m,
  },
  'webhooks delete': {
    before: 'webhooks create --url https://x.example/gone --event voucher.* --json --query id'.split(' '),
    argv: (id) => [id, '--yes'],
    says: /^deleted webhook "wh_\w+"$/m,
  },
}

beforeAll(async () => {
  for (const count of counts) {
    const folder = temporaryFolder()
    const run = promoIn(folder)
    mkdirSync(join(folder, 'state', 'history'), { recursive: true })
    for (let day = 1; day <= count; day += 1)
      writeFileSync(join(folder, 'state', 'history', `2020-01-0${day}.jsonl`), '', { mode: 0o600 })
    writeFileSync(join(folder, 'shop.json'), JSON.stringify(shopWith(count)))
    await run(`sandbox seed --from ${join(folder, 'shop.json')}`)
    await run('profiles use sandbox')
    await run('ledger pull')
    await run('projects stacking set --limit 5 --yes')
    const [listed, served] = [join(folder, 'listed.db'), join(folder, 'served.db')]
    const faults = Array(count).fill({ call: 'GET /v1/rewards', reset: true })
    for (const file of [listed, served]) {
      const sandbox = await startSandbox({ file, port: 0, demo: false, ...(file === listed && { faults }) })
      for (let n = 0; n < count; n += 1) await fetch(`${sandbox.url}/v1/vouchers`)
      for (let n = 0; n < count && file === listed; n += 1)
        await sandbox.control.call('snapshot.save', { name: `snapshot-${n}` })
      onTestsEnd.push(sandbox.close)
    }
    shops.set(count, { run, listed, served, ...(await beginnings(run, count, folder)) })
  }
})
afterAll(async () => {
  for (const close of onTestsEnd) await close()
})

/** Each command with one of some counts, or all of them. */
function withCounts<Value>(commands: Record<string, Value>, some: readonly Count[] = counts) {
  return Object.entries(commands).map((entry, at) => [...entry, sampled(some, some.length, at)] as const)
}

describe.each(withCounts(lists, [1, 3]))('%s', (command, { argv, nothing, always = 0 }, rows) => {
  const some: Count[] = [0, ...rows]
  /** The first line of CSV, by the count. */
  const headers = new Map<Count, string>()

  test.each(some)('has the same shape with %i', async (count) => {
    const shop = shopOf(count)
    const rows = count + always
    const words = typeof argv === 'function' ? argv(shop, count) : argv

    const ran = await inAllFormats(shop, [...command.split(' '), ...words])

    headers.set(count, ran.csv.stdout.split('\n')[0] ?? '')
    expect(await withoutColumn(command, ran.json)).toEqual([])
    expect((JSON.parse(ran.json.stdout) as unknown[]).length).toBe(rows)
    if (rows === 0) expect(ran.json.stdout).toBe('[]\n')
    expect(linesOf(ran.jsonl).map((line) => typeof JSON.parse(line))).toEqual(Array(rows).fill('object'))
    // For an arbitrary endpoint the columns are unknown before the first row.
    expect(recordsOf(ran.csv)).toHaveLength(rows === 0 && command === 'api' ? 0 : rows + 1)
    expect(linesOf(ran.table)).toHaveLength(rows === 0 ? 0 : rows + 1)
    if (rows === 0) expect(ran.table.stderr).toMatch(new RegExp(`^${nothing}\\b`, 'm'))
    else expect(ran.table.stderr).not.toContain(nothing ?? 'nothing found')
  })

  test('has the same columns in CSV, whatever the count', () => {
    const given = some.flatMap((count) => headers.get(count) ?? [])

    expect(given).toHaveLength(some.length)
    expect(new Set(command === 'api' ? given.slice(1) : given).size).toBe(1)
  })
})

describe.each(Object.entries(fixedLists))('%s', (command, argv) => {
  test('is a list in every format', async () => {
    const ran = await inAllFormats(shopOf(1), [...command.split(' '), ...argv])

    expect(await withoutColumn(command, ran.json)).toEqual([])
    const rows = (JSON.parse(ran.json.stdout) as unknown[]).length
    expect(rows).toBeGreaterThan(0)
    expect(linesOf(ran.jsonl)).toHaveLength(rows)
    expect(recordsOf(ran.csv)).toHaveLength(rows + 1)
    expect(linesOf(ran.table)).toHaveLength(rows + 1)
  })
})

describe.each(withCounts(bulk))('%s', (command, { argv = [], header, row, done }, some) => {
  test.each(some)('has one outcome per row with %i', async (count) => {
    const shop = shopOf(3)
    const inputFor = (format: Format) =>
      [header, ...Array.from({ length: count }, (_, at) => row(`${format}-${count}-${at}`)), ''].join('\n')

    const ran = await inAllFormats(shop, [...command.split(' '), ...argv, '--from', '-', '--yes'], inputFor)

    const outcomes = JSON.parse(ran.json.stdout) as { t: string }[]
    expect(await withoutColumn(command, ran.json)).toEqual([])
    const lines = linesOf(ran.jsonl).map((line) => JSON.parse(line) as { t: string; total?: number })
    expect(outcomes.map(({ t }) => t)).toEqual(Array(count).fill('item'))
    expect(lines.map(({ t }) => t)).toEqual([...Array(count).fill('item'), 'summary'])
    expect(lines.at(-1)?.total).toBe(count)
    expect(recordsOf(ran.csv)).toHaveLength(count + 1)
    expect(ran.table.stderr).toMatch(new RegExp(`^${done} \\d+ `, 'm'))
    expect(ran.csv.stdout.split('\n')[0]).toMatch(/^line,/)
  })
})

describe('config apply', () => {
  test.each(counts)('has one outcome per step with %i', async (count) => {
    const ran: [Format, Ran][] = []
    for (const format of formats)
      ran.push([
        format,
        await shopOf(3).run(['config', 'apply', projectWith(count, '', format), '--yes', '--format', format]),
      ])

    const { table, json, jsonl, csv } = Object.fromEntries(ran) as Record<Format, Ran>
    expect(await withoutColumn('config apply', json)).toEqual([])
    expect((JSON.parse(json.stdout) as { t: string }[]).map(({ t }) => t)).toEqual(Array(count).fill('item'))
    expect(linesOf(jsonl).filter((line) => (JSON.parse(line) as { t: string }).t === 'item')).toHaveLength(count)
    expect(recordsOf(csv)).toHaveLength(count + 1)
    expect(table.stderr).toMatch(count === 0 ? /^nothing to do/m : new RegExp(`^applied ${count} `, 'm'))
  })
})

test('history undo has a row for each member of what it deletes', async () => {
  const { run } = shopOf(3)
  const ran: [Format, Ran][] = []
  for (const format of formats) {
    const id = await told(run, [
      ...'categories create --name'.split(' '),
      `Undo ${format}`,
      ...'--hierarchy 1 --json --query id'.split(' '),
    ])
    const change = await told(run, ['history', '--json', '--query', `[?subject=='${id}'].id | [0]`])
    ran.push([format, await run(['history', 'undo', change, '--yes', '--format', format])])
  }

  const { table, json, jsonl, csv } = Object.fromEntries(ran) as Record<Format, Ran>
  expect(await withoutColumn('history undo', json)).toEqual([])
  expect(JSON.parse(json.stdout).map(({ member }: { member: string }) => member)).toEqual(['name', 'hierarchy'])
  expect([linesOf(jsonl).length, recordsOf(csv).length]).toEqual([2, 3])
  expect(table.stdout).toMatch(/^categories\/cat_\w+ +delete +name +Undo table/m)
})

describe.each(withCounts(again))('%s', (command, { before, argv = [], flags, rows }, some) => {
  test.each(some)('has one outcome per row with %i', async (count) => {
    const shop = shopOf(3)
    const ran: [Format, Ran][] = []
    for (const format of formats) {
      const codes = rows(`${command.replace(' ', '-')}-${format}-${count}`, count)
      if (before !== undefined) await shop.run(['vouchers', before, ...codes, '--yes', '--restart'])
      await enable(shop.run, codes, flags)
      const id = await told(shop.run, ['jobs', 'list', '--json', '--query', '[0].id'])
      ran.push([format, await shop.run([...command.split(' '), id, ...argv, '--yes', '--format', format])])
    }

    const { json, jsonl, csv } = Object.fromEntries(ran) as Record<Format, Ran>
    const lines = linesOf(jsonl).map((line) => JSON.parse(line) as { t: string })
    expect((JSON.parse(json.stdout) as { t: string }[]).map(({ t }) => t)).toEqual(Array(count).fill('item'))
    expect(lines.filter(({ t }) => t === 'item')).toHaveLength(count)
    expect(recordsOf(csv)).toHaveLength(count + 1)
  })
})

// Before the commands that create campaigns, which qualify as well.
describe.each(Object.entries(verdicts))('%s', (command, { argv, counts: some, nothing }) => {
  test.each(some)('is one object for programs and %i lines for people', async (count) => {
    const shop = shopOf(count === 0 || command !== 'validate redeemables' ? count : 3)

    const ran = await inAllFormats(shop, [...command.split(' '), ...argv(count)])

    expect(Array.isArray(JSON.parse(ran.json.stdout))).toBe(false)
    expect(linesOf(ran.jsonl)).toHaveLength(1)
    expect(recordsOf(ran.csv)).toHaveLength(count + 1)
    expect(linesOf(ran.table)).toHaveLength(count === 0 ? 0 : count + 1)
    if (count === 0) expect(ran.table.stderr).toBe(`${nothing}\n`)
  })
})

describe.each(Object.entries(singles))('%s', (command, typed) => {
  test('is one object in every format', async () => {
    const ran = Object.fromEntries(
      await Promise.all(
        formats.map(async (format) => {
          const shop = shopOf(1)
          const { argv, ...input } = typed(format, shop)
          const env = { PROMO_WEBHOOK_SECRET: 'secretKey' }
          return [format, await shop.run([...command.split(' '), ...argv, '--format', format], { ...input, env })]
        }),
      ),
    ) as Record<Format, Ran>

    expect(await withoutColumn(command, ran.json)).toEqual([])
    expect(Array.isArray(JSON.parse(ran.json.stdout))).toBe(false)
    expect(linesOf(ran.jsonl).map((line) => typeof JSON.parse(line))).toEqual(['object'])
    expect(recordsOf(ran.csv)).toHaveLength(2)
    expect(ran.table.stdout).toMatch(/\S/)
  })
})

describe.each(Object.entries(silent))('%s', (command, { before, argv, stdin, says }) => {
  test.each(formats)('has no result as %s, and reports what it did', async (format) => {
    const shop = shopOf(1)
    const made = (await shop.run(before)).stdout.trim().replaceAll('"', '')

    const ran = await shop.run([...command.split(' '), ...argv(made), '--format', format], stdin && { stdin: made })

    expect(ran.exitCode).toBe(0)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toMatch(says)
  })
})

type Declared = { kind?: DeclaredKind }

test('every command with a result is listed exactly once', async () => {
  const withResult = Object.values(readManifest(root))
    .filter(({ flags }) => flags.format !== undefined)
    .map(({ id }) => id.replaceAll(':', ' '))

  const groups = [lists, fixedLists, bulk, again, singles, verdicts, silent]
  // These have a page of their own, or a result once a customer is forgotten (test/commands/ledger-*.test.ts).
  const apart = ['config apply', 'history undo', 'ledger report', 'ledger forget']
  const here = [...apart, ...groups.flatMap((group) => Object.keys(group))]
  const kinds = await Promise.all(
    withResult.map(async (id) => ((await classOf(id.replaceAll(' ', ':'))) as Declared).kind),
  )
  // The others that are declared as one call are in formats-declared.test.ts.
  const alike: (DeclaredKind | undefined)[] = ['read', 'list', 'write']
  const elsewhere = withResult.filter((id, at) => alike.includes(kinds[at]) && !here.includes(id))

  expect([...here, ...elsewhere].toSorted()).toEqual(withResult.toSorted())
})

/** Commands whose columns follow from what is called or resumed; and of an export, the address of a file, which is a secret. */
const own = {
  api: /./,
  'ledger query': /./,
  'jobs report': /^(?!promo_)|^promo_result_/,
  'exports get': /^result\.url$/,
  'exports list': /^result\.url$/,
}

/** The members of a result that are no column of its command; every record of a job has its sort in `t`. */
async function withoutColumn(command: string, { stdout }: Ran): Promise<string[]> {
  const sets = [...columnSetsOf((await classOf(command.replaceAll(' ', ':'))) as CommandClass), planColumns]
  const names = sets.flatMap(({ columns: all, also = [] }) => [...all.map(({ name }) => name), ...also])
  // One cell has everything in it, and an object may be absent.
  const isColumn = (path: string) =>
    names.some((name) => path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`))
  const members = [JSON.parse(stdout)].flat().flatMap((row: object) => leafPaths(row, () => false))
  const isOwn = (path: string) => ownValue(own, command)?.test(path) ?? false
  return [...new Set(members)].filter((path) => path !== 't' && !isColumn(path) && !isOwn(path))
}

/** A folder of files with this many objects that the project does not have. */
/** Gift cards without an end, each of which is a finding. */
function cardsIn(count: Count): string {
  const cards = (at: number) => ({
    name: `Cards ${at}`,
    campaign_type: 'GIFT_VOUCHERS',
    voucher: { type: 'GIFT_VOUCHER', gift: { amount: 500 } },
  })
  return folderWith(Object.fromEntries(Array.from({ length: count }, (_, at) => [`campaigns/${at}.yaml`, cards(at)])))
}

function projectWith(count: Count, more = '', name = 'new'): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'categories'))
  writeFileSync(join(folder, 'promo.yaml'), 'format: 1\nkinds: [categories]\n')
  for (let at = 0; at < count; at += 1)
    writeFileSync(
      join(folder, 'categories', `${name}-${at}.yaml`),
      `name: ${name} ${count} ${at}\nhierarchy: 1\n${more}\n`,
    )
  return folder
}

async function inAllFormats(
  { run }: Shop,
  argv: string[],
  inputFor?: (format: Format) => string,
): Promise<Record<Format, Ran>> {
  const ran = []
  for (const format of formats) {
    const options = inputFor === undefined ? {} : { stdin: inputFor(format) }
    ran.push([format, await run([...argv, '--format', format], options)])
  }
  return Object.fromEntries(ran)
}

function linesOf({ stdout }: Ran): string[] {
  return stdout.split('\n').slice(0, -1)
}

function recordsOf({ stdout }: Ran): string[][] {
  return parse(stdout)
}

/** Creates what no fixture holds: this many exports, profiles and jobs, the last job with this many rows, and a token. */
async function beginnings(
  run: Shop['run'],
  count: Count,
  folder: string,
): Promise<Omit<Shop, 'run' | 'listed' | 'served'>> {
  const env = { PROMO_APP_ID: 'app', PROMO_APP_TOKEN: 'application-token' }
  const stored = ['--base-url', 'http://127.0.0.1:1', '--insecure-storage', '--no-input']
  for (let made = 0; made < count; made += 1) {
    await run('loyalty transactions export CARD-0 --yes')
    await run(['profiles', 'add', `p${made}`, ...stored], { env })
    await enable(run, cards(count), ['--max-errors', String(100 + made)])
  }
  const inItsOwnFolder = join(folder, 'job')
  return {
    job:
      count === 0
        ? await enable(run, [], ['--journal', inItsOwnFolder]).then(() => inItsOwnFolder)
        : await told(run, ['jobs', 'list', '--json', '--query', '[0].id']),
    action: await run('vouchers import - --yes --json --query async_action_id', {
      stdin: 'Code,Voucher Type,Value,Discount Type\nFIRST,DISCOUNT_VOUCHER,10,PERCENT\n',
    }).then(({ stdout }) => stdout.trim().replaceAll('"', '')),
    exported: await told(run, ['exports', 'list', '--json', '--query', '[0].id']),
    project: await told(run, ['sandbox', 'status', '--json', '--query', 'project_id']),
    token: await told(run, ['token', 'create', '--scope', 'api', '--raw']),
  }
}

/** Returns the single value a command line prints. */
async function told(run: Shop['run'], argv: string[]): Promise<string> {
  return (await run(argv)).stdout.trim().replaceAll('"', '')
}

function cards(count: Count): string[] {
  return Array.from({ length: count }, (_, at) => `CARD-${at}`)
}

/** Makes a job. */
async function enable(run: Shop['run'], codes: string[], flags: string[]): Promise<void> {
  await run(['vouchers', 'enable', '--from', '-', '--yes', ...flags], { stdin: ['code', ...codes, ''].join('\n') })
}

/** A fixture in which every list has this many rows. */
function shopWith(count: Count) {
  const each = <Made>(make: (at: number) => Made, most: number = count) =>
    Array.from({ length: most }, (_, at) => make(at))
  const percent = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } }
  const points = { type: 'LOYALTY_CARD', loyalty_card: { points: 0, balance: 0 } }
  const change = (voucher: string, campaign: string, at: number, balance: number) => ({
    id: `vtx_${voucher}_${at}`,
    voucher_id: voucher,
    campaign_id: campaign,
    type: 'POINTS_ADDITION',
    details: { balance: { type: 'loyalty_card', object: 'balance', points: 1, total: balance, balance } },
    created_at: `2026-01-0${at + 1}T00:00:00.000Z`,
  })
  const club = { campaign_type: 'LOYALTY_PROGRAM', type: 'STANDALONE', voucher: points }
  const friends = {
    id: 'camp_friends',
    name: 'Friends',
    campaign_type: 'REFERRAL_PROGRAM',
    type: 'STANDALONE',
    active: false,
  }
  const deletable = formats.flatMap((format) =>
    counts.flatMap((most) => each((at) => `D-${format}-${most}-${at}`, most)),
  )
  return {
    event_schemas: [{ name: 'tasting' }],
    customers: each((at) => ({ id: `cust_${at}`, source_id: `ada-${at}` })),
    products: [{ id: 'prod_1', name: 'Beans' }],
    skus: each((at) => ({ id: `sku_${at}`, product_id: 'prod_1', sku: `Beans ${at}` })),
    campaigns: [
      { id: 'camp_club', name: 'Club', ...club },
      { id: 'camp_damaged', name: 'Damaged', ...club },
      { id: 'camp_rich', name: 'Rich', ...club },
      { id: 'camp_terrace', name: 'Terrace', campaign_type: 'PROMOTION', active: true },
      { ...friends, voucher: { ...percent, is_referral_code: true } },
      ...each((at) => ({
        id: `camp_${at}`,
        name: `Sale ${at}`,
        campaign_type: 'DISCOUNT_COUPONS',
        active: true,
        voucher: percent,
      })),
    ],
    vouchers: [
      ...each((at) => ({ id: `v_${at}`, code: `CARD-${at}`, campaign_id: 'camp_club', ...points })),
      {
        id: 'v_rich',
        code: 'RICH-0',
        campaign_id: 'camp_rich',
        type: 'LOYALTY_CARD',
        loyalty_card: { points: 100, balance: 100 },
      },
      { code: 'OPEN-0', ...percent },
      { code: 'GIFT-0', type: 'GIFT_VOUCHER', gift: { amount: 5000, balance: 5000 } },
      { id: 'v_damaged', code: 'DAMAGED-1', campaign_id: 'camp_damaged', ...points },
      ...['1', '2'].map((at) => ({
        id: `v_friend_${at}`,
        code: `FRIEND-${at}`,
        campaign_id: 'camp_friends',
        ...percent,
        is_referral_code: true,
        publish: { count: 1 },
      })),
      ...deletable.map((code) => ({ code, ...percent })),
    ],
    loyalty_transactions: [
      ...each((at) => change(`v_${at}`, 'camp_club', 0, 1)),
      // Each one after the first is ten too high.
      ...each((at) => change('v_damaged', 'camp_damaged', at, 1 + at * 11), count + 1),
    ],
    pending_points: each((at) => ({
      id: `lopp_${at}`,
      voucher_id: 'v_rich',
      order_id: `ord_${at}`,
      points: 1,
      activates_at: '2999-01-01',
      details: {
        order: { id: `ord_${at}`, source_id: null },
        event: { id: 'ev_paid', type: 'customer.order.paid' },
        earning_rule: { id: 'ern_1', source: { banner: 'Later' } },
      },
    })),
    points_buckets: each((at) => ({ voucher_id: 'v_damaged', points: 1, expires_at: `2099-01-0${at + 1}` })),
    rewards: each((at) => ({
      id: `rew_${at}`,
      name: `Reward ${at}`,
      type: 'COIN',
      parameters: { coin: { exchange_ratio: 1, points_ratio: 1 } },
    })),
    reward_assignments: ['camp_club', 'camp_rich'].flatMap((campaign) =>
      each((at) => ({ id: `rewa_${campaign}_${at}`, reward_id: `rew_${at}`, related_object_id: campaign })),
    ),
    redeemable_holders: each((at) => ({
      id: `rh_${at}`,
      redeemable_id: 'v_friend_1',
      customer_id: `cust_${at}`,
      holder_role: 'REFEREE',
    })),
    promotion_tiers: each((at) => ({
      id: `promo_${at}`,
      name: `Tier ${at}`,
      campaign_id: 'camp_terrace',
      hierarchy: at + 1,
      active: true,
      action: { discount: percent.discount },
    })),
    templates: each((at) => ({
      id: `tpl_${at}`,
      name: `Template ${at}`,
      campaign_type: 'DISCOUNT_COUPONS',
      json_template: { object: 'campaign', type: 'AUTO_UPDATE', voucher: percent },
    })),
    webhooks: each((at) => ({
      id: `wh_${at}`,
      target_url: `http://127.0.0.1:9/${at}`,
      events: ['voucher.disabled'],
      active: false,
    })),
  }
}
