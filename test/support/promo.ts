// Runs a complete command line in this process: the real dispatch, parser, commands and services, with its own streams.
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { beforeEach } from 'vitest'
import type { CommandClass } from '../../src/cli/command.ts'
import { exitCodesOf } from '../../src/cli/facts.ts'
import { referenceIn } from '../../src/cli/flags/kinds.ts'
import { readManifest } from '../../src/cli/help/manifest.ts'
import { detailReads } from '../../src/cli/prompt/detail.ts'
import { referenceCalls } from '../../src/cli/request/resolve-names.ts'
import { findCommand, indexOf } from '../../src/cli/run/find-command.ts'
import type { Host, StopReason } from '../../src/cli/run/host.ts'
import { run } from '../../src/cli/run/run.ts'
import { listMetadataSchemas } from '../../src/contract/metadata-schemas.ts'
import { listVouchers } from '../../src/contract/voucher-lists.ts'
import { getVoucher } from '../../src/contract/vouchers.ts'
import type { ExitCode } from '../../src/errors.ts'
import { beginWithCopy } from './demo-file.ts'
import { mustLeadSomewhere } from './next-steps.ts'
import { hearing, isRequestOf, type SentRequest } from './sent-requests.ts'
import { root } from './source-files.ts'
import { startRecord } from './tape.ts'

type Tables = Record<string, Record<string, CommandClass>>
const files = import.meta.glob<{ default: CommandClass }>('../../src/commands/**/*.ts')
const tables = Object.values(import.meta.glob<Tables>('../../src/cli/resources/*.ts', { eager: true }))

/** The modules of all commands, by id. */
const commandModules: Record<string, () => Promise<{ default: CommandClass }>> = Object.fromEntries([
  ...Object.entries(files).map(([path, load]) => [
    path.replace(/^.*\/commands\/|\.ts$/g, '').replaceAll('/', ':'),
    load,
  ]),
  ...tables
    .flatMap((module) => Object.values(module).flatMap(Object.entries<CommandClass>))
    .map(([id, Class]) => [id, async () => ({ default: Class })]),
])

/** The ids of all commands. */
export const commandIds = Object.keys(commandModules)

/** Returns the class of a command. */
export async function classOf(id: string): Promise<CommandClass> {
  const load = commandModules[id]
  if (!load) throw new Error(`there is no command ${id}`)
  return (await load()).default
}

/** Returns the classes of all commands, with their ids. */
export function allCommands() {
  return Promise.all(commandIds.map(async (id) => ({ id, Class: await classOf(id) })))
}

export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
}

/** The words after `promo`, or all of them as a shell has them: apart by blanks, unless they are quoted. */
export type CommandLine = string | readonly string[]

export type Answer = readonly [RegExp, string | (() => Promise<string>)]

export interface RunOptions {
  stdin?: string | Buffer
  env?: Record<string, string | undefined>
  /** Streams that report a terminal of this width. */
  terminal?: { columns: number }
  /** What the user types, each entry once stderr shows a match after the previous one; a function may act before. */
  answers?: readonly Answer[]
  /** Called with each piece of stdout; may stop the run. */
  onStdout?: (text: string, stop: (reason: StopReason) => void) => void
  /** Called with each piece of stderr. */
  onStderr?: (text: string, stop: (reason: StopReason) => void) => void
  /** Called before the run with a function that stops it. */
  onStart?: (stop: (reason: StopReason) => void) => void
  now?: () => number
  /** Waits between looks; by default as long as they say. */
  sleep?: (ms: number) => Promise<void>
  /** Answers the question before a write, as an assistant's user does; then every write has one. */
  ask?: (question: string) => Promise<boolean>
}

/** Creates a separate folder, so that tests share neither settings nor sandboxes. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'promo-test-'))
}

/** A path that exists on no computer. */
export const nowhere = join(temporaryFolder(), 'nowhere')

/** Makes a runner whose settings and sandbox live in one folder of their own. */
export function promoIn(folder: string) {
  return (line: CommandLine, options: RunOptions = {}) =>
    promo(line, {
      ...options,
      env: { PROMO_CONFIG_DIR: join(folder, 'config'), PROMO_STATE_DIR: join(folder, 'state'), ...options.env },
    })
}

/** Gives each test of a file a home of its own. Call it once, where tests are declared. */
export function testHome() {
  let folder = ''
  beforeEach(() => {
    folder = temporaryFolder()
  })
  return {
    get folder() {
      return folder
    },
    promo: (line: CommandLine, options?: RunOptions) => promoIn(folder)(line, options),
    /** Writes an input file and returns its path. */
    input: (name: string, content: string | Uint8Array) => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
  }
}

/** Runs one command line and returns what it printed and its exit code. */
export async function promo(line: CommandLine, options: RunOptions = {}): Promise<Ran> {
  const argv = wordsOf(line)
  const stop = new AbortController()
  // Requests of the test itself while the command runs do not count as calls of the command.
  const outside = AsyncLocalStorage.snapshot()
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
      // Piping into the streams of a process does not end them.
      { end() {} },
      options.terminal && { isTTY: true, columns: options.terminal.columns },
    )
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const answer = typist(options.answers ?? [], keyboard, outside)
  const host: Host = {
    stdin: options.stdin === undefined ? keyboard : Readable.from([options.stdin]),
    stdout: sink(out, (text) => outside(() => options.onStdout?.(text, (reason) => stop.abort(reason)))),
    stderr: sink(err, (text) => {
      answer(text)
      outside(() => options.onStderr?.(text, (reason) => stop.abort(reason)))
    }),
    env: { TZ: 'UTC', ...ownPlaces(options), ...options.env },
    platform: process.platform,
    home: nowhere,
    stop: stop.signal,
    now: options.now ?? Date.now,
    ...(options.sleep && { sleep: options.sleep }),
    ...(options.ask && { ask: options.ask }),
  }
  // How a new file is filled is what tests of `sandbox` ask.
  if (argv[0] !== 'sandbox') await beginWithCopy(host.env.PROMO_STATE_DIR)
  options.onStart?.((reason) => stop.abort(reason))
  const complete = startRecord(argv, host.env.PROMO_STATE_DIR)
  const { result: exitCode, sent } = await hearing(() => run(argv, host, source))
  const ran: Ran = { exitCode, stdout: out.join(''), stderr: err.join('') }
  complete?.(ran, sent)
  await mustBeDeclared(argv, exitCode, sent)
  await mustLeadSomewhere(argv, ran.stderr)
  return ran
}

/** The words of a line. */
export function wordsOf(line: CommandLine): string[] {
  if (typeof line !== 'string') return [...line]
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, one = '', two = '') => one + two))
}

/** Fails for an exit code or a call that the command does not declare, so every test proves that none is missing. */
async function mustBeDeclared(argv: string[], exitCode: ExitCode, sent: readonly SentRequest[]): Promise<void> {
  const id = await commandOf(argv)
  if (id === undefined) return
  const { default: Class } = await loadFromSource(id.replaceAll(':', '/'))
  const { calls } = Class
  // A question may read what it says; whoever passes --yes, and a key that may not, does without.
  // A code that is not found is looked up, to say what it is instead, or which is meant.
  const looks = calls !== 'any' && calls.some((call) => aboutCodes.test(call.id)) ? [getVoucher, listVouchers] : []
  // A name is looked up where the service knows ids alone.
  const named = [...Object.values(Class.flags), ...Object.values(Class.args)]
  const names = named.some((one) => referenceIn in one) ? referenceCalls : []
  // The metadata of rows follows the schema of the project.
  const followed = argv.includes('--from') ? [listMetadataSchemas] : []
  const known =
    calls === 'any'
      ? calls
      : [...calls, ...looks, ...names, ...followed, ...(argv.includes('--yes') ? [] : detailReads)]
  const strange = known === 'any' ? [] : sent.filter((request) => !known.some((call) => isRequestOf(call, request)))
  if (!exitCodesOf(Class).includes(exitCode)) {
    throw new Error(`promo ${argv.join(' ')} ended with ${exitCode}, which the command does not declare`)
  }
  for (const { method, path } of strange) {
    throw new Error(`promo ${argv.join(' ')} sent ${method} ${path}, which the command does not declare`)
  }
}

const aboutCodes = /^(?:loyalty|publications|redemptions|validations|vouchers)\./

async function commandOf(argv: string[]): Promise<string | undefined> {
  try {
    const found = await findCommand(argv, source.index, source.root)
    return found.kind === 'command' ? found.id : undefined
  } catch {
    return undefined
  }
}

/** Returns a listener that types each answer once its question is shown. */
function typist(
  answers: readonly Answer[],
  keyboard: PassThrough,
  outside: ReturnType<typeof AsyncLocalStorage.snapshot>,
): (shown: string) => void {
  const left = [...answers]
  let unread = ''
  return (shown) => {
    unread += shown
    const [next] = left
    if (next === undefined || !next[0].test(unread)) return
    left.shift()
    unread = ''
    // A question reads keys only after it is drawn.
    const [, typed] = next
    setImmediate(async () => keyboard.write(typeof typed === 'string' ? typed : await outside(typed)))
  }
}

/** Folders of this run alone; in shared ones a run would continue the jobs of another. */
function ownPlaces({ env = {} }: RunOptions): Record<string, string> {
  if (env.PROMO_CONFIG_DIR !== undefined && env.PROMO_STATE_DIR !== undefined) return {}
  const folder = temporaryFolder()
  return { PROMO_CONFIG_DIR: join(folder, 'config'), PROMO_STATE_DIR: join(folder, 'state') }
}

const { version, oclif } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const index = indexOf({ commands: readManifest(root) }, oclif.topics)
const source = { root, version, index, load: loadFromSource }

async function loadFromSource(path: string) {
  return { default: await classOf(path.replaceAll('/', ':')) }
}
