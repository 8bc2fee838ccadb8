// A JSON document from a file, stdin or the command line; errors name line and column.
import { shellWord } from '../../base/shell-word.ts'
import { readStrictJson } from '../../base/strict-json.ts'
import { inputError } from '../../bulk/input/input-error.ts'
import { usageError } from '../../errors.ts'
import type { Input } from '../run/host.ts'

/**
 * Reads a JSON file; `-` is stdin. A byte order mark is dropped; duplicate members and numbers that would be rounded
 * are refused.
 *
 * Throws `usage` for stdin that is a terminal, and `input` (exit 2) for a file that is missing, too long,
 * not UTF-8 or not JSON.
 */
export async function jsonFrom(from: string, host: Input, limitBytes?: number): Promise<unknown> {
  if (from === '-' && host.stdin.isTTY) throw usageError('stdin is a terminal', 'pipe the JSON in, or name a file')
  const { inputText } = await import('./input-text.ts')
  return jsonOf(await inputText(from, host, limitBytes), from === '-' ? 'stdin' : from)
}

/** Reads the JSON of --body: the text itself, or with `@` a file or stdin. Throws as `jsonFrom` does. */
export async function jsonOfBody(given: string, host: Input): Promise<unknown> {
  if (given.startsWith('@')) return await jsonFrom(given.slice(1), host)
  const isName = given === '-' || /^[^\s{}[\]",]*\.\w+$/.test(given)
  return jsonOf(given, '--body', isName ? `--body ${shellWord(`@${given}`)}` : undefined)
}

/** Reads JSON as strictly as `jsonFrom` does; errors call it `name`, and have `hint`. Throws `input` (exit 2). */
export function jsonOf(content: string, name: string, hint?: string): unknown {
  const reading = readStrictJson(content)
  if ('value' in reading) return reading.value
  const before = content.slice(0, reading.at).split('\n')
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
  throw inputError(`${name}, ${place}: ${reading.problem}`, hint)
}
