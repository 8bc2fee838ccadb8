// Messages to the user: notices, warnings and the context of questions. They go to stderr: stdout is data.
import { sanitize } from '../../output/form/sanitize.ts'
import type { Host } from '../run/host.ts'

export interface Messages {
  /** One line, unless --quiet. */
  say: (line: string) => void
  /** One line that --quiet does not silence. */
  warn: (line: string) => void
}

/** Opens the messages of one run. Every line is sanitised: it may contain names from a file or the service. */
export function messagesTo(host: Host, flags: { quiet?: boolean }): Messages {
  const line = (text: string) => {
    host.stderr.write(`${sanitize(text)}\n`)
  }
  return {
    say: flags.quiet ? () => {} : line,
    warn: line,
  }
}
