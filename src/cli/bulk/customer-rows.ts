// Rows that name a customer by an e-mail address or a phone number: the id is looked up when the row is taken up, and kept with it,
// so that every run of a job sends the same request.
import { customerColumn } from '../../bulk/input/report-columns.ts'
import { type BadRow, badFrom, isBad, type Row } from '../../bulk/input/row.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { PromoError } from '../../errors.ts'
import { valueAt } from '../../output/path.ts'
import { customerFinder, idToFind, isContact } from '../request/customers/flag.ts'
import type { ClientSession } from '../session/connect.ts'
import type { BulkDefinition, InputRows } from './definition.ts'
import type { RunPlan } from './run-plan.ts'

/**
 * Returns the rows with the id of each customer who is named by an e-mail address or a phone number. A dry run looks nobody up.
 *
 * A row that means nobody, or several, is bad; of arguments it throws `api` (exit 3), as flags do.
 */
export async function withCustomers<E extends Endpoint>(
  input: InputRows,
  bulk: BulkDefinition<E>,
  plan: RunPlan,
): Promise<InputRows> {
  const { endpoint, customers } = bulk
  // Whoever maps a column to source ids says what it has.
  const { columns } = plan.reading ?? {}
  const saysSourceId = columns?.map?.some((text) => /=(?:customer\.)?source_id$/.test(text))
  if (plan.takesSourceIds) return input
  const { pathsOf } = await import('../request/body.ts')
  const hasColumn = endpoint.body !== undefined && pathsOf(endpoint.body)(['customer', 'source_id'])
  if (customers === undefined && !hasColumn) return input
  const isTyped = input.input === 'arguments'
  let find: Promise<(text: string) => Promise<string>> | undefined
  return { ...input, rows: completeRows() }

  async function* completeRows(): AsyncGenerator<Row | BadRow> {
    const { concurrency: width, rate } = plan.pace
    const taken: Promise<Row | BadRow>[] = []
    let session: ClientSession | undefined
    const open = async () => {
      if (plan.isDryRun) {
        plan.show.say('customers named by e-mail address or phone number are looked up before anything is sent')
        return async (text: string) => idToFind(text)
      }
      session = await plan.connect({ concurrency: width, ...(rate !== undefined && { rate }) })
      return customerFinder(session.client, plan.show.warn)
    }
    try {
      for await (const row of input.rows) {
        const text = isBad(row) ? undefined : textIn(row)
        const next = text === undefined ? Promise.resolve(row) : complete(row as Row, text, open)
        // Thrown where it is awaited.
        next.catch(() => {})
        taken.push(next)
        if (taken.length >= width) yield (await taken.shift()) as Row | BadRow
      }
      for (const next of taken) yield await next
    } catch (error) {
      await session?.close()
      throw error
    }
    await session?.leave()
  }

  /** Returns the text that names the customer of a row; undefined where there is none, or where it says that it is a source id. */
  function textIn(row: Row): string | undefined {
    const { customer } = row.fields
    const isKey = customers === 'key' && columns?.column !== undefined
    if (hasColumn && !isKey && typeof customer === 'string' && customer !== '' && !customer.trimStart().startsWith('{'))
      return customer
    return customers === undefined || saysSourceId || isSourceId(row) ? undefined : row.key
  }

  /** Whether the key comes from a column, or a member, that says that it has source ids. */
  function isSourceId(row: Row): boolean {
    const { key } = bulk.words
    if (columns?.column !== undefined) return /(?:^|\.)source_id$/.test(columns.column)
    const { columns: names, titles, csv } = input.layout()
    if (isTyped || (names !== undefined && csv === undefined)) return false
    const title = titles?.[names?.indexOf(key) ?? -1] ?? key
    return /source.?id$/i.test(title) && (key in row.fields || valueAt(row.fields, key) === row.key)
  }

  async function complete(row: Row, text: string, open: () => NonNullable<typeof find>): Promise<Row | BadRow> {
    if (text.startsWith('cust_')) return Object.assign(row, { fields: withId(row, text) })
    if (!isContact(text)) return row
    if (customers === 'new')
      return isKept(row, text)
        ? row
        : badRow(
            row,
            `${JSON.stringify(text)} looks like an e-mail address or a phone number, and would be a source id`,
          )
    find ??= open()
    try {
      const id = await (await find)(text)
      return Object.assign(row, { fields: withId(row, id) })
    } catch (error) {
      if (isTyped || !(error instanceof PromoError) || error.kind !== 'api' || 'status' in error) throw error
      return badRow(row, error.message)
    }
  }

  function badRow(row: Row, problem: string): BadRow {
    return {
      ...badFrom(row),
      rule: 'key',
      message: `${isTyped ? 'argument' : 'line'} ${row.line}: ${problem}`,
      ...(!endpoint.path.includes('{customerId}') && { remedy: 'add --as-source-id where that is a source id' }),
    }
  }
}

/** Whether a new customer gets the text as what it looks like, too. */
function isKept({ fields }: Row, text: string): boolean {
  return fields.email === text || fields.phone === text
}

function withId({ fields }: Row, id: string): Row['fields'] {
  return Object.assign(fields, { [customerColumn]: id })
}
