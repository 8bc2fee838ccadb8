// The flags that mean the same on every command (docs/command-line.md#flags). A command spreads the groups it supports.

import { Flags } from '@oclif/core'
import { csvDelimiters, formats } from '../../output/shape.ts'
import { asksFirst, bringing, readsSettings, runsJob } from '../exits.ts'
import { choiceFlag, count, duration, names, repeatable, setting, switchFlag, textFlag } from './kinds.ts'
import { errorLimit, timeZone } from './values.ts'

/** Puts flags under a heading of help. */
export function groupFlags<Flags extends Record<string, object>>(helpGroup: string, flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, helpGroup }])) as Flags
}

/** Flags of every command. */
export const globalFlags = groupFlags('GLOBAL', {
  'no-color': switchFlag('never colour anything (as NO_COLOR does)'),
  'no-input': switchFlag('never ask; a missing value is an error'),
  quiet: switchFlag('no notices and no progress on stderr', { char: 'q' }),
  debug: switchFlag('show the stack of a bug in promo'),
})

/** Flags of every command that calls the service. */
export const serviceFlags = groupFlags('SERVICE', {
  profile: bringing(readsSettings, textFlag('the profile to use; "sandbox" needs no account', 'NAME', { char: 'p' })),
  timeout: duration('the time limit of one request (default 60s)', '30s'),
  retries: count('how often to repeat a request where that is safe (default 2)', 0, 20),
  verbose: switchFlag('show each request, with secrets hidden', { char: 'v' }),
})

const formatFlags = ['format', 'json', 'jsonl', 'csv', 'excel']
const otherFormats = (...own: string[]) => formatFlags.filter((name) => !own.includes(name))

/** Flags that shape a result. */
export const outputFlags = groupFlags('OUTPUT', {
  format: choiceFlag('the format of the result (default: by the name of --out, else table)', formats, {
    exclusive: otherFormats('format'),
  }),
  json: switchFlag('short for --format json', { exclusive: otherFormats('json') }),
  jsonl: switchFlag('short for --format jsonl', { exclusive: otherFormats('jsonl') }),
  csv: switchFlag('short for --format csv', { exclusive: otherFormats('csv', 'excel') }),
  excel: switchFlag('CSV that a spreadsheet opens without changing or running a cell', {
    exclusive: otherFormats('csv', 'excel'),
  }),
  'csv-delimiter': choiceFlag("the delimiter of CSV (default , or with --excel the locale's)", csvDelimiters),
  columns: names('the columns of a table, CSV or workbook, in order', 'a,b.c'),
  query: textFlag('a JMESPath expression over the result (jsonl: over each line)', 'EXPR'),
  'no-header': switchFlag('no header line in a table, CSV or workbook'),
  'csv-raw': switchFlag('write CSV cells as they are, even formulas', {
    exclusive: ['excel'],
  }),
  out: textFlag('write the result to this file, whole or not at all', 'FILE', { char: 'o' }),
  tz: Flags.custom<string>({ parse: async (text) => timeZone(text) })({
    description: 'the time zone of shown times and typed days',
    helpValue: 'ZONE',
  }),
})

/** Flags of a command that calls the service and shows what it answers. */
export const callFlags = { ...serviceFlags, ...outputFlags }

/** Says why: in place of the table, and on stderr where the result is data. */
export const explainFlag = {
  explain: switchFlag('say why, in place of the table (beside data on stderr)'),
}

/** Flags of a listing. */
export const listFlags = {
  limit: count('how many rows to return', 1, 1_000_000_000),
  all: switchFlag('return every row, even in a table', { exclusive: ['limit'] }),
  'page-size': count('rows in one request (1-100)', 1, 100),
}

/** Flags that answer a question in advance. */
export const confirmFlags = {
  yes: bringing(asksFirst, switchFlag('go ahead without asking', { char: 'y' })),
  confirm: textFlag("the protected profile's name, if promo cannot ask", 'NAME'),
}

/** Says what texts are that could be several things. */
export const typeOfFlag = groupFlags('BODY', {
  'type-of': repeatable('the type of an ambiguous value, like metadata.zip=string', 'path=string|number|boolean|json'),
})

/** Says that what names a customer is a source id, whatever it looks like. */
export const asSourceIdFlag = {
  'as-source-id': switchFlag('take customers by source id, even if it looks like an e-mail or phone'),
}

/** Flags of a call whose body has more fields than the command has flags. */
export const bodyFlags = groupFlags('BODY', {
  body: textFlag('the request body: JSON, a file, or stdin', 'JSON|@FILE|@-'),
  set: repeatable('one field of the body, by wire path; overrides --body', 'path=value'),
  ...typeOfFlag,
})

/** The flag of a write whose body may have members that the contract does not know. */
export const allowUnknownFlag = groupFlags('BODY', {
  'allow-unknown': switchFlag('send unknown fields without checking them'),
})

/** Shows what would be sent, and sends nothing. */
export const dryRunFlag = {
  'dry-run': switchFlag('show what would be sent, and send nothing'),
}

/** Flags of a write. */
export const writeFlags = { ...confirmFlags, ...dryRunFlag }

/** Says why, where the service keeps it with the change. */
export const reasonFlag = { reason: textFlag('the reason, recorded with the change', 'TEXT', setting('reason')) }

/** Flags for the pace and the limits of a job, and for the place of its journal; never for what it sends. */
export const paceFlags = groupFlags('BULK', {
  concurrency: count('the most requests in flight (1-64, default 8)', 1, 64),
  rate: textFlag('the most requests, like 10/s or 600/m; shards divide it', 'N/s|N/m|N/h'),
  'max-errors': bringing(
    runsJob,
    Flags.custom<ReturnType<typeof errorLimit>>({ parse: async (text) => errorLimit(text) })({
      description: 'stop after more failures than this (default 100, or the first 10 alike)',
      helpValue: 'N|P%',
    }),
  ),
  'max-outage': duration('stop when the service is unavailable for this long (default 10m)', '10m'),
  journal: textFlag("keep this job's journal in this folder (default: the state folder)", 'DIR'),
  restart: switchFlag('start over, instead of continuing the same command line'),
  'same-project': switchFlag('treat the new key as belonging to the same project'),
})

const inputFormats = ['csv', 'json', 'jsonl', 'lines', 'xlsx'] as const
const inputEncodings = ['utf-8', 'utf-16', 'windows-1252'] as const
const textFlags = {
  sheet: textFlag('the sheet of a workbook (default: the first with rows)', 'NAME'),
  delimiter: textFlag('the delimiter of a CSV file (default: found in the header)', 'CHAR'),
  encoding: choiceFlag('the encoding of a file without byte order mark (default utf-8)', inputEncodings),
  trim: switchFlag('remove white space around the values'),
  'no-quotes': switchFlag('do not treat " as a CSV quote'),
  'as-written': switchFlag('take every text as it is, even where a spreadsheet marked or damaged it'),
  map: repeatable('read a column under another name, like "Card number=code"', 'NAME=field'),
}
const fileFlags = {
  ...textFlags,
  dates: textFlag('how the file writes days, like DD.MM.YYYY or MM/DD/YY', 'FORM'),
  decimal: choiceFlag('the decimal mark of numbers in the file (default .)', ['.', ',']),
  'ignore-columns': names('columns to leave out; "others" means all unknown ones', 'NAME,…|others'),
}
/** How the keys of a file are read. */
export const keyFlags = {
  column: textFlag('the column or JSON member that contains the item', 'NAME'),
  'input-format': choiceFlag('the format of the input (default: by file name, else by content)', inputFormats),
  ...textFlags,
}
const from = textFlag('read rows from a file; - is stdin', 'FILE|-')
/** How the rows of a file are read: two command lines that differ in nothing else can be the same job. */
export const readingFlags = groupFlags('BULK', {
  ...keyFlags,
  ...fileFlags,
  'amounts-in': textFlag('the file has amounts in major units: with EUR, 5.00 is sent as 500', 'EUR'),
  'skip-bad-rows': switchFlag('leave bad rows out, instead of stopping before the first request'),
})
const rowFlags = {
  ...groupFlags('BULK', { from }),
  ...readingFlags,
  ...groupFlags('BULK', {
    shard: textFlag("only the rows of this shard: 0/4 to 3/4; auto/4: the scheduler's task", 'I/N'),
  }),
}

/** How a CSV file that is sent as a whole is read. */
export const csvFileFlags = groupFlags('FILE', fileFlags)

/** Flags of a command that takes many items. */
export const bulkFlags = { ...paceFlags, ...needingFrom(rowFlags) }

/** Flags of a command that is a job only with `--from`, or with a filter: without one, none of them has a meaning. */
export function bulkOnlyFlags(filters: readonly string[]): typeof bulkFlags {
  if (filters.length === 0) return needingFrom(bulkFlags)
  const relationships = [{ type: 'some' as const, flags: ['from', ...filters] }]
  const pace = Object.entries(paceFlags).map(([name, flag]) => [name, { ...flag, relationships }])
  return { ...bulkFlags, ...Object.fromEntries(pace) }
}

/** Returns flags that have a meaning only for the rows of `--from`, and are refused without it. */
export function needingFrom<Flags extends Record<string, object>>(flags: Flags): Flags {
  const needing = Object.entries(flags).map(([name, flag]) => [
    name,
    name === 'from' ? flag : { ...flag, dependsOn: ['from'] },
  ])
  return Object.fromEntries(needing) as Flags
}

/** Flags of a command that reads several by key, from arguments or a file. */
export const readRowFlags = {
  concurrency: paceFlags.concurrency,
  rate: paceFlags.rate,
  ...needingFrom(groupFlags('BULK', { from, ...keyFlags })),
}

/** The flag of commands whose jobs can be undone. */
export const proveFlag = groupFlags('BULK', {
  'prove-change': switchFlag('read each item first, so that `jobs undo` knows what changed'),
})

const { profile: _, ...otherServiceFlags } = serviceFlags
const { journal: __, restart: ___, ...pace } = paceFlags

/** The flags for continuing a job: how, never what. The profile, the project and what is sent come from the job. */
export const resumeFlags = { ...otherServiceFlags, ...outputFlags, ...pace, ...writeFlags }
