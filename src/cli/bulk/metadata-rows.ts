// The metadata of rows follows the schema of the project: it decides what the text of a cell becomes. What it became is kept with the
// row, so that every run of a job sends the same request.
import { ownValue } from '../../base/record.ts'
import { truthOf } from '../../base/spreadsheet-shapes.ts'
import { readStrictJson } from '../../base/strict-json.ts'
import { metadataColumn } from '../../bulk/input/report-columns.ts'
import { type BadRow, badFrom, isBad, type Row } from '../../bulk/input/row.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type MetadataProperty, valueProblem } from '../../contract/metadata-property.ts'
import { listMetadataSchemas } from '../../contract/metadata-schemas.ts'
import type { WrittenValues } from '../request/written-values.ts'
import { tryRead } from '../result/try-read.ts'
import type { InputRows } from './definition.ts'
import type { RunPlan } from './run-plan.ts'

interface Schema {
  related_object?: string | undefined
  allow_defined_only?: boolean
  properties?: Record<string, MetadataProperty>
}

/** The kinds of objects whose metadata a command writes, by the beginning of the id of its call. */
const kinds = {
  'campaigns.vouchers': 'voucher',
  customers: 'customer',
  events: undefined,
  loyalty: 'redemption',
  publications: 'publication',
  redemptions: 'redemption',
  referrals: 'customer',
  validations: 'redemption',
  vouchers: 'voucher',
}

/** The kinds that metadata of a part of a body belongs to. */
const parts = { customer: 'customer', holder: 'customer', order: 'order', referrer: 'customer', reward: 'reward' }

/**
 * Returns the rows with what the cells of their metadata become. The schemas are read once, before the first row that has any; a dry run
 * reads nothing. A cell that the schema refuses makes its row bad. Where the key may not read them, or a kind has none, cells are read
 * as without a schema, and a warning says the former.
 */
export function withMetadata(input: InputRows, { id }: Endpoint, plan: RunPlan): InputRows {
  const own = Object.entries(kinds).find(([start]) => id.startsWith(`${start}.`))?.[1]
  return { ...input, rows: completeRows() }

  async function* completeRows(): AsyncGenerator<Row | BadRow> {
    let schemas: readonly Schema[] | undefined
    let written: WrittenValues | undefined
    for await (const row of input.rows) {
      const cells = isBad(row) ? [] : Object.entries(row.fields).flatMap(([name, text]) => cellOf(name, text) ?? [])
      if (cells.length > 0) {
        schemas ??= await readSchemas()
        written ??= await plan.written()
      }
      yield cells.length === 0 || schemas?.length === 0 ? row : complete(row as Row, cells, schemas ?? [], written)
    }
  }

  function cellOf(name: string, text: unknown) {
    const [, part, key] = /^(?:(\w+)\.)?metadata\.([^.]+)$/.exec(name) ?? []
    const kind = part === undefined ? own : ownValue(parts, part)
    if (key === undefined || kind === undefined || typeof text !== 'string' || text === '' || plan.typed.includes(name))
      return undefined
    return name === plan.reading?.columns.column ? undefined : { name, key, kind, text }
  }

  async function readSchemas(): Promise<Schema[]> {
    if (plan.isDryRun) {
      plan.show.say('the metadata schema of the project is read, and followed, before anything is sent')
      return []
    }
    const session = await plan.connect()
    const answer = await tryRead(
      () => session.client.call(listMetadataSchemas),
      ({ message }) =>
        plan.show.warn(`warning: metadata is read without the schema of the project, which cannot be read: ${message}`),
    )
    await session.leave()
    return (answer as { schemas?: Schema[] } | undefined)?.schemas ?? []
  }

  function complete(
    row: Row,
    cells: readonly NonNullable<ReturnType<typeof cellOf>>[],
    schemas: readonly Schema[],
    written: WrittenValues | undefined,
  ): Row | BadRow {
    const values: Record<string, unknown> = {}
    for (const { name, key, kind, text } of cells) {
      const schema = schemas.find(({ related_object }) => related_object === kind)
      const property = ownValue(schema?.properties ?? {}, key)
      const isDefined = property !== undefined && property.deleted !== true
      const value = isDefined ? metadataOf(text, property, written) : undefined
      const problem = isDefined ? valueProblem(property, value) : 'must be defined in the schema'
      if (isDefined && problem === undefined) values[name] = value
      if (problem === undefined || (!isDefined && schema?.allow_defined_only !== true)) continue
      const message = `line ${row.line}, column "${name}": ${JSON.stringify(text)} ${problem}, by the metadata schema of ${kind}`
      return { ...badFrom(row), rule: 'cell', message }
    }
    if (Object.keys(values).length > 0) row.fields[metadataColumn] = values
    return row
  }
}

/** Returns what a text is as a value of a property; a text that is none is returned, for the schema to refuse. */
function metadataOf(text: string, { type, array }: MetadataProperty, written: WrittenValues | undefined): unknown {
  if (array === true || type === 'object') {
    const reading = readStrictJson(text)
    return 'value' in reading ? reading.value : text
  }
  if (type === 'boolean') return truthOf(text) ?? text
  if (type === 'date' || type === 'datetime') return written?.day(text) ?? text
  const number = type === 'number' ? (written?.number(text) ?? text).trim() : ''
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(number) ? Number(number) : text
}
