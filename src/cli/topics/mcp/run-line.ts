// Runs one command line on behalf of a tool, in this process: what the command prints becomes a value, and its error a failure.
import { Readable, Writable } from 'node:stream'
import type { CommandSource } from '../../command.ts'
import type { Host, StopReason } from '../../run/host.ts'
import { run } from '../../run/run.ts'

/** Output beyond this ends the command, as a reader does that closes the pipe. */
const mostBytes = 8_000_000
/** Lines of messages that are kept. */
const mostNotes = 40

/** What a command line came to. */
export interface RanLine {
  exitCode: number
  /** What it wrote to stdout. */
  output: string
  /** Its notices and warnings. */
  notes: string[]
  /** Its error, with the members that `--json` shows. */
  error?: LineError
  /** It wrote more than can be kept; `output` is empty. */
  isTooLarge: boolean
}

export interface LineError {
  kind: string
  message: string
  exit_code: number
  hint?: string
}

/** What a command line needs of the server. */
export interface LineOptions {
  host: Host
  source: CommandSource
  /** Ends the command as Ctrl-C does: what is in flight is still recorded. */
  signal?: AbortSignal
  /** Replaces variables of the environment. */
  env?: Record<string, string>
  /** Called with the number of lines that it has written to stdout so far. */
  onLines?: (lines: number) => void
}

/**
 * Runs a command line whose words ask for JSON or JSON Lines. It reads nothing from stdin, which belongs to the protocol, and
 * is never asked a question. Never throws.
 */
export async function runLine(argv: string[], options: LineOptions): Promise<RanLine> {
  const { host, source, signal, env, onLines } = options
  const stop = new AbortController()
  const stopFor = (reason: StopReason) => {
    if (!stop.signal.aborted) stop.abort(reason)
  }
  const onStop = () => stopFor(host.stop.reason as StopReason)
  const onCancel = () => stopFor('SIGINT')
  if (host.stop.aborted) onStop()
  else if (signal?.aborted) onCancel()
  host.stop.addEventListener('abort', onStop, { once: true })
  signal?.addEventListener('abort', onCancel, { once: true })
  let written = 0
  const countLines = (piece: string) => {
    written += piece.split('\n').length - 1
    onLines?.(written)
  }
  const out = capture(mostBytes, { full: () => stopFor('EPIPE'), onText: countLines })
  const err = capture(mostBytes)
  try {
    const exitCode = await run(argv, lineHost(host, out.stream, err.stream, stop.signal, env), source)
    const lines = err.text().split('\n').filter(Boolean)
    const error = lines.map(errorIn).find((found) => found !== undefined)
    const notes = lines.filter((line) => errorIn(line) === undefined).slice(0, mostNotes)
    return { exitCode, output: out.text(), notes, ...(error && { error }), isTooLarge: out.isFull() }
  } finally {
    host.stop.removeEventListener('abort', onStop)
    signal?.removeEventListener('abort', onCancel)
  }
}

function lineHost(host: Host, stdout: Writable, stderr: Writable, stop: AbortSignal, env = {}): Host {
  return {
    stdin: Readable.from([]),
    stdout,
    stderr,
    // A copy: what is read of it once, such as a secret, is still there for the next line.
    env: { ...host.env, ...env },
    platform: host.platform,
    home: host.home,
    stop,
    now: host.now,
    ...(host.profile && { profile: host.profile }),
    ...(host.ask && { ask: host.ask }),
  }
}

function capture(most: number, { full, onText }: { full?: () => void; onText?: (text: string) => void } = {}) {
  let pieces: string[] = []
  let bytes = 0
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      const piece = String(chunk)
      bytes += Buffer.byteLength(piece)
      if (bytes <= most) {
        pieces.push(piece)
        onText?.(piece)
      } else {
        pieces = []
        full?.()
      }
      done()
    },
  })
  return { stream, text: () => (bytes > most ? '' : pieces.join('')), isFull: () => bytes > most }
}

function errorIn(line: string): LineError | undefined {
  if (!line.startsWith('{"error":')) return undefined
  try {
    return (JSON.parse(line) as { error: LineError }).error
  } catch {
    return undefined
  }
}
