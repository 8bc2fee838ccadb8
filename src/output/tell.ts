// The only code that writes messages for people. Every text passes the sanitiser here, whoever composed it, so that no
// caller can forget it. Results have their own writer (write.ts). Source: docs/reliability.md#terminal-and-files.
import { sanitize, sanitizeJson } from '../base/text/sanitize.ts'
import type { OutputStream } from './shape.ts'

type Stream = Pick<OutputStream, 'write' | 'hide'>

/** Returns a text as a message shows it: without the secrets of the run, then sanitised. */
export function shownOn({ hide }: Pick<Stream, 'hide'>, text: string, options?: { lines?: boolean }): string {
  return sanitize(hide?.(text) ?? text, options)
}

/** Writes one line. A line break inside the text becomes a visible escape: only promo begins a line. */
export function tell(stream: Stream, line: string): void {
  stream.write(`${shownOn(stream, line)}\n`)
}

/** Writes a text of several lines that promo composed; whatever came from elsewhere must already be on one line. */
export function tellLines(stream: Stream, text: string): void {
  stream.write(shownOn(stream, text, { lines: true }))
}

/** Writes one value as a line of JSON; control and direction characters are JSON escapes. */
export function tellJson(stream: Stream, value: object): void {
  const { hide } = stream
  const json = JSON.stringify(value, hide && ((_name, member) => (typeof member === 'string' ? hide(member) : member)))
  stream.write(`${sanitizeJson(json)}\n`)
}

/** Replaces the last line of a terminal by another of at most `width` characters; an empty one removes it. */
export function redraw(stream: Stream, line: string, width = line.length): void {
  stream.write(`\r\u001b[K${shownOn(stream, line).slice(0, width)}`)
}
