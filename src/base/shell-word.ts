// Words of a command line that is shown for pasting.

/** Quotes a word so that a shell reads it back unchanged. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
