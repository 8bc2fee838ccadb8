// Files that are not text, recognized by their first bytes, and how to convert them to text.

export interface FileKind {
  what: string
  /** What to do; `FILE` is replaced by the path. */
  hint: string
}

/** The first bytes as latin-1 text, in which every byte is one character. */
const kinds: readonly (readonly [start: string, what: string, hint: string])[] = [
  ['\x1f\x8b', 'gzip-compressed', 'gunzip -c FILE | promo … --from -'],
  ['PK\x03\x04', 'a zip archive', 'unzip -p FILE | promo … --from -'],
  ['PK\x05\x06', 'an empty zip archive', 'name the file that holds the rows'],
  ['\xd0\xcf\x11\xe0', 'an old Excel workbook (xls)', 'save it as "CSV UTF-8"'],
  ['BZh91AY&SY', 'bzip2-compressed', 'bunzip2 -c FILE | promo … --from -'],
  ['\xfd7zXZ', 'xz-compressed', 'xz -dc FILE | promo … --from -'],
  ['\x28\xb5\x2f\xfd', 'zstd-compressed', 'zstd -dc FILE | promo … --from -'],
  ['%PDF-', 'a PDF document', 'export the rows as CSV'],
  ['SQLite format 3', 'a SQLite database', "sqlite3 -csv -header FILE 'select …' | promo … --from -"],
]

/** Returns the kind of a file, from its first bytes, or undefined when it may be text. */
export function fileKindOf(bytes: Buffer): FileKind | undefined {
  const head = bytes.toString('latin1', 0, 4096)
  const found = kinds.find(([start]) => head.startsWith(start))
  if (!found) return undefined
  const [start, what, hint] = found
  // A workbook is a zip archive whose first entries have these names.
  if (start === 'PK\x03\x04' && /\[Content_Types\]\.xml|xl\//.test(head)) {
    return { what: 'an Excel workbook (xlsx)', hint: 'save it as "CSV UTF-8"' }
  }
  return { what, hint }
}
