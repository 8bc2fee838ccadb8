// The guides `promo help exit-codes`, `flags`, `formats` and `environment`, generated from the tables that the code itself uses.
import { shardVariables } from '../../bulk/shard.ts'
import { formats } from '../../output/shape.ts'
import { variables } from '../../profiles/environment.ts'
import { allowUnknownFlag, bodyFlags, bulkFlags, globalFlags, outputFlags, serviceFlags } from '../flags/flags.ts'
import { flagRow } from './command-page.ts'
import { exitCodes } from './exit-codes.ts'
import type { TextRow } from './layout.ts'
import type { ManifestFlag } from './manifest.ts'

/** A part of a guide: its title, and its table as names with their texts. */
export interface GuideSection {
  title: string
  rows: readonly TextRow[]
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
  xlsx: 'a workbook of one sheet, with the columns of csv: codes as texts, amounts as numbers, times as dates in the zone of --tz',
  yaml: 'the same objects as json',
  text: 'bare values for scripts, best with --query: texts without quotes, one a line, members of a list between tabs',
}

const shaping: readonly (readonly [name: string, text: string])[] = [
  ['--columns a,b.c', 'these columns, in this order (table, csv, xlsx)'],
  ['--query EXPR', 'a JMESPath expression, applied to the entire result; with jsonl to each line'],
  ['--out FILE', 'write to a file, complete or not at all: .csv, .xlsx, .json, .jsonl and .yaml name the format'],
  ['--no-header', 'no header line (table, csv, xlsx)'],
  [
    '--excel',
    'CSV that a spreadsheet opens right, without a live formula: byte order mark, CRLF, delimiter of the locale',
  ],
  ['--csv-delimiter C', 'the character between cells: , ; or tab'],
  ['--csv-raw', 'cells exactly as they are'],
]

/** The flags that mean the same in every command that has them. */
const sharedFlags = [
  ['BODY', { ...bodyFlags, ...allowUnknownFlag }],
  ['BULK', bulkFlags],
  ['OUTPUT', outputFlags],
  ['SERVICE', serviceFlags],
  ['GLOBAL', globalFlags],
] as const

/** The guides by the word that shows them. */
export const guides: Readonly<Record<string, readonly GuideSection[]>> = {
  'exit-codes': [
    sectionOf(
      'EXIT CODES',
      exitCodes.map(({ code, meaning, again }) => [
        String(code),
        again === '' ? meaning : `${meaning}\nrun it again? ${again}`,
      ]),
    ),
  ],
  formats: [
    sectionOf(
      'FORMATS',
      formats.map((format) => [format, formatWords[format]]),
    ),
    sectionOf('SHAPING', shaping),
  ],
  flags: sharedFlags.map(([title, flags]) => ({
    title: `${title} FLAGS`,
    rows: Object.entries(flags).map(([name, flag]) =>
      flagRow({ ...(flag as ManifestFlag), name }, true, { underline: (value) => value }),
    ),
  })),
  environment: [
    sectionOf(
      'ENVIRONMENT',
      environment.map(({ name, meaning }) => [name, meaning]),
    ),
  ],
}

function sectionOf(title: string, rows: readonly (readonly [name: string, text: string])[]): GuideSection {
  return { title, rows: rows.map(([name, text]) => ({ name, text })) }
}
