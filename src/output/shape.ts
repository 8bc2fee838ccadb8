// In which form a result is written, and where to.

/** The forms a result can be written in. Source: docs/command-line.md#formats. */
export const formats = ['table', 'json', 'jsonl', 'csv', 'yaml'] as const

export type Format = (typeof formats)[number]

/** What the output flags asked for. */
export interface Shape {
  format: Format
  /** Dotted wire paths, in the order wanted; only a table and CSV have columns. */
  columns?: readonly string[]
  /** A JMESPath expression: over the whole result, or over each object with `jsonl`. */
  query?: string
  /** False leaves out the header line, and the names in front of the values of a single object. */
  header: boolean
  /** True writes CSV cells exactly as they are: nothing neutralised, nothing escaped. */
  csvRaw: boolean
  /** A file to write instead of stdout; `-` is stdout. */
  out?: string
  /** The IANA name of the zone in which a table shows times; read only when one is shown, so it may be a getter. */
  readonly timeZone: string
}

/** A stream of the process, or what a test puts in its place. */
export type Terminal = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

/** Where a result goes. */
export interface Sink {
  stdout: Terminal
  stderr: Terminal
  /** Whether a table may be coloured; nothing else ever is. */
  color: boolean
  /** Aborted when the work must end; the writer then stops at once with its reason. */
  signal?: AbortSignal
}
