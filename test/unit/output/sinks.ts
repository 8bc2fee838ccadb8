// Streams that remember what was written, and shapes to write in.
import { Writable } from 'node:stream'
import type { Format, Shape, Sink } from '../../../src/output/shape.ts'

export interface Captured extends Sink {
  out: () => string
  err: () => string
}

export function captured(more: { columns?: number; color?: boolean; signal?: AbortSignal } = {}): Captured {
  const stdout = remembering()
  const stderr = remembering()
  const terminal = more.columns === undefined ? {} : { isTTY: true, columns: more.columns }
  return {
    stdout: Object.assign(stdout.stream, terminal),
    stderr: stderr.stream,
    color: more.color ?? false,
    ...(more.signal && { signal: more.signal }),
    out: stdout.text,
    err: stderr.text,
  }
}

export function shape(format: Format, more: Partial<Shape> = {}): Shape {
  return { format, header: true, csvRaw: false, timeZone: 'UTC', ...more }
}

/** A stream that accepts each chunk only after a turn of the event loop, from a buffer of 16 bytes. */
export function slow(): { stream: Writable; text: () => string } {
  const chunks: string[] = []
  const stream = new Writable({
    highWaterMark: 16,
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      setImmediate(done)
    },
  })
  return { stream, text: () => chunks.join('') }
}

function remembering(): { stream: Writable; text: () => string } {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  return { stream, text: () => chunks.join('') }
}

/** A number as the service sent it, too large for JavaScript. */
export function raw(digits: string): object {
  return (JSON as unknown as { rawJSON(text: string): object }).rawJSON(digits)
}

export async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

export async function* inBatches<Row>(...batches: Row[][]): AsyncGenerator<Row[]> {
  yield* batches
}
