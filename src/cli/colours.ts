// Whether what is written may be coloured.
import type { Host } from './run/host.ts'

/** Says whether colours may be written to a stream: a terminal, not a dumb one, and colours not switched off. */
export function isColourful(
  stream: { isTTY?: boolean },
  { env }: Pick<Host, 'env'>,
  flags: { 'no-color'?: boolean },
): boolean {
  if (flags['no-color'] || (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb') return false
  return stream.isTTY === true
}
