// The guides `promo help exit-codes`, `formats` and `environment`, generated from the tables that the code itself uses.
import { shardVariables } from '../../bulk/shard.ts'
import { exitCodes } from '../../errors.ts'
import { formats } from '../../output/shape.ts'
import { variables } from '../../profiles/environment.ts'

/** The guides by the word that shows them; each returns its entire text, ending with a newline. */
export const guides: Record<string, () => string> = {
  'exit-codes': () =>
    `${section('EXIT CODES', aligned(exitCodes.map(({ code, meaning, again }) => [String(code), meaning, again === '' ? '' : `run it again? ${again}`])))}`,
  formats: () =>
    section('FORMATS', aligned(formats.map((format) => [format, formatWords[format]]))) +
    `\n${section('SHAPING', aligned(shaping))}`,
  environment: () => section('ENVIRONMENT', aligned(environment.map(({ name, meaning }) => [name, meaning]))),
}

/** Every variable that promo reads, with its meaning. */
export const environment = [
  ...variables,
  ...shardVariables.map((name) => ({ name, meaning: 'the number of this task, for --shard auto/N' })),
]

/** A description of each format. */
export const formatWords: Record<(typeof formats)[number], string> = {
  table: 'for people: aligned; a listing shows one page; bulk results show only the rows that did not end well',
  json: "the service's own objects, every field; a listing is an array, even when it is empty",
  jsonl: 'one object per line, as they arrive; bulk results end with {"t":"summary",…}',
  csv: 'RFC 4180 with a header; nested fields get dotted names; cells that a spreadsheet would run are neutralised',
  yaml: 'the same objects as json',
  text: 'bare values for scripts, best with --query: texts without quotes, one a line, members of a list between tabs',
}

const shaping = [
  ['--columns a,b.c', 'these columns, in this order (table, csv)'],
  ['--query EXPR', 'a JMESPath expression, applied to the entire result; with jsonl to each line'],
  ['--out FILE', 'write to a file, complete or not at all'],
  ['--no-header', 'no header line (table, csv)'],
  ['--excel', 'CSV that a spreadsheet opens right: byte order mark, CRLF, the delimiter of the locale'],
  ['--csv-delimiter C', 'the character between cells: , ; or tab'],
  ['--csv-raw', 'cells exactly as they are'],
]

function section(title: string, lines: string[]): string {
  return `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
