// Rows that filters choose: the objects of a list, read once before the question, and from then on the rows of a job like any others.

import { listNames } from '../../../base/name-list.ts'
import { formatCount, formatNumber } from '../../../base/numbers.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { inputChecksum } from '../../../bulk/input/input-checksum.ts'
import { keyFields, type Row } from '../../../bulk/input/row.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { usageError } from '../../../errors.ts'
import type { Resolved } from '../../../profiles/resolve.ts'
import { type DateFlags, withinDates } from '../../flags/dates.ts'
import type { Clock } from '../../flags/time.ts'
import { shownValue } from '../../prompt/asked-value.ts'
import { type AnyFilters, listedBy } from '../../result/listed-by.ts'
import type { BulkDefinition, OwnRows } from '../definition.ts'
import type { RunPlan } from '../run-plan.ts'
import { keysOf } from './read.ts'

/** How the objects of a list become the rows of a command. */
export interface ChosenObjects {
  /** Flags of the command that choose by themselves, where nothing else names rows. */
  also?: readonly string[]
  /** The fields of a row; undefined: there is nothing to write about the object. Absent: the key. */
  rowOf?: (object: Record<string, unknown>) => Record<string, unknown> | undefined
}

/** A command line with filters. */
interface ChoosingLine {
  flags: object
  /** The same as they were typed, with names for ids. */
  typed: Record<string, unknown>
  plan: RunPlan
  given: (profile: Resolved) => object
  clock: (profile: Resolved) => Clock
}

/** How many rows are shown before the question. */
const firstRows = 3

/**
 * Returns what a bulk command needs to act on the rows that its filters choose. Nothing is read yet.
 *
 * Throws `usage` where rows are named, too, and for --except without a filter.
 */
export function chosenRows(
  choosing: AnyFilters & ChosenObjects,
  filters: readonly string[],
  items: readonly string[] | undefined,
  line: ChoosingLine,
  { words: { noun, key }, endpoint }: Pick<BulkDefinition<Endpoint>, 'words' | 'endpoint'>,
): OwnRows | undefined {
  const flags = line.flags as Record<string, unknown>
  const { typed, plan } = line
  const { except } = plan
  const own = filters.filter((name) => typed[name] !== undefined)
  const isNamed = items !== undefined || plan.reading !== undefined
  if (isNamed && own.length === 0 && except === undefined) return undefined
  const by = [...own, ...(choosing.also ?? []).filter((name) => typed[name] !== undefined)]
  const words = by.flatMap((name) => wordsOf(name, typed[name])).join(' ')
  if (isNamed) {
    const what = own.length === 0 ? '--except' : words
    throw usageError(`${what} chooses from a list, and rows are named, too: give either of them`)
  }
  if (by.length === 0) throw usageError('--except leaves out some of what a filter chooses, and there is no filter')
  const sum = inputChecksum()
  const left = { out: 0, of: 0 }

  async function* rows(): AsyncGenerator<Row> {
    const excepted = except === undefined ? [] : await keysOf(undefined, except, { noun, key }, endpoint)
    const names = new Set(excepted.map(asName))
    left.of = names.size
    const { concurrency, rate } = plan.pace
    const session = await plan.connect({ concurrency, ...(rate !== undefined && { rate }) })
    const { client, profile } = session
    // What the command itself sets may have the name of a filter.
    const isSet = (name: string) => Object.hasOwn(choosing.flags ?? {}, name) && !filters.includes(name)
    const values = Object.fromEntries(Object.entries(flags).filter(([name]) => !isSet(name)))
    const given = Object.create(line.given(profile), { flags: { value: values } })
    const clock = line.clock(profile)
    const about = { filters: choosing, given, flags: { ...values, all: true }, clock }
    const isWithin = withinDates(choosing.calls[0], values as DateFlags, clock)
    let count = 0
    try {
      const { pages } = await listedBy(about as never, client, plan.show)
      for await (const object of objectsOf(pages)) {
        if (!isWithin(object)) continue
        if (namesOf(object).some((name) => names.has(asName(name)))) left.out += 1
        else {
          const fields = choosing.rowOf ? choosing.rowOf(object) : keyFields(key, String(object[key] ?? object.id))
          if (fields === undefined) continue
          sum.add(`${JSON.stringify(fields)}\n`)
          count += 1
          yield { line: count, key: String(fields[key]), fields: Object.assign(Object.create(null), fields) }
        }
      }
    } catch (error) {
      await session.close()
      throw error
    }
    await session.leave()
  }

  return {
    read: () => ({
      rows: rows(),
      name: words,
      input: 'filter',
      sha256: sum.sha256,
      sha256Now: async () => sum.sha256(),
      placeOf: (at) => `row ${at}`,
      layout: () => ({ columns: [key] }),
    }),
    told({ count, sample }) {
      const first = listNames(
        sample(firstRows).map(({ key }) => shownValue(key)),
        firstRows,
      )
      const more = count > firstRows ? `, and ${formatNumber(count - firstRows)} more` : ''
      const rows = count === 0 ? '' : `: ${first}${more}`
      const besides =
        except === undefined
          ? ''
          : `, without ${formatNumber(left.out)} of the ${formatNumber(left.of)} in ${except.from === '-' ? 'standard input' : shellWord(except.from)}`
      return `${words} chooses ${formatCount(count, noun)}${besides}${rows}`
    },
  }
}

async function* objectsOf(pages: AsyncIterable<object[]>): AsyncGenerator<Record<string, unknown>> {
  for await (const page of pages) yield* page as Record<string, unknown>[]
}

/** By what a file may name an object. */
function namesOf(object: Record<string, unknown>): string[] {
  return ['code', 'id', 'source_id', 'email', 'phone'].flatMap((name) => {
    const value = object[name]
    return typeof value === 'string' ? [value] : []
  })
}

/** The case of an e-mail address does not matter. */
function asName(text: string): string {
  return text.includes('@') ? text.toLowerCase() : text
}

/** A flag as it is typed. */
function wordsOf(name: string, value: unknown): string[] {
  if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`]
  return [value].flat().map((one) => `--${name} ${shellWord(String(one))}`)
}
