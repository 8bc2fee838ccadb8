// Command lines that are shown for pasting: words, and the few commands of a shell that a next step needs.

type Platform = NodeJS.Platform

/**
 * Quotes a word so that a shell reads it back unchanged.
 *
 * On Windows that shell is PowerShell. Most words are quoted as cmd understands them too: it has no single quotes.
 */
export function shellWord(word: string, platform: Platform = process.platform): string {
  if (platform !== 'win32') {
    // A word that begins with = is another one to zsh.
    if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word
    // Both outside the quotes: in those of fish a backslash escapes either.
    return `'${word.replaceAll(/['\\]/g, (character) => `'\\${character}'`)}'`
  }
  if (/^[\w+=:./\\-]+$/.test(word)) return word
  // PowerShell reads typographic quotes as quotes too.
  return /^[^"$`%\u201C-\u201E]*[^"$`%\\\u201C-\u201E]$/.test(word)
    ? `"${word}"`
    : `'${word.replaceAll(/['\u2018-\u201B]/g, (quote) => quote + quote)}'`
}

/**
 * Quotes the arguments of a command of promo, after `--` where one would be taken for a flag. They end the command line: its flags
 * come before them.
 */
export function argumentWords(...words: readonly string[]): string {
  const quoted = words.map((word) => shellWord(word)).join(' ')
  return words.some((word) => word.startsWith('-')) ? `-- ${quoted}` : quoted
}

/** Returns the command that makes a folder and its parents. */
export function makeFolderCommand(path: string, platform: Platform = process.platform): string {
  return `${platform === 'win32' ? 'mkdir' : 'mkdir -p'} ${shellWord(path, platform)}`
}

/** Returns the command that gives a file another name, which no file has. */
export function moveCommand(from: string, to: string, platform: Platform = process.platform): string {
  return `${platform === 'win32' ? 'move' : 'mv'} ${shellWord(from, platform)} ${shellWord(to, platform)}`
}

/** Returns the command that puts a file into the place of another. */
function replaceCommand(from: string, to: string, platform: Platform = process.platform): string {
  const words = `${shellWord(from, platform)} ${shellWord(to, platform)}`
  return platform === 'win32' ? `Move-Item -Force ${words}` : `mv -f ${words}`
}

/** Returns the commands that copy a file and put the copy into its place: it then has one name. */
export function recopyCommand(path: string, platform: Platform = process.platform): string {
  const copy = `${path}.copy`
  const words = `${shellWord(path, platform)} ${shellWord(copy, platform)}`
  return platform === 'win32'
    ? `Copy-Item ${words}; ${replaceCommand(copy, path, platform)}`
    : `cp ${words} && ${replaceCommand(copy, path, platform)}`
}
