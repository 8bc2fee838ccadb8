// The checksum of one line of the journal: SQLite notices torn writes, not a flipped bit.
import { crc32 } from 'node:zlib'

/** Returns the CRC-32 of some values in their order. */
export function checksumOf(...values: (string | number | null)[]): number {
  // Joining an array takes longer than the checksum.
  let text = ''
  for (let at = 0; at < values.length; at++) text += `${at === 0 ? '' : '\u0000'}${values[at] ?? ''}`
  return crc32(text)
}
