// Connects one run of promo to the process: signals, broken pipes, the exit code. Nothing here calls process.exit for a run that
// ends, because that discards what a pipe has not taken yet (64 kB of a large answer arrive and the rest is lost).
import { homedir } from 'node:os'
import { EXIT } from '../../errors.ts'
import { tellLines } from '../../output/tell.ts'
import type { CommandSource } from '../command.ts'
import { exitCodeOf, graceMs } from '../stop.ts'
import type { Host, StopReason } from './host.ts'
import { run } from './run.ts'

/** The signals that end a run in an orderly way, each with its own exit code. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof signals)[number]

/**
 * How long a stopped run may stay alive. No request is in flight this long, so what is left waits for something that may
 * never come: a file system that is gone, a reader that does not read.
 */
const lastMs = graceMs + 5_000

/**
 * Runs promo as this process: sets `process.exitCode` and returns when output has been handed over.
 *
 * The first signal stops new work and lets requests in flight finish; a second one ends the process at once, and so
 * does the first one after `lastMs`. A reader that closes the pipe stops the work too. `isLaunched` says that bin/run.js
 * started this process on a newer Node: it passes on the signals that it is sent itself, and its end counts as SIGHUP.
 */
export async function launch(argv: string[], source: CommandSource, isLaunched = false): Promise<void> {
  const stop = new AbortController()
  const stopFor = (reason: StopReason) => {
    if (!stop.signal.aborted) stop.abort(reason)
  }
  let isPaging = false
  const onSignal = (signal: Signal) => {
    // Ctrl-C in a pager is the pager's.
    if (isPaging && signal === 'SIGINT') return
    if (stop.signal.aborted) endNow(signal)
    stopFor(signal)
    setTimeout(() => endNow(signal), lastMs).unref()
  }
  listen(onSignal, isLaunched)
  // oclif installs a listener that swallows EPIPE and rethrows the rest; only the listeners below may decide.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  let [lost, isOver]: [NodeJS.ErrnoException | undefined, boolean] = [undefined, false]
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost = error
    stopFor('EPIPE')
    // What is written without waiting, as help is, fails after the run.
    if (!isOver) return
    if (lost === undefined) process.exitCode = EXIT.closedPipe
    else void reportLost(lost)
  })
  // No process reads the messages any more; the data may still have a reader.
  process.stderr.on('error', () => {})

  const host: Host = {
    // A getter, because opening it loads sockets and terminals, and most commands read nothing.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    platform: process.platform,
    home: process.env.HOME || homedir(),
    stop: stop.signal,
    now: Date.now,
    page: async (text) => {
      const { showInPager } = await import('../help/pager.ts')
      isPaging = true
      await showInPager(text, host)
      isPaging = false
    },
  }
  process.exitCode = await run(argv, host, source)
  isOver = true
  if (lost !== undefined) await reportLost(lost)
}

async function reportLost(error: unknown): Promise<void> {
  process.exitCode = EXIT.io
  const { outputLost } = await import('../../base/files/cannot-write.ts')
  tellLines(process.stderr, outputLost(error))
}

/**
 * Calls `onSignal` once for every signal sent to promo, whether to this process, to its launcher or to both.
 *
 * What is sent to the group, as a terminal does, arrives twice, in any order: the larger of the two counts is how often it
 * was sent.
 */
function listen(onSignal: (signal: Signal) => void, isLaunched: boolean): void {
  const sent = Object.fromEntries(signals.map((signal) => [signal, { own: 0, passed: 0 }]))
  const count = (signal: Signal, by: 'own' | 'passed') => {
    const counts = sent[signal] as { own: number; passed: number }
    const before = Math.max(counts.own, counts.passed)
    counts[by] += 1
    if (counts[by] > before) onSignal(signal)
  }
  for (const signal of signals) process.on(signal, () => count(signal, 'own'))
  // Ctrl-Break, which only Windows has, where it means what Ctrl-C means.
  if (process.platform === 'win32') process.on('SIGBREAK', () => count('SIGINT', 'own'))
  if (!isLaunched) return
  process.on('message', (signal: Signal) => count(signal, 'passed'))
  if (process.connected) process.on('disconnect', () => onSignal('SIGHUP'))
  else onSignal('SIGHUP')
  // It tells what happens, and is no work that a run waits for.
  process.channel?.unref()
}

/**
 * Ends the process as the signal would have without a listener: the shell sees the signal itself. Windows has no such end, and
 * would make it exit code 1.
 */
function endNow(signal: Signal): void {
  if (process.platform === 'win32') process.exit(exitCodeOf(signal))
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
