// The flags that mean the same on every command (docs/command-line.md#flags). A command spreads the groups it supports.

import { Flags } from '@oclif/core'
import { csvDelimiters, formats } from '../../output/shape.ts'
import { asksFirst, bringing, readsSettings, runsJob } from '../exits.ts'
import { count, duration, names, repeatable, textFlag } from './kinds.ts'
import { errorLimit, timeZone } from './values.ts'

/** Flags of every command. */
export const globalFlags = {
  'no-color': Flags.boolean({ description: 'never colour anything (as NO_COLOR does)', helpGroup: 'GLOBAL' }),
  'no-input': Flags.boolean({ description: 'never ask; a missing value is an error', helpGroup: 'GLOBAL' }),
  quiet: Flags.boolean({ char: 'q', description: 'no notices and no progress on stderr', helpGroup: 'GLOBAL' }),
  debug: Flags.boolean({ description: 'show the stack of a bug in promo', helpGroup: 'GLOBAL' }),
}

/** Flags of every command that calls the service. */
export const serviceFlags = {
  profile: bringing(
    readsSettings,
    Flags.string({
      char: 'p',
      description: 'the profile to use; "sandbox" is built in and needs no account',
      helpGroup: 'SERVICE',
      helpValue: 'NAME',
    }),
  ),
  timeout: duration({ description: 'time limit of one request (default 60s)', helpGroup: 'SERVICE', helpValue: '30s' }),
  retries: count({
    description: 'how often to send a request again, if that is safe (default 2)',
    helpGroup: 'SERVICE',
    least: 0,
    most: 20,
  }),
  verbose: Flags.boolean({
    char: 'v',
    description: 'show each request as it is sent, with secrets hidden',
    helpGroup: 'SERVICE',
  }),
}

const formatFlags = ['format', 'json', 'jsonl', 'csv', 'excel']
const otherFormats = (own: string) => formatFlags.filter((name) => name !== own)

/** Flags that shape a result. */
export const outputFlags = {
  format: Flags.option({
    description: 'the format of the result (default table)',
    exclusive: otherFormats('format'),
    helpGroup: 'OUTPUT',
    options: formats,
  })(),
  json: Flags.boolean({ description: 'short for --format json', exclusive: otherFormats('json'), helpGroup: 'OUTPUT' }),
  jsonl: Flags.boolean({
    description: 'short for --format jsonl: one object per line',
    exclusive: otherFormats('jsonl'),
    helpGroup: 'OUTPUT',
  }),
  csv: Flags.boolean({ description: 'short for --format csv', exclusive: otherFormats('csv'), helpGroup: 'OUTPUT' }),
  excel: Flags.boolean({
    description:
      'CSV that a spreadsheet opens right: with a byte order mark, CRLF, the delimiter of the locale, and an apostrophe in front of every formula',
    exclusive: otherFormats('excel'),
    helpGroup: 'OUTPUT',
  }),
  'csv-delimiter': Flags.option({
    description: 'the character between the cells of CSV (default , and with --excel that of the locale)',
    helpGroup: 'OUTPUT',
    options: csvDelimiters,
  })(),
  columns: names({
    description: 'the columns of a table or CSV, in this order',
    helpGroup: 'OUTPUT',
    helpValue: 'a,b.c',
  }),
  query: Flags.string({
    description: 'a JMESPath expression, applied to the entire result, or to each line with jsonl',
    helpGroup: 'OUTPUT',
    helpValue: 'EXPR',
  }),
  'no-header': Flags.boolean({ description: 'no header line in a table or CSV', helpGroup: 'OUTPUT' }),
  'csv-raw': Flags.boolean({
    description: 'leave CSV cells as they are, even those that a spreadsheet would run as a formula',
    exclusive: ['excel'],
    helpGroup: 'OUTPUT',
  }),
  out: Flags.string({
    char: 'o',
    description: 'write the result to this file, complete or not at all',
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
  }),
  tz: Flags.custom<string>({ parse: async (text) => timeZone(text) })({
    description: "the time zone of times in tables (default: this computer's)",
    helpGroup: 'OUTPUT',
    helpValue: 'ZONE',
  }),
}

/** Flags of a command that calls the service and shows what it answers. */
export const callFlags = { ...serviceFlags, ...outputFlags }

/** Flags of a listing. */
export const listFlags = {
  limit: count({ description: 'how many rows to return', least: 1, most: 1_000_000_000 }),
  all: Flags.boolean({ description: 'return every row, even in a table', exclusive: ['limit'] }),
  'page-size': count({
    description: 'how many rows to request at a time (1-100)',
    least: 1,
    most: 100,
  }),
}

/** Flags that answer a question in advance. */
export const confirmFlags = {
  yes: bringing(asksFirst, Flags.boolean({ char: 'y', description: 'go ahead without asking' })),
  confirm: textFlag('the name of the protected profile, if promo cannot ask for it', 'NAME'),
}

/** Says what texts are that could be several things. */
export const typeOfFlag = {
  'type-of': repeatable({
    description: 'what a value is that could be several things, like metadata.zip=string',
    helpGroup: 'BODY',
    helpValue: 'path=string|number|boolean|json',
  }),
}

/** Flags of a call whose body has more fields than the command has flags. */
export const bodyFlags = {
  body: Flags.string({
    description: 'the request body: JSON, a file, or stdin',
    helpGroup: 'BODY',
    helpValue: 'JSON|@FILE|@-',
  }),
  set: repeatable({
    description: 'one field of the body by its wire path; overrides --body',
    helpGroup: 'BODY',
    helpValue: 'path=value',
  }),
  ...typeOfFlag,
}

/** The flag of a write whose body may have members that the contract does not know. */
export const allowUnknownFlag = {
  'allow-unknown': Flags.boolean({
    description: 'send fields that this version of promo does not know, unchecked',
    helpGroup: 'BODY',
  }),
}

/** Shows what would be sent, and sends nothing. */
export const dryRunFlag = {
  'dry-run': Flags.boolean({ description: 'show what would be sent (secrets hidden) and send nothing' }),
}

/** Flags of a write. */
export const writeFlags = { ...confirmFlags, ...dryRunFlag }

/** Flags for the pace and the limits of a job, and for the place of its journal; never for what it sends. */
export const paceFlags = {
  concurrency: count({
    description: 'how many requests may be in flight (1-64, default 8)',
    helpGroup: 'BULK',
    least: 1,
    most: 64,
  }),
  rate: Flags.string({
    description: 'the maximum request rate, like 10/s or 600/m; with --shard, each of n shards gets an n-th of it',
    helpGroup: 'BULK',
    helpValue: 'N/s|N/m|N/h',
  }),
  'max-errors': bringing(
    runsJob,
    Flags.custom<ReturnType<typeof errorLimit>>({ parse: async (text) => errorLimit(text) })({
      description:
        'stop after this number or percentage of rows did not end well (default 100, or the first ten refused alike)',
      helpGroup: 'BULK',
      helpValue: 'N|P%',
    }),
  ),
  'max-outage': duration({
    description: 'how long the service may be unavailable before the job stops (default 10m)',
    helpGroup: 'BULK',
    helpValue: '10m',
  }),
  journal: Flags.string({
    description: 'keep the journal in this folder, which then belongs to this job alone (default: the state folder)',
    helpGroup: 'BULK',
    helpValue: 'DIR',
  }),
  restart: Flags.boolean({
    description: 'start over instead of continuing where the same command line stopped',
    helpGroup: 'BULK',
  }),
  'same-project': Flags.boolean({
    description: 'the job was begun with another key of the same project, where promo cannot know that',
    helpGroup: 'BULK',
  }),
}

/** Flags of a command that takes many items. */
export const bulkFlags = {
  ...paceFlags,
  from: Flags.string({
    description: 'read the rows from a file, or from stdin with -',
    helpGroup: 'BULK',
    helpValue: 'FILE|-',
  }),
  column: Flags.string({
    description: 'the column, or JSON member, that contains the item',
    dependsOn: ['from'],
    helpGroup: 'BULK',
    helpValue: 'NAME',
  }),
  'input-format': Flags.option({
    dependsOn: ['from'],
    description: 'the format of the input (default: by the file name, else csv)',
    helpGroup: 'BULK',
    options: ['csv', 'json', 'jsonl', 'lines'] as const,
  })(),
  delimiter: Flags.string({
    dependsOn: ['from'],
    description: 'the character between the fields of CSV (default: found in the header)',
    helpGroup: 'BULK',
    helpValue: 'CHAR',
  }),
  encoding: Flags.option({
    dependsOn: ['from'],
    description: 'the encoding of an input without a byte order mark (default utf-8)',
    helpGroup: 'BULK',
    options: ['utf-8', 'utf-16', 'windows-1252'] as const,
  })(),
  trim: Flags.boolean({
    dependsOn: ['from'],
    description: 'remove the white space around every value of the input',
    helpGroup: 'BULK',
  }),
  'no-quotes': Flags.boolean({
    dependsOn: ['from'],
    description: 'a quote in CSV is a character like any other, as in tables without any quoting',
    helpGroup: 'BULK',
  }),
  map: repeatable({
    dependsOn: ['from'],
    description: 'read a column of the file under another name, like "Card number=code"',
    helpGroup: 'BULK',
    helpValue: 'NAME=field',
  }),
  'ignore-columns': names({
    dependsOn: ['from'],
    description: 'columns of the file that are not read; "others" means all that the command does not know',
    helpGroup: 'BULK',
    helpValue: 'NAME,…|others',
  }),
  'skip-bad-rows': Flags.boolean({
    dependsOn: ['from'],
    description: 'leave bad rows out and count them apart, instead of stopping before the first request',
    helpGroup: 'BULK',
  }),
  shard: Flags.string({
    dependsOn: ['from'],
    description: 'only the rows of this shard: 0/4 to 3/4, or auto/4 to use the task number set by a scheduler',
    helpGroup: 'BULK',
    helpValue: 'I/N',
  }),
}

/** Flags of a command that is a job only with `--from`: without it, none of them has a meaning. */
export const bulkOnlyFlags = needingFrom(bulkFlags)

/** Returns flags that have a meaning only for the rows of `--from`, and are refused without it. */
export function needingFrom<Flags extends Record<string, object>>(flags: Flags): Flags {
  const needing = Object.entries(flags).map(([name, flag]) => [
    name,
    name === 'from' ? flag : { ...flag, dependsOn: ['from'] },
  ])
  return Object.fromEntries(needing) as Flags
}

/** The flag of commands whose jobs can be undone. */
export const proveFlag = {
  'prove-change': Flags.boolean({
    description: 'read each item before it is switched, so that jobs undo knows for certain what changed',
    helpGroup: 'BULK',
  }),
}

const { profile: _, ...otherServiceFlags } = serviceFlags
const { journal: __, restart: ___, ...pace } = paceFlags

/** The flags for continuing a job: how, never what. The profile, the project and what is sent come from the job. */
export const resumeFlags = { ...otherServiceFlags, ...outputFlags, ...pace, ...writeFlags }
