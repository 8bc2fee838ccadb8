// The tables of all commands on terminals of four widths: codes, amounts, states and reasons are whole.
import { describe, expect, test } from 'vitest'
import { outcomeColumns } from '../../src/cli/bulk/outcome-records.ts'
import { type Column, type ColumnSet, kindOf, tableColumns } from '../../src/output/column.ts'
import { tableText } from '../../src/output/form/table.ts'
import { commandModules } from '../support/command-lines.ts'
import { inBatches, textOf } from '../unit/output/sinks.ts'

const outcomes = outcomeColumns({ noun: 'voucher', verb: 'disable', done: 'disabled', unchanged: 'off', key: 'code' })
const sets: [string, ColumnSet][] = []
for (const [path, load] of Object.entries(commandModules)) {
  const { columns } = (await load()).default
  const id = path.replace(/^.*\/commands\/|\.ts$/g, '').replaceAll('/', ' ')
  const given = (Array.isArray(columns) ? columns : [columns]) as ColumnSet[]
  for (const [at, set] of given.entries()) if (set.columns.length > 0) sets.push([`${id} (${at + 1})`, set])
}
const reason =
  'the service refused vouchers.disable "NOPE-1" (404 not_found: there is no such voucher), request v-1a2033'

function sampleOf(column: Column, row: number): unknown {
  switch (kindOf(column)) {
    case 'number':
      return 1234500 + row
    case 'flag':
      return row === 1
    case 'time':
      return `2026-01-0${row}T10:00:00Z`
    case 'date':
      return `2026-01-0${row}`
    case 'state':
      return ['SUCCEEDED', 'FAILED', 'UNKNOWN'][row]
    case 'reason':
      return `${reason}${row}`
    case 'text':
      return ['Spring mailing of all shops', 'POINTS_ACCRUAL', 'x'][row]
    default:
      return column.name.endsWith('id') ? `obj_19b8d627a80000000${row}` : `SPRING-2KPXJDM${row}`
  }
}

function rowOf({ columns }: ColumnSet, row: number): object {
  return Object.fromEntries(columns.map((column) => [column.name, sampleOf(column, row)]))
}

/** What a user would act on: never cut, never missing. */
function essentials(columns: readonly Column[]): Column[] {
  const isId = ({ name, label = name }: Column) => /(?:^|[._])id$/.test(label)
  return columns.filter((column, at) => {
    const kind = kindOf(column)
    return (
      ['number', 'flag', 'state', 'reason'].includes(kind) || (kind === 'identifier' && (at === 0 || !isId(column)))
    )
  })
}

describe.each([80, 100, 120, 200])('on a terminal of %i columns', (width) => {
  test.each([...sets, ['the outcomes of many rows', outcomes] as const])(
    'the table of %s shows codes, amounts, states and reasons whole',
    async (_, set) => {
      const columns = tableColumns(set)
      const rows = [0, 1, 2].map((row) => rowOf(set, row))
      const look = { header: true, color: false, timeZone: 'UTC', width, mayLeaveOut: true }

      const text = await textOf(tableText(inBatches(rows), columns, look))

      const words = new Set(text.split(/\s+/))
      for (const column of essentials(columns)) {
        for (const row of [0, 1, 2]) {
          const expected = String(sampleOf(column, row)).split(' ')
          expect(
            expected.filter((word) => !words.has(word)),
            column.name,
          ).toEqual([])
        }
      }
    },
  )
})
