// Runs the real bin as a child process, for tests of signals, pipes, file modes and exit codes.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { mustLeadSomewhere } from './next-steps.ts'
import { root } from './source-files.ts'

/** The bin that users run. */
export const bin = join(root, 'bin/run.js')

/** Where programs keep their compiled code: of hundreds of starts of the same ones only the first has to compile. */
export const compileCache = join(tmpdir(), 'v8')

export interface Ended {
  exitCode: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** The environment of a program that writes only below `folder`; compiled code is shared by the entire test run. */
export function environmentIn(folder: string) {
  return {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: compileCache,
    HOME: folder,
    TZ: 'UTC',
    PROMO_CONFIG_DIR: join(folder, 'config'),
    PROMO_STATE_DIR: join(folder, 'state'),
  }
}

/** Starts promo with its settings and state below `folder`. */
export function startPromo(
  argv: string[],
  folder: string,
  env: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [bin, ...argv], {
    env: { ...environmentIn(folder), ...env },
  })
}

/** Waits for a started promo to end, reading all it prints. */
export async function ended(child: ChildProcessWithoutNullStreams, stdin = ''): Promise<Ended> {
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const [stdout, stderr, [exitCode, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
      child.on('close', (...how) => resolve(how as [number | null, NodeJS.Signals | null])),
    ),
  ])
  if (child.spawnargs[1] === bin) await mustLeadSomewhere(child.spawnargs.slice(2), stderr)
  return { exitCode, signal, stdout, stderr }
}

/** Starts promo and waits for its end. */
export async function runPromo(argv: string[], folder: string, env?: Record<string, string>, stdin?: string) {
  return await ended(startPromo(argv, folder, env), stdin)
}

/** Runs another program and waits for its end. */
export async function runProgram(
  program: string,
  args: string[],
  { cwd = root, env }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  return await ended(spawn(program, args, { cwd, ...(env && { env }) }))
}

/** Starts a shell script in `folder`, beside the examples, in which `promo` is the real bin; for pipes between programs. */
export async function runShell(script: string, folder: string, env: Record<string, string> = {}): Promise<Ended> {
  const examples = join(folder, 'examples')
  if (!existsSync(examples)) symlinkSync(join(root, 'examples'), examples)
  const child = spawn('bash', ['-c', `promo() { "${process.execPath}" "${bin}" "$@"; }\n${script}`], {
    cwd: folder,
    env: { ...environmentIn(folder), ...env },
  })
  return await ended(child)
}
