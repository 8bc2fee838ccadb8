// The expected results for the carts of a file: one for each cart, or one for each line that is named.
import { readRecords } from '../../../bulk/input/csv-records.ts'
import { inputError } from '../../../bulk/input/input-error.ts'
import { sourceName } from '../../../bulk/input/source.ts'
import { inputText } from '../../request/input-text.ts'
import { jsonOf } from '../../request/json-file.ts'
import type { Input } from '../../run/host.ts'
import { comparedFields, type ExpectedAnswer } from './comparison.ts'

/** What is expected, by the line of the cart in its file. */
export type Expectations = ReadonlyMap<number, ExpectedAnswer>

/**
 * Reads expectations from CSV, or from JSON Lines if the file name says so; output of `--csv` and `--jsonl` is accepted.
 *
 * With a field `line` they may cover only some carts; without it there is one for each cart, in order. Throws `input`
 * (exit 2) for a line that expects nothing, for an invalid value, and for carts and expectations that do not match.
 */
export async function expectationsFrom(from: string, cartLines: readonly number[], host: Input): Promise<Expectations> {
  const name = sourceName(from)
  const content = await inputText(from, host)
  const records = /\.(jsonl|ndjson)$/i.test(from) ? fromJsonLines(content, name) : fromCsv(content, name)
  const isByLine = records.some(({ line }) => line !== undefined && line !== '')
  if (!isByLine && records.length !== cartLines.length) {
    throw inputError(
      `${name} has ${records.length} expectations for ${cartLines.length} carts`,
      'name the carts by "line"',
    )
  }
  const known = new Set(cartLines)
  const expectations = new Map<number, ExpectedAnswer>()
  for (const [at, record] of records.entries()) {
    const place = `${name}, expectation ${at + 1}`
    const line = isByLine ? Number(record.line) : (cartLines[at] as number)
    if (!known.has(line)) throw inputError(`${place}: there is no cart on line ${String(record.line)}`)
    if (expectations.has(line)) throw inputError(`${place}: line ${line} is expected twice`)
    expectations.set(line, expectedOf(record, place))
  }
  return expectations
}

type Raw = Record<string, unknown>

function fromJsonLines(content: string, name: string): Raw[] {
  return content
    .split('\n')
    .map((line, at) => [line, at + 1] as const)
    .filter(([line]) => line.trim() !== '')
    .map(([line, number]) => {
      const value = jsonOf(line, `${name}, line ${number}`)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Raw
      throw inputError(`${name}, line ${number}: is not an object`)
    })
    .filter(({ t }) => t !== 'summary')
}

function fromCsv(content: string, name: string): Raw[] {
  const { records } = readRecords(Buffer.from(content), { delimiter: ',' }, { isLast: true })
  const [header = [], ...rows] = records.map((record) => {
    if ('rule' in record) throw inputError(`${name}, ${record.message}`)
    return record.values.map((value) => value.trim())
  })
  return rows.map((values, at) => {
    if (values.length === header.length) return Object.fromEntries(header.map((field, index) => [field, values[index]]))
    throw inputError(`${name}, expectation ${at + 1}: has ${values.length} of ${header.length} values`)
  })
}

function expectedOf(record: Raw, place: string): ExpectedAnswer {
  const expected: ExpectedAnswer = {}
  for (const field of comparedFields) {
    const given = record[field]
    if (given === undefined || given === null || given === '') continue
    if (field === 'valid') expected.valid = booleanOf(given, place)
    else if (field === 'statuses') expected.statuses = statusesOf(given, place)
    else expected[field] = amountOf(given, place, field)
  }
  if (Object.keys(expected).length > 0) return expected
  throw inputError(`${place}: expects nothing; it may name ${comparedFields.join(', ')}`)
}

function booleanOf(given: unknown, place: string): boolean {
  if (given === true || given === 'true') return true
  if (given === false || given === 'false') return false
  throw inputError(`${place}: valid is true or false, not ${JSON.stringify(given)}`)
}

function amountOf(given: unknown, place: string, field: string): number {
  const amount = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given
  if (typeof amount === 'number' && Number.isSafeInteger(amount)) return amount
  throw inputError(`${place}: ${field} is a whole number, not ${JSON.stringify(given)}`)
}

/** A list in JSON, or in one cell: as JSON, or as words separated by spaces. */
function statusesOf(given: unknown, place: string): string[] {
  const list = typeof given === 'string' && given.startsWith('[') ? jsonOf(given, place) : given
  const words = typeof list === 'string' ? list.split(/[\s;]+/) : list
  const known = ['APPLICABLE', 'INAPPLICABLE', 'SKIPPED']
  if (Array.isArray(words) && words.every((word) => known.includes(word))) return words as string[]
  throw inputError(`${place}: statuses are some of ${known.join(', ')}, not ${JSON.stringify(given)}`)
}
