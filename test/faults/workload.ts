// The jobs that the loops run: input file, command line, and the line of each row.
import { writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { RowClass } from './oracle.ts'
import { knownEvent } from './witnessed-service.ts'

export interface Workload {
  rowClass: RowClass
  /** The key of each row in the ledger, in the order of the input. */
  keys: readonly string[]
  /** The command line, without the input and the flags that every class shares. */
  argv: string[]
  /** The input file. */
  file: string
  /** Its format, for a pipe, which has no name that tells. */
  format: string
  /** The line of the first row; the others follow without a gap. */
  firstLine: number
}

/** Writes an input file of this many rows into a folder, and returns the command line for it. */
export function workloadOf(rowClass: RowClass, rows: number, folder: string): Workload {
  const numbers = Array.from({ length: rows }, (_, index) => index + 1)
  const { prefix, name, firstLine, header, command, line } = forms[rowClass]
  const file = join(folder, name)
  writeFileSync(file, header + numbers.map((number) => `${line(number)}\n`).join(''))
  return {
    rowClass,
    keys: numbers.map((number) => `${prefix}${number}`),
    argv: [...command],
    file,
    format: extname(name).slice(1),
    firstLine,
  }
}

const discount = ['--type', 'DISCOUNT_VOUCHER', '--set', 'discount.type=PERCENT', '--set', 'discount.percent_off=10']

const forms = {
  create: {
    prefix: 'NEW-',
    name: 'new.csv',
    firstLine: 2,
    header: 'code\n',
    command: ['vouchers', 'create', ...discount],
    line: (number: number) => `NEW-${number}`,
  },
  disable: {
    prefix: 'OLD-',
    name: 'old.csv',
    firstLine: 2,
    header: 'code\n',
    command: ['vouchers', 'disable'],
    line: (number: number) => `OLD-${number}`,
  },
  events: {
    prefix: '',
    name: 'events.jsonl',
    firstLine: 1,
    header: '',
    command: ['events', 'send'],
    line: (row: number) =>
      JSON.stringify({ event: knownEvent, customer: { source_id: `c-${row % 50}` }, metadata: { row } }),
  },
  // Two rows in a row have one source id, card and size, but for every fifth pair; the reason tells them apart.
  points: {
    prefix: 'row ',
    name: 'points.csv',
    firstLine: 2,
    header: 'code,points,reason,source_id\n',
    command: ['loyalty', 'points', 'add'],
    line: (row: number) => {
      const pair = Math.ceil(row / 2)
      return `OLD-CARD-${(pair % 20) + 1},5,row ${row},${pair % 5 === 0 ? `own-${row}` : `pair-${pair}`}`
    },
  },
} as const
