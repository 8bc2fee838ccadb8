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
export function messagesTo(host: Pick<Host, 'stderr' | 'asTyped'>, flags: { quiet?: boolean }): Messages {
  const line = (text: string) => {
    tell(host.stderr, host.asTyped?.(text) ?? text)
  }
  return {
    say: flags.quiet ? () => {} : line,
    warn: line,
  }
}
