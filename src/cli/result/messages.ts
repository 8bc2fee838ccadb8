// Messages to the user: notices, warnings and the context of questions. They go to stderr: stdout is data.
import { tell } from '../../output/tell.ts'
import type { Host } from '../run/host.ts'

export interface Messages {
  /** One line, unless --quiet. */
  say: (line: string) => void
  /** One line that --quiet does not silence. */
  warn: (line: string) => void
}

/** Opens the messages of one run. */
export function messagesTo(host: Host, flags: { quiet?: boolean }): Messages {
  const line = (text: string) => {
    tell(host.stderr, text)
  }
  return {
    say: flags.quiet ? () => {} : line,
    warn: line,
  }
}

/** Says whether colours may be written to a stream: a terminal, not a dumb one, and colours not switched off. */
export function isColourful(
  stream: { isTTY?: boolean },
  { env }: Pick<Host, 'env'>,
  flags: { 'no-color'?: boolean },
): boolean {
  if (flags['no-color'] || (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb') return false
  return stream.isTTY === true
}
