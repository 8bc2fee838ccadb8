// The XML inside a workbook, element by element and in flat memory. It may be hostile: nothing it declares is expanded.
import { StringDecoder } from 'node:string_decoder'
import { Parser } from 'saxen'
import { maxRecordBytes } from '../row.ts'

/** What is found, by the local names of elements and attributes. */
export interface XmlHandlers {
  open?: (name: string, attributes: () => Record<string, string>) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

const maxDepth = 64
const tooLong = 'it has a text longer than 1 MiB'

/**
 * Reads XML, and calls a handler for everything in it. Yields after each piece, so that what was found can be taken.
 *
 * Throws an Error in words for text that is not well-formed XML, declares entities, or has a token longer than 1 MiB.
 */
export async function* readXml(
  pieces: AsyncIterable<Buffer>,
  { open, close, text }: XmlHandlers,
): AsyncGenerator<void> {
  const decoder = new StringDecoder('utf8')
  let waiting = 0
  let depth = 0
  const notify = (hear: () => void) => {
    waiting = 0
    hear()
  }
  const parser = new Parser()
    .on('openTag', (name, attributes) => {
      if (++depth > maxDepth) throw new Error('its XML is nested too deeply')
      notify(() => open?.(localName(name), () => readAttributes(attributes())))
    })
    .on('closeTag', (name) => {
      depth -= 1
      notify(() => close?.(localName(name)))
    })
    .on('text', (found) => notify(() => text?.(decodeEntities(found))))
    .on('cdata', (found) => notify(() => text?.(found)))
    .on('attention', () => {
      throw new Error('it declares XML entities, which no spreadsheet writes')
    })
    .on('error', (error) => {
      throw new Error(`its XML has a fault: ${error.message}`)
    })
  for await (const piece of pieces) {
    waiting += piece.length
    parser.write(decoder.write(piece))
    if (waiting > maxRecordBytes + piece.length) throw new Error(tooLong)
    yield
  }
  parser.end()
  yield
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function readAttributes(given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [localName(name), decodeEntities(value)]))
}

const entities: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }

/** The library decodes no characters above U+FFFF, and leaves unknown names as they are. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([^;&]*));/gi,
    (_, hex?: string, decimal?: string, name = '') => {
      if (hex === undefined && decimal === undefined) {
        const character = Object.hasOwn(entities, name) ? entities[name] : undefined
        if (character === undefined) throw new Error('it uses an XML entity that is not built in')
        return character
      }
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      if (code > 0x10ffff) throw new Error('it has a character that does not exist')
      return String.fromCodePoint(code)
    },
  )
}

/** Returns a text with its next piece. Throws an Error in words for one that is longer than 1 MiB. */
export function append(text: string, piece: string): string {
  if (text.length + piece.length > maxRecordBytes) throw new Error(tooLong)
  return text + piece
}

/** Decodes what a workbook writes for characters that XML has not: `_x000D_`. */
export function decodeCharacters(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
