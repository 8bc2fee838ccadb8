// `promo ledger reconcile`: the orders of a shop, or the service's own, beside the copy; what is found, and what to type next.
import { formatCount, formatNumber } from '../../../base/numbers.ts'
import { ownValue } from '../../../base/record.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { sanitize } from '../../../base/text/sanitize.ts'
import { inputError } from '../../../bulk/input/input-error.ts'
import { sourceName } from '../../../bulk/input/source.ts'
import { EXIT, type ExitCode, usageError } from '../../../errors.ts'
import { completeUntil } from '../../../ledger/completeness.ts'
import type { Copy } from '../../../ledger/copy.ts'
import { kinds } from '../../../ledger/reconcile/kinds.ts'
import { comparedTables, type Difference, differences } from '../../../ledger/reconcile/reconcile.ts'
import { type RemedyName, remedies } from '../../../ledger/reconcile/remedies.ts'
import { type Scope, shopTables, type Tables } from '../../../ledger/reconcile/tables.ts'
import type { ColumnSet } from '../../../output/column.ts'
import { differenceColumns } from '../../../output/columns/differences.ts'
import { readingFlags } from '../../flags/flags.ts'
import type { ValuesOf } from '../../flags/kinds.ts'
import { timeRangeFrom } from '../../flags/time.ts'
import { keepHeapSmall } from '../../heap.ts'
import type { Messages } from '../../result/messages.ts'
import type { OutputFlags } from '../../result/output.ts'
import type { Run } from '../../session/run.ts'
import { mustBeExplained, readOrders, statesBy } from './orders-file.ts'

/** Which orders are compared, and which differences are wanted. */
export type ReconcileRun = Pick<Run, 'host' | 'show' | 'clock'>

interface ReconcileFlags extends ValuesOf<typeof readingFlags>, OutputFlags {
  profile?: string | undefined
  data?: string | undefined
  orders?: 'promo' | undefined
  'order-id'?: string | undefined
  status?: string[] | undefined
  since?: string | undefined
  until?: string | undefined
  only?: string[] | undefined
  ignore?: string[] | undefined
  fix?: RemedyName | undefined
}

/** Fewer orders of a file may all be new. */
const enoughOrders = 10

/** Returns the columns of the file that a remedy takes. */
export function fixColumnsOf(name: RemedyName): ColumnSet {
  const columns = remedies[name].columns.map((column) => ({ name: column, kind: 'verbatim' as const }))
  return { closed: true, columns }
}

/** Throws `usage` for a kind that does not exist. */
export function mustBeKinds(names: readonly string[]): void {
  const unknown = names.find((name) => !kinds.some((kind) => kind.name === name))
  if (unknown !== undefined)
    throw usageError(
      `there is no kind of difference "${unknown}"`,
      `one of ${kinds.map(({ name }) => name).join(', ')}`,
    )
}

/** Compares, writes what is found, and returns 12 where that is anything. */
export async function reconcile(
  from: string | undefined,
  flags: ReconcileFlags,
  copy: Copy,
  run: ReconcileRun,
): Promise<ExitCode> {
  const { show } = run
  keepHeapSmall()
  const tables = shopTables(copy)
  await fill(tables, from, flags, run)
  mustBeExplained(tables)
  const scope = await scopeOf(tables, from, flags, copy, run)
  tables.join(scope)
  const about = tables.count()
  const name = from === undefined ? 'the copy' : sourceName(from)
  mustMatch(about, name, from)
  warnOfGaps(tables, scope, copy, show)

  const tally = newTally()
  const choice = { only: flags.only, ignored: flags.ignore }
  const found = tallied(differences(tables, copy, { scope, choice, nowMs: run.host.now() }), tally)
  const { fix } = flags
  if (fix !== undefined)
    await show.rows(rowsOf(fix, found), fixColumnsOf(fix), { nothing: `nothing that ${fix} repairs` })
  else if (show.isTable && flags.format === undefined && flags.columns === undefined)
    await show.text(textOf(found, from !== undefined))
  else await show.rows(shown(found), differenceColumns, { nothing: '' })
  show.say(summaryOf(tally, about.orders, name))
  for (const line of nextSteps(tally, from, flags)) show.say(line)
  return tally.found === 0 ? EXIT.ok : EXIT.no
}

/** Reads the orders. Throws `input` and `usage`. */
async function fill(tables: Tables, from: string | undefined, flags: ReconcileFlags, run: ReconcileRun): Promise<void> {
  const only = flags['order-id']
  if (from !== undefined) {
    await readOrders({ from, only }, flags, tables, run)
    if (only !== undefined && tables.count().orders === 0)
      throw inputError(`${sourceName(from)} has no order "${only}"`)
    return
  }
  // A word alone is the state of the one order.
  const [word, ...more] = (flags.status ?? []).filter((text) => !text.includes('='))
  const stateOf = statesBy(flags.status?.filter((text) => text.includes('=')))
  if (more.length > 0 || (word !== undefined && only === undefined))
    throw usageError(
      `--status "${word}" is the state of one order`,
      `--order-id NUMBER, or --status ${shellWord(`${word}=paid`)}`,
    )
  tables.addOwn((status) => ({ word: word ?? status, state: stateOf(word ?? status) ?? '' }), only)
  if (only !== undefined && tables.count().orders === 0)
    throw inputError(`the copy has no order "${only}"`, 'promo ledger pull, if it is new')
}

async function scopeOf(
  tables: Tables,
  from: string | undefined,
  flags: ReconcileFlags,
  copy: Copy,
  run: ReconcileRun,
): Promise<Scope> {
  const { since, until } = flags
  const clock = await run.clock()
  const iso = (ms: number) => new Date(ms).toISOString()
  const times = tables.times()
  const first = since === undefined ? times.from : iso(timeRangeFrom(since, clock).fromMs)
  const last = until === undefined ? times.until : iso(timeRangeFrom(until, clock).untilMs)
  const isOnly = flags['order-id'] !== undefined
  const period =
    from === undefined
      ? { from: '', until: '~' }
      : first === null || last === null
        ? undefined
        : { from: first, until: last }
  return {
    isOnly,
    ...(!isOnly && period && { period }),
    ...(last !== null && { until: last }),
    ignoresCase: copy.about('code_case') === 'insensitive',
  }
}

/** Throws `input` where orders are called by other names on both sides: everything would be a difference. */
function mustMatch(
  { orders, matched, first, firstOfService }: ReturnType<Tables['count']>,
  name: string,
  from: string | undefined,
): void {
  if (from === undefined || matched > 0 || orders < enoughOrders || firstOfService === null) return
  throw inputError(
    `no order of ${name} has a redemption: its first is called "${first}", and one of the service "${firstOfService}"`,
    '--map TITLE=order, with the column that has the numbers of the service',
  )
}

function warnOfGaps(tables: Tables, scope: Scope, copy: Copy, { warn, say }: Messages): void {
  const until = completeUntil(copy, comparedTables)
  if (until === undefined)
    warn('warning: the copy was never complete: what is missing in it is not told; run promo ledger pull')
  if (scope.isOnly) return
  const { period } = scope
  if (period?.until !== '~' && period !== undefined)
    say(
      `every order from ${period.from} to ${period.until} is taken to be in the input; --since and --until say otherwise`,
    )
  const unjudged = tables.unjudged(scope)
  if (unjudged === 0) return
  const whose = `${formatCount(unjudged, 'redemption')} of orders that are not in the input`
  if (period === undefined)
    warn(`warning: not judged: ${whose}; --since and --until say of which time it has every order`)
  else say(`not judged: ${whose}, and of another time`)
}

/** What was found, counted. */
interface Tally {
  found: number
  undecided: number
  late: number
  orders: Set<string | null>
  money: number
  points: number
  fixes: Map<RemedyName, Set<string>>
}

function newTally(): Tally {
  return { found: 0, undecided: 0, late: 0, orders: new Set(), money: 0, points: 0, fixes: new Map() }
}

function* tallied(found: Iterable<Difference>, tally: Tally): Generator<Difference> {
  for (const one of found) {
    tally.found += 1
    if (!one.decided) tally.undecided += 1
    if ((one.days_left ?? 0) < 0) tally.late += 1
    tally.orders.add(one.order)
    tally.money += one.money ?? 0
    tally.points += one.points ?? 0
    const { remedy } = one
    if (remedy !== undefined) {
      const keys = tally.fixes.get(remedy.name) ?? new Set()
      keys.add(keyOf(remedy.row, remedy.name))
      tally.fixes.set(remedy.name, keys)
    }
    yield one
  }
}

/** What was made together is rolled back once. */
function keyOf(row: Readonly<Record<string, string>>, name: RemedyName): string {
  return name === 'rollback' ? (row.id ?? '') : JSON.stringify(row)
}

function* rowsOf(fix: RemedyName, found: Iterable<Difference>): Generator<object> {
  const seen = new Set<string>()
  for (const { remedy } of found) {
    if (remedy?.name !== fix) continue
    const key = keyOf(remedy.row, fix)
    if (!seen.has(key)) yield remedy.row
    seen.add(key)
  }
}

function* shown(found: Iterable<Difference>): Generator<object> {
  for (const { remedy: _, ...difference } of found) yield difference
}

async function* textOf(found: Iterable<Difference>, isOfFile: boolean): AsyncGenerator<string> {
  let before: string | null | undefined
  for (const { order, kind, message, days_left, shop, redemption, ...one } of found) {
    const line = ownValue((shop ?? {}) as Record<string, number>, 'line')
    const place = line === undefined || !isOfFile ? '' : `, line ${line}`
    if (order !== before || order === null)
      yield `${sanitize(`${order === null ? `redemption ${redemption}` : `order ${order}${place}`}`)}\n`
    before = order
    const left =
      days_left === null
        ? ''
        : days_left < 0
          ? `; too late to roll back since ${formatCount(-days_left, 'day')}`
          : `; ${days_left === 0 ? 'less than a day' : formatCount(days_left, 'day')} left to roll it back`
    yield `  ${kind}\n    ${sanitize(message)}${left}.\n`
    if (one.do !== null) yield `    do: ${sanitize(one.do)}\n`
  }
}

function summaryOf({ found, undecided, late, orders, money, points }: Tally, all: number, name: string): string {
  const where = `${formatCount(all, 'order')} of ${name}`
  if (found === 0) return `nothing differs: ${where}`
  const stake = [
    ...(money > 0 ? [`${formatNumber(money)} in money`] : []),
    ...(points > 0 ? [formatCount(points, 'point')] : []),
  ]
  const parts = [
    `${formatCount(found, 'difference')} in ${formatCount(orders.size, 'order')}, compared with ${where}`,
    ...(stake.length > 0 ? [`at stake: ${stake.join(', ')}`] : []),
    ...(late > 0 ? [`${formatNumber(late)} too late to roll back`] : []),
    ...(undecided > 0 ? [`${formatNumber(undecided)} cannot be decided by this data`] : []),
  ]
  return parts.join('; ')
}

/** The command for each remedy: what writes its file, and what takes it. */
function* nextSteps({ fixes }: Tally, from: string | undefined, flags: ReconcileFlags): Generator<string> {
  const { fix, out } = flags
  for (const [name, keys] of fixes) {
    if (fix !== undefined && (fix !== name || out === undefined)) continue
    const file = fix === undefined ? `${name}.csv` : (out ?? '')
    const { does, command } = remedies[name]
    const repair = `promo ${command} --from ${shellWord(file)}`
    const write = fix === undefined ? `${commandLine(from, flags)} --fix ${name} --out ${file}; then ` : ''
    yield `to ${does} ${formatNumber(keys.size)}: ${write}${repair}`
  }
}

const kept = ['data', 'orders', 'order-id', 'status', 'since', 'until', 'only', 'ignore', ...Object.keys(readingFlags)]
const lists = new Set(['only', 'ignore', 'ignore-columns'])

/** The command line as it was typed, without what shapes the result. */
function commandLine(from: string | undefined, flags: ReconcileFlags): string {
  const words = kept.flatMap((name) => {
    const value = Reflect.get(flags, name) as string | boolean | string[] | undefined
    if (value === undefined || value === false) return []
    if (value === true) return [`--${name}`]
    const values = lists.has(name) ? [(value as string[]).join(',')] : [value].flat()
    return values.flatMap((one) => [`--${name}`, one])
  })
  return [
    'promo ledger reconcile',
    ...[...(from === undefined ? [] : [from]), ...words].map((word) => shellWord(word)),
  ].join(' ')
}
