// A whole input as text or bytes: a file, or stdin.
import { buffer } from 'node:stream/consumers'
import { plainText } from '../../bulk/input/plain-text.ts'
import { readSource, sourceName } from '../../bulk/input/source.ts'
import type { Host } from '../run/host.ts'

/**
 * Reads a text without its byte order mark; `-` is stdin.
 *
 * Throws `input` (exit 2) for a file that cannot be read, for stdin that is a terminal, and for what is empty or neither
 * UTF-8 nor marked as UTF-16: it would be sent damaged.
 */
export async function inputText(from: string, { stdin, stop }: Host): Promise<string> {
  return (await buffer(plainText(readSource({ from, stdin, signal: stop }), sourceName(from)))).toString('utf8')
}

/** Reads the bytes of a file as they are, `-` being a name like any other. Throws `input` (exit 2) as `inputText` does. */
export async function fileBytes(path: string, { stdin, stop }: Host): Promise<Buffer> {
  return await buffer(readSource({ from: path === '-' ? './-' : path, stdin, signal: stop }))
}
