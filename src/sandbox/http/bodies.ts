import type { Endpoint } from '../../contract/endpoint.ts'

/** How each encoding of the contract is named on the wire. Source: docs/service/addresses.md#request-headers. */
export const mediaTypes: Record<Endpoint['encoding'], string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
}

// Reads a body of multipart/form-data that is in memory as a whole. The parsers of libraries are for streams and answer
// later; here a request is answered in one go, within the transaction of its turn.
// Source: docs/service/addresses.md#request-headers.

const partsLimit = 20

/**
 * Returns the parts of a body by name, as text; undefined for a body that is not complete and well-formed, names a part
 * twice, or encodes one.
 */
export function formParts(body: string, contentType: string): Record<string, string> | undefined {
  const boundary = parametersOf(contentType).get('boundary')
  if (!boundary || boundary.length > 70) return undefined
  const delimiter = new RegExp(`\\r\\n--${boundary.replaceAll(/[^\w ]/g, '\\$&')}(?=--|[ \\t]*\\r\\n)`)
  const [, ...sections] = `\r\n${body}`.split(delimiter, partsLimit + 3)
  // A body that was cut off has no closing delimiter; half a file must not be taken for a whole one.
  if (sections.pop()?.startsWith('--') !== true || sections.length > partsLimit) return undefined
  const parts = new Map<string, string>()
  for (const section of sections) {
    const part = partOf(section)
    if (!part || parts.has(part.name)) return undefined
    parts.set(part.name, part.text)
  }
  return Object.fromEntries(parts)
}

function partOf(section: string): { name: string; text: string } | undefined {
  const start = section.indexOf('\r\n')
  const end = section.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const headers = new Map(
    section
      .slice(start + 2, Math.max(start + 2, end))
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')).trim().toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const name = parametersOf(headers.get('content-disposition') ?? '').get('name')
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
  if (name === undefined || !['binary', '8bit', '7bit'].includes(encoding)) return undefined
  return { name, text: section.slice(end + 4) }
}

/** The parameters of a header by lower-case name. Quoted ones are read whole: a file name may contain `; name=`. */
function parametersOf(header: string): Map<string, string> {
  const found = header.matchAll(/;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g)
  return new Map(
    [...found].map(([, name = '', quoted, plain = '']) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? plain,
    ]),
  )
}
