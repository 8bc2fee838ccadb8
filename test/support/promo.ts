// Runs a whole command line in this process: the real dispatch, parser, commands and services, on streams of its own.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { indexOf } from '../../src/cli/run/find-command.ts'
import type { Host, StopReason } from '../../src/cli/run/host.ts'
import { type CommandClass, run } from '../../src/cli/run/run.ts'
import { root } from './source-files.ts'

const modules = import.meta.glob<{ default: CommandClass }>('../../src/commands/**/*.ts')

export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  stdin?: string
  env?: Record<string, string>
  /** Streams that say they are a terminal of this width. */
  terminal?: { columns: number }
  /** What a person at the terminal types, each when stderr has shown something that matches, after what matched before. */
  answers?: readonly (readonly [RegExp, string])[]
  /** Called with each piece of stdout; may ask the run to stop. */
  onStdout?: (text: string, stop: (reason: StopReason) => void) => void
  /** Called before the run with the way to stop it. */
  onStart?: (stop: (reason: StopReason) => void) => void
  now?: () => number
}

/** Gives a folder of its own, so that a test shares no settings and no sandbox with another. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'promo-test-'))
}

/** A path that leads nowhere, whatever else is on the computer. */
export const nowhere = join(temporaryFolder(), 'nowhere')

/** Makes a runner whose settings and sandbox live in one folder of their own. */
export function promoIn(folder: string) {
  return (argv: string[], options: RunOptions = {}) =>
    promo(argv, {
      ...options,
      env: { PROMO_CONFIG_DIR: join(folder, 'config'), PROMO_STATE_DIR: join(folder, 'state'), ...options.env },
    })
}

/** Runs one command line and gives what it printed and its exit code. */
export async function promo(argv: string[], options: RunOptions = {}): Promise<Ran> {
  const stop = new AbortController()
  const out: string[] = []
  const err: string[] = []
  const sink = (pieces: string[], heard?: (text: string) => void) =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write(chunk, _encoding, done) {
          pieces.push(String(chunk))
          heard?.(String(chunk))
          done()
        },
      }),
      // What is piped into the streams of a process does not end them.
      { end() {} },
      options.terminal && { isTTY: true, columns: options.terminal.columns },
    )
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const answer = typist(options.answers ?? [], keyboard)
  const host: Host = {
    stdin: options.stdin === undefined ? keyboard : Readable.from([options.stdin]),
    stdout: sink(out, (text) => options.onStdout?.(text, (reason) => stop.abort(reason))),
    stderr: sink(err, answer),
    env: { TZ: 'UTC', ...ownPlaces(options), ...options.env },
    platform: process.platform,
    home: nowhere,
    stop: stop.signal,
    now: options.now ?? Date.now,
  }
  options.onStart?.((reason) => stop.abort(reason))
  const exitCode = await run(argv, host, source)
  mustBeKnown(exitCode, argv)
  return { exitCode, stdout: out.join(''), stderr: err.join('') }
}

/** Fails for an exit code that `promo commands` does not tell of the command: the list is proved by every test. */
function mustBeKnown(exitCode: number, argv: string[]): void {
  const [id] = Object.values(source.index.commands)
    .filter((id) => id.split(':').every((word, at) => argv[at] === word))
    .toSorted((one, other) => other.length - one.length)
  if (id === undefined || manifest.commands[id].exit_codes.includes(exitCode)) return
  throw new Error(`promo ${argv.join(' ')} ended with ${exitCode}, which its exit_codes do not tell`)
}

/** Makes what listens to a terminal and types each answer once its question is there. */
function typist(answers: readonly (readonly [RegExp, string])[], keyboard: PassThrough): (shown: string) => void {
  const left = [...answers]
  let unread = ''
  return (shown) => {
    unread += shown
    const [next] = left
    if (next === undefined || !next[0].test(unread)) return
    left.shift()
    unread = ''
    // A question listens to keys only after it was drawn.
    setImmediate(() => keyboard.write(next[1]))
  }
}

/** Folders that no other run shares, or one would continue the jobs of another. */
function ownPlaces({ env = {} }: RunOptions): Record<string, string> {
  if (env.PROMO_CONFIG_DIR !== undefined && env.PROMO_STATE_DIR !== undefined) return {}
  const folder = temporaryFolder()
  return { PROMO_CONFIG_DIR: join(folder, 'config'), PROMO_STATE_DIR: join(folder, 'state') }
}

const { version, oclif } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const manifest = JSON.parse(readFileSync(join(root, '.oclif.manifest.json'), 'utf8'))
const source = { root, version, index: indexOf(manifest, oclif.topics), load: loadFromSource }

async function loadFromSource(path: string) {
  const load = modules[`../../src/commands/${path}.ts`]
  if (!load) throw new Error(`the manifest names a command that src/commands does not have: ${path}`)
  return await load()
}
