// Reports where a settings file is damaged. The file may hold secrets, so its text never enters a message or a cause.
import { PromoError } from '../errors.ts'

/** Returns the error for the member at the path of these keys. The reason must not quote the file. */
export type Damaged = (keys: string[], reason: string) => PromoError

/** Returns the error (config, exit 4) for one line of a file that promo cannot use and will not change. */
export function damagedFile(path: string, line: number, reason: string): PromoError {
  return new PromoError('config', `"${path}" cannot be used and was left as it is: line ${line}: ${reason}`, {
    hint: 'repair it, or move it away and add the profiles again: promo profiles add NAME',
  })
}

/** Finds the line, counted from 1, of the member at the path of these keys, or of the last key that exists. */
export function lineOfKeys(text: string, keys: string[]): number {
  let at = 0
  for (const key of keys) {
    const next = text.indexOf(`${JSON.stringify(key)}:`, at)
    if (next === -1) break
    at = next
  }
  return lineAt(text, at)
}

/** Finds the line of the syntax error in a text that JSON.parse refused. */
export function lineOfSyntaxError(text: string): number {
  const complaint = complaintAbout(text)
  const named = /\(line (\d+) column/.exec(complaint)?.[1]
  if (named !== undefined) return Number(named)
  if (!complaint.startsWith('Unexpected token')) return lineAt(text, text.trimEnd().length)
  // V8 reports no position for an unexpected token, so search for the shortest prefix with the same error.
  let [sound, faulty] = [0, text.length]
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2)
    if (complaintAbout(text.slice(0, middle)).startsWith('Unexpected token')) faulty = middle
    else sound = middle
  }
  return lineAt(text, sound)
}

function complaintAbout(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return (error as SyntaxError).message
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
