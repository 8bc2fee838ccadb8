// Runs the real bin on a real terminal: a pseudo-terminal of script(1), which Debian, Fedora and Alpine include.
import { spawn } from 'node:child_process'
import { bin, environmentIn } from './child.ts'
import { root } from './source-files.ts'

export interface TerminalRun extends AsyncDisposable {
  /** Everything sent to the terminal so far: stdout and stderr, in order of arrival. */
  shown: () => string
  /** Resolves when new output matches; output matched before does not count again. */
  sees: (pattern: RegExp) => Promise<void>
  /** Presses keys. Call it after `sees`: keys pressed before a question are echoed. */
  types: (keys: string) => void
  /** The exit code, once promo has ended. */
  exitCode: Promise<number | null>
}

/** The keys without a letter. */
export const keys = {
  enter: '\r',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  down: '\u001b[B',
  left: '\u001b[D',
  space: ' ',
  clear: '\u0015',
} as const

/** Starts promo on a terminal of 100 columns, its settings and state below `folder`. `after` is appended to the command line. */
export function promoOnTerminal(
  argv: string[],
  folder: string,
  { env = {}, after = '' }: { env?: Record<string, string>; after?: string } = {},
): TerminalRun {
  const words = [process.execPath, bin, ...argv].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const child = spawn(
    'script',
    ['-q', '-e', '-c', `stty cols 100 rows 40; ${after === '' ? 'exec ' : ''}${words} ${after}`, '/dev/null'],
    {
      cwd: root,
      env: { ...environmentIn(folder), SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
    },
  )
  let shown = ''
  let seenTo = 0
  let isOver = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    wake()
  })
  const exitCode = new Promise<number | null>((resolve) =>
    child.on('close', (code) => {
      isOver = true
      wake()
      resolve(code)
    }),
  )
  return {
    shown: () => shown,
    sees: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(shown.slice(seenTo))
          if (found) seenTo += found.index + found[0].length
          else if (!isOver) return
          waiting.delete(look)
          if (found) resolve()
          else reject(new Error(`promo ended before it showed ${pattern}:\n${shown}`))
        }
        waiting.add(look)
        look()
      }),
    types: (text) => void child.stdin.write(text),
    exitCode,
    async [Symbol.asyncDispose]() {
      child.kill()
      await exitCode
    },
  }
}
