// The progress of one long operation, on stderr: a changing line on a terminal, else a plain line at most every 10 s.
import { redraw, tell } from '../../output/tell.ts'
import type { Host } from '../run/host.ts'

export interface StatusLine {
  /** Shows a text; a function is called only when the text is due. */
  show: (text: string | ((onTerminal: boolean) => string)) => void
  /** Removes the line: what follows starts on a clean one. */
  end: () => void
}

const changeMs = 100
const lineMs = 10_000

/** Opens a status line; nothing is shown with --quiet. */
export function statusLine(host: Pick<Host, 'stderr' | 'env' | 'now'>, flags: { quiet?: boolean }): StatusLine {
  if (flags.quiet) return { show: () => {}, end: () => {} }
  const onTerminal = host.stderr.isTTY === true && host.env.TERM !== 'dumb' && !host.env.CI
  let shownAt = onTerminal ? 0 : host.now()
  let isShown = false
  return {
    show(text) {
      const now = host.now()
      if (now - shownAt < (onTerminal ? changeMs : lineMs)) return
      shownAt = now
      const line = typeof text === 'string' ? text : text(onTerminal)
      if (onTerminal) redraw(host.stderr, line, Math.max(20, host.stderr.columns || 80) - 1)
      else tell(host.stderr, line)
      isShown = onTerminal
    },
    end() {
      if (isShown) redraw(host.stderr, '')
    },
  }
}
