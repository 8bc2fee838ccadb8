// The checksum of one line of the journal: SQLite notices torn writes, not a flipped bit.
import { crc32 } from 'node:zlib'

/** Returns the CRC-32 of some values in their order. */
export function checksumOf(...values: (string | number | null)[]): number {
  return crc32(values.join('\u0000'))
}
