// A whole input as text or bytes: a file, or stdin. What is longer than a limit ends early: it may have no end.
import { buffer } from 'node:stream/consumers'
import type { EncodingOptions } from '../../bulk/input/encoding.ts'
import { plainText } from '../../bulk/input/plain-text.ts'
import { readSource, sourceName } from '../../bulk/input/source.ts'
import { secretLimitBytes } from '../../profiles/secret-file.ts'
import type { Input } from '../run/host.ts'

// ASSUMED A1501: a document that is read as a whole has at most 32 MiB, like an answer. A body may be 1 MiB, and its text
// more, because of white space.
const documentLimitBytes = 32 * 1024 * 1024

/** What fixtures and the files of imports may have: half of the longest text that Node can hold. */
export const fileLimitBytes = 256 * 1024 * 1024

/**
 * Reads a text without its byte order mark; `-` is stdin.
 *
 * Throws `input` (exit 2) for a file that cannot be read, for stdin that is a terminal, and for what is too long, empty or
 * neither UTF-8 nor marked as UTF-16: it would be sent damaged. `encoding` is given where a flag says what it is.
 */
export async function inputText(
  from: string,
  host: Input,
  limitBytes = documentLimitBytes,
  encoding?: EncodingOptions,
): Promise<string> {
  const pieces = readSource({ from, ...partsOf(host), limitBytes })
  return (await buffer(plainText(pieces, sourceName(from), encoding))).toString('utf8')
}

/** Reads the bytes of a file as they are, `-` being a name like any other. Throws `input` (exit 2) as `inputText` does. */
export async function fileBytes(path: string, host: Input): Promise<Buffer> {
  return await buffer(
    readSource({ from: path === '-' ? './-' : path, ...partsOf(host), limitBytes: documentLimitBytes }),
  )
}

/** Reads secrets from stdin. Throws `input` (exit 2) for more than they may be. */
export async function secretText(host: Input): Promise<string> {
  const pieces = readSource({ from: '-', ...partsOf(host), limitBytes: secretLimitBytes })
  return (await buffer(pieces)).toString('utf8')
}

function partsOf({ stdin, stop }: Input) {
  return { stdin, signal: stop }
}
