// Turns the bytes of a reply into the service's answer, or into the reason why they cannot be read.
import { type LosslessJson, readLosslessJson } from '../base/lossless-json.ts'
import { answerLimitBytes, type Reply } from './request/transport.ts'

/** The content of a body: JSON, nothing at all, a web page, or something that cannot be read. */
export type Content =
  | ({ kind: 'json' } & LosslessJson)
  | { kind: 'empty' }
  | { kind: 'html' }
  | { kind: 'too_large' }
  | { kind: 'unreadable' }

const compressions = { gzip: 'gunzip', 'x-gzip': 'gunzip', deflate: 'inflate', br: 'brotliDecompress' } as const

/**
 * Reads a reply's body: decompresses it up to 32 MiB, decodes it as UTF-8 and parses it.
 *
 * Never throws for what the other side sent, and never parses an empty body. `roughly` is as in `readLosslessJson`.
 */
export function contentOf(reply: Reply, roughly = false): Content | Promise<Content> {
  const encoding = text(reply.headers['content-encoding'])?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '' || reply.body.length === 0) return read(reply.body, roughly)
  if (!Object.hasOwn(compressions, encoding)) return { kind: 'unreadable' }
  return unpack(reply.body, compressions[encoding as keyof typeof compressions], roughly)
}

/** Returns the value of a header, or the first one when it was sent more than once. */
export function text(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function read(body: Uint8Array, roughly: boolean): Content {
  if (body.length === 0) return { kind: 'empty' }
  let decoded: string
  try {
    decoded = utf8.decode(body)
  } catch {
    return { kind: 'unreadable' }
  }
  if (decoded.trim() === '') return { kind: 'empty' }
  try {
    return { kind: 'json', ...readLosslessJson(decoded, roughly) }
  } catch {
    return { kind: decoded.trimStart().startsWith('<') ? 'html' : 'unreadable' }
  }
}

// Node's own 16 KiB take three times the processor time for a large answer; for a small one both take the same.
const pieceBytes = 65_536

function unpack(body: Uint8Array, how: 'gunzip' | 'inflate' | 'brotliDecompress', roughly: boolean): Promise<Content> {
  // All three take the same arguments, although their overloads hide that.
  const decompress = process.getBuiltinModule('node:zlib')[how] as typeof import('node:zlib').gunzip
  return new Promise((resolve) => {
    decompress(body, { maxOutputLength: answerLimitBytes, chunkSize: pieceBytes }, (error, result) => {
      if (error === null) resolve(read(result, roughly))
      else resolve({ kind: 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable' })
    })
  })
}
