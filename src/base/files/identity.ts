// Which file a name leads to: another one may have taken its place.
import { statSync } from 'node:fs'

/**
 * Returns a text that is equal for two names of one file, and for one name as long as the file is not replaced; undefined where
 * there is none.
 *
 * The numbers are read as bigint: those of NTFS and ReFS exceed 2^53, where different files would look alike.
 */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}
