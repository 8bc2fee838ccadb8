// From output flags to the shape that output/ understands.
import type { Format, Shape, Sink } from '../../output/shape.ts'
import { type Host, isColourful } from '../run/host.ts'

/** The output flags as parsed. */
export interface OutputFlags {
  format?: Format | undefined
  json?: boolean
  jsonl?: boolean
  csv?: boolean
  columns?: string[] | undefined
  query?: string | undefined
  'no-header'?: boolean
  'csv-raw'?: boolean
  out?: string | undefined
  tz?: string | undefined
  'no-color'?: boolean
  quiet?: boolean
}

/** Returns the format that the flags name: a short form, `--format`, or a table. */
export function formatOf({ format, json, jsonl, csv }: OutputFlags): Format {
  if (json) return 'json'
  if (jsonl) return 'jsonl'
  if (csv) return 'csv'
  return format ?? 'table'
}

/** Builds the shape of the result from the flags; the time zone is the computer's unless --tz names one. */
export function shapeOf(flags: OutputFlags, { env }: Pick<Host, 'env'>): Shape {
  const { columns, query, out } = flags
  return {
    format: formatOf(flags),
    ...(columns && { columns }),
    ...(query !== undefined && { query }),
    ...(out !== undefined && { out }),
    header: !flags['no-header'],
    csvRaw: flags['csv-raw'] ?? false,
    // A getter, because asking the computer loads its zone data, which takes longer than most commands.
    get timeZone() {
      return flags.tz ?? env.TZ ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
    },
  }
}

/** Returns the streams that the result goes to; colours only on a terminal. */
export function sinkOf(flags: OutputFlags, host: Host): Sink {
  return {
    stdout: host.stdout,
    stderr: host.stderr,
    color: isColourful(host.stdout, host, flags),
    quiet: flags.quiet ?? false,
    signal: host.stop,
  }
}
