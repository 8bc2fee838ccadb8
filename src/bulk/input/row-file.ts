// Which files have rows, by their names. Apart from what reads them, because every start of a command asks.

/** The formats of rows, by the ending of a file's name. */
export const rowFormats = {
  '.csv': 'csv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.tsv': 'csv',
  '.txt': 'lines',
  '.xlsm': 'xlsx',
  '.xlsx': 'xlsx',
} as const

const named = new RegExp(
  `\\.(?:${Object.keys(rowFormats)
    .map((ending) => ending.slice(1))
    .join('|')})$`,
  'i',
)

/** Returns whether a text is named like a file of rows. */
export function isNamedAsRows(text: string): boolean {
  return named.test(text)
}
