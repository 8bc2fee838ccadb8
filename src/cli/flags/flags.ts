// The flags that mean the same on every command (docs/command-line.md#flags). A command spreads the groups it honours into its own.
import { Flags } from '@oclif/core'
import { formats } from '../../output/shape.ts'
import { asksFirst, bringing, readsSettings, runsJob } from '../exits.ts'
import { durationMs, errorLimit, nameList, timeZone, wholeNumber } from './values.ts'

const count = Flags.custom<number, { least: number; most: number }>({
  parse: async (text, _context, { least, most }) => wholeNumber(text, least, most),
})

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
  timeout: Flags.custom<number>({ parse: async (text) => durationMs(text) })({
    description: 'give up on one request after this long (default 60s)',
    helpGroup: 'SERVICE',
    helpValue: '30s',
  }),
  retries: count({
    description: 'how often a request that may be sent again is sent again (default 2)',
    helpGroup: 'SERVICE',
    helpValue: 'N',
    least: 0,
    most: 20,
  }),
  verbose: Flags.boolean({
    char: 'v',
    description: 'show each request as it goes, secrets hidden',
    helpGroup: 'SERVICE',
  }),
}

const formatFlags = ['format', 'json', 'jsonl', 'csv']
const otherFormats = (own: string) => formatFlags.filter((name) => name !== own)

/** Flags that shape a result. */
export const outputFlags = {
  format: Flags.option({
    description: 'the form of the result (default table)',
    exclusive: otherFormats('format'),
    helpGroup: 'OUTPUT',
    options: formats,
  })(),
  json: Flags.boolean({
    description: 'short for --format json',
    exclusive: otherFormats('json'),
    helpGroup: 'OUTPUT',
  }),
  jsonl: Flags.boolean({
    description: 'short for --format jsonl: one object a line',
    exclusive: otherFormats('jsonl'),
    helpGroup: 'OUTPUT',
  }),
  csv: Flags.boolean({ description: 'short for --format csv', exclusive: otherFormats('csv'), helpGroup: 'OUTPUT' }),
  columns: Flags.custom<string[]>({ parse: async (text) => nameList(text) })({
    description: 'the columns of a table or CSV, in this order',
    helpGroup: 'OUTPUT',
    helpValue: 'a,b.c',
  }),
  query: Flags.string({
    description: 'a JMESPath expression: over the whole result, or over each line with jsonl',
    helpGroup: 'OUTPUT',
    helpValue: 'EXPR',
  }),
  'no-header': Flags.boolean({ description: 'no header line in a table or CSV', helpGroup: 'OUTPUT' }),
  'csv-raw': Flags.boolean({
    description: 'CSV cells exactly as they are, even those a spreadsheet would run as a formula',
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

/** Flags of a listing. */
export const listFlags = {
  limit: count({ description: 'how many rows to return', helpValue: 'N', least: 1, most: 1_000_000_000 }),
  all: Flags.boolean({ description: 'every row, also in a table', exclusive: ['limit'] }),
  'page-size': count({
    description: 'how many rows to ask for at a time (1-100)',
    helpValue: 'N',
    least: 1,
    most: 100,
  }),
}

/** Flags that answer a question before it is asked. */
export const confirmFlags = {
  yes: bringing(asksFirst, Flags.boolean({ char: 'y', description: 'go ahead without asking' })),
  confirm: Flags.string({
    description: 'the name of a protected profile, where no terminal can ask for it',
    helpValue: 'NAME',
  }),
}

/** Flags of a call with a body that is richer than its own flags. */
export const bodyFlags = {
  body: Flags.string({
    description: 'the request body: JSON, a file, or stdin',
    helpGroup: 'BODY',
    helpValue: 'JSON|@FILE|@-',
  }),
  set: Flags.string({
    description: 'one field of the body by its wire path; wins over --body',
    helpGroup: 'BODY',
    helpValue: 'path=value',
    multiple: true,
    multipleNonGreedy: true,
  }),
}

/** Shows what would be sent, and sends nothing. */
export const dryRunFlag = {
  'dry-run': Flags.boolean({ description: 'show what would be sent (secrets hidden) and send nothing' }),
}

/** Flags that say how fast and how far a job goes, and where it is written down; never what it sends. */
export const paceFlags = {
  concurrency: count({
    description: 'how many requests may be in flight (1-64, default 8)',
    helpGroup: 'BULK',
    helpValue: 'N',
    least: 1,
    most: 64,
  }),
  rate: Flags.string({
    description: 'at most so many requests, like 10/s or 600/m; with --shard, each of n shards keeps to its n-th part',
    helpGroup: 'BULK',
    helpValue: 'N/s|N/m',
  }),
  'max-errors': bringing(
    runsJob,
    Flags.custom<ReturnType<typeof errorLimit>>({ parse: async (text) => errorLimit(text) })({
      description: 'stop after so many rows, or such a share of them, went wrong (default 100)',
      helpGroup: 'BULK',
      helpValue: 'N|P%',
    }),
  ),
  'max-outage': Flags.custom<number>({ parse: async (text) => durationMs(text) })({
    description: 'how long the service may be away before the job stops (default 10m)',
    helpGroup: 'BULK',
    helpValue: '10m',
  }),
  journal: Flags.string({
    description: 'keep the journal in this folder, which is then this job alone (default: the state folder)',
    helpGroup: 'BULK',
    helpValue: 'DIR',
  }),
  restart: Flags.boolean({
    description: 'begin anew instead of continuing where the same command line stopped',
    helpGroup: 'BULK',
  }),
}

/** Flags of a command that takes many items. */
export const bulkFlags = {
  ...paceFlags,
  from: Flags.string({
    description: 'take the items from a file, or from stdin with -',
    helpGroup: 'BULK',
    helpValue: 'FILE|-',
  }),
  column: Flags.string({
    description: 'the column, or JSON member, that holds the item',
    dependsOn: ['from'],
    helpGroup: 'BULK',
    helpValue: 'NAME',
  }),
  'input-format': Flags.option({
    dependsOn: ['from'],
    description: 'how to read the input (default: by the file name, else csv)',
    helpGroup: 'BULK',
    options: ['csv', 'jsonl', 'lines'] as const,
  })(),
  delimiter: Flags.string({
    dependsOn: ['from'],
    description: 'the character between the fields of CSV (default ,)',
    helpGroup: 'BULK',
    helpValue: 'CHAR',
  }),
  'skip-bad-rows': Flags.boolean({
    dependsOn: ['from'],
    description: 'count rows that cannot be used as refused, instead of stopping before the first request',
    helpGroup: 'BULK',
  }),
  shard: Flags.string({
    dependsOn: ['from'],
    description: 'only the rows of this part: 0/4 to 3/4, or auto/4 with the number that a scheduler gave the task',
    helpGroup: 'BULK',
    helpValue: 'I/N',
  }),
}

const { profile: _, ...serviceManner } = serviceFlags
const { journal: __, restart: ___, ...pace } = paceFlags

/** The flags with which a job is continued: how, never what. The profile, the project and what is sent are the job's own. */
export const resumeFlags = { ...serviceManner, ...outputFlags, ...pace, ...confirmFlags, ...dryRunFlag }
