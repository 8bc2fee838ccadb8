// Started by an older Node bin/run.js is two processes, which nobody may notice: what ends the one that was started
// ends promo, once, with the exit code that promo has by itself.
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { ended, environmentIn } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { launcherIn } from '../support/launcher.ts'
import { needing } from '../support/programs.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

const folder = temporaryFolder()
const launcher = launcherIn(temporaryFolder())
const node = olderNode() ?? process.execPath

/** A Node 20 of this computer: it aborts where newer ones do not. */
function olderNode(): string | undefined {
  const found = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, 'node'))
  return found.find((program) => existsSync(program) && String(execFileSync(program, ['--version'])).startsWith('v20.'))
}

const running: ChildProcessWithoutNullStreams[] = []

const serving = {
  'sandbox start': ['sandbox', 'start', '--data', ':memory:'],
  'webhooks listen': ['webhooks', 'listen', '--port', '0'],
}
const programs = Object.entries(serving)

function start(
  words: readonly string[],
  { detached = false, before = [] as readonly string[], env = {} as NodeJS.ProcessEnv } = {},
) {
  return run([...before, node, launcher, ...words], { detached, env })
}

/** Runs a shell line on a terminal; `promo` in it is the launcher. */
function onTerminal(line: string) {
  const promo = `promo() { exec '${node}' '${launcher}' "$@"; }`
  return run(['script', '-q', '-e', '-c', `${promo}; ${line}`, '/dev/null'])
}

function run([program = '', ...args]: string[], { detached = false, env = {} as NodeJS.ProcessEnv } = {}) {
  const settings = { PROMO_WEBHOOK_SECRET: 'whsec_0123456789abcdef', SHELL: '/bin/sh', ...env }
  const child = spawn(program, args, { detached, env: { ...environmentIn(folder), ...settings } })
  running.push(child)
  return child
}

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

/** Resolves when the program says where it listens. */
async function ready({ stdout, stderr }: ChildProcessWithoutNullStreams): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const stream of [stdout, stderr]) stream.on('data', (text) => /127\.0\.0\.1/.test(text) && resolve())
  })
}

/** Waits for both processes: the output ends when no process has it open any more. */
async function how(child: ChildProcessWithoutNullStreams) {
  const { exitCode, signal } = await ended(child)
  return exitCode ?? signal
}

const stops = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const
const lethal = ['SIGKILL', 'SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGUSR2', 'SIGSEGV'] as const

describe.each(programs)('%s', (_, words) => {
  test.each(stops)('%s to the id that a script holds ends it like promo itself', async (signal, exitCode) => {
    const child = start(words)
    await ready(child)

    child.kill(signal)

    expect(await how(child)).toBe(exitCode)
  })

  test.each(stops)('%s to the process group counts once', async (signal, exitCode) => {
    const child = start(words, { detached: true })
    await ready(child)

    process.kill(-(child.pid as number), signal)

    expect(await how(child)).toBe(exitCode)
  })

  test('a stop like that of systemd, TERM and then KILL, leaves no process behind', async () => {
    const child = start(words)
    await ready(child)

    child.kill('SIGTERM')
    child.kill('SIGKILL')

    expect(await how(child)).toBe('SIGKILL')
  })

  test('timeout -s KILL leaves no process behind', needing('timeout'), async () => {
    expect(await how(start(words, { before: ['timeout', '-s', 'KILL', '1.5'] }))).toBe('SIGKILL')
  })

  test('SIGTERM to the first process of a container ends it', needing('unshare'), async () => {
    const child = start(words, { before: ['unshare', '--user', '--map-root-user', '--pid', '--fork'] })
    await ready(child)
    const [first] = childrenOf(child.pid as number)

    process.kill(first as number, 'SIGTERM')

    expect(await how(child)).toBe(143)
  })

  test('a terminal that is closed ends it with 129', needing('script'), async () => {
    const told = join(temporaryFolder(), 'code')
    // The first process of a terminal is told, and tells what it started, like the shell of a desktop.
    const terminal = onTerminal(
      `trap 'kill -HUP $id' HUP; promo ${words.join(' ')} & id=$!; wait $id; wait $id
      echo $? > '${told}.new'; mv '${told}.new' '${told}'`,
    )
    await ready(terminal)

    terminal.kill('SIGKILL')

    await eventually(() => existsSync(told))
    expect(readFileSync(told, 'utf8')).toBe('129\n')
  })

  test('Ctrl-C on a terminal counts once', needing('script'), async () => {
    const terminal = onTerminal(`promo ${words.join(' ')}`)
    await ready(terminal)

    terminal.stdin.write('\u0003')

    expect(await new Promise((resolve) => terminal.on('close', resolve))).toBe(130)
  })
})

// No program hears of them: it is the launcher that they end.
test.each(lethal)('%s to the id that a script holds leaves no process behind', async (signal) => {
  const child = start(serving['sandbox start'])
  await ready(child)

  child.kill(signal)

  expect(await how(child)).toBe(signal)
})

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

describe('a bulk job', () => {
  const rows = Array.from({ length: 20 }, (_, index) => `CODE-${index}`)
  const words = ['vouchers', 'disable', ...rows, '--yes', '--concurrency', '1', '--quiet']

  test.each([...stops, ...lethal.map((signal) => [signal, signal] as const)])(
    '%s stops it after the row in flight, and resuming it repeats none',
    async (signal, expected) => {
      const own = temporaryFolder()
      let isSlow = true
      let reached = () => {}
      const third = new Promise<void>((resolve) => (reached = resolve))
      await using server = await scriptedServer(async ({ url }, index) => {
        if (index === 2) reached()
        if (isSlow) await later(200)
        const code = url.split('/')[3]
        return answer(200, {
          id: 'v_1',
          object: 'voucher',
          code,
          active: false,
          updated_at: '2026-01-02T00:00:00.000Z',
        })
      })
      const connection = { PROMO_BASE_URL: server.origin, PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 't' }
      const env = { ...environmentIn(own), ...connection }
      const child = start(words, { env })

      await third

      child.kill(signal)
      const end = await how(child)
      const before = server.asked.length
      isSlow = false
      const resumed = await promoIn(own)(words, { env: connection, stdin: '' })

      expect(end).toBe(expected)
      expect(before).toBeLessThan(rows.length)
      expect(resumed.exitCode).toBe(0)
      // The row in flight is sent again, and the one before it if its outcome was not on disk yet.
      expect(server.asked.length).toBeLessThanOrEqual(rows.length + 2)
      expect(new Set(server.asked.map(({ url }) => url)).size).toBe(rows.length)
    },
  )

  test('SIGTSTP stops both processes, and SIGCONT wakes both', async () => {
    const child = start(serving['sandbox start'])
    await ready(child)
    const pids = [child.pid as number, ...childrenOf(child.pid as number)]
    const states = () => pids.map((pid) => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])

    child.kill('SIGTSTP')
    await eventually(states, (seen) => seen.join() === 'T,T')
    child.kill('SIGCONT')
    await eventually(states, (seen) => seen.join() === 'S,S')
    child.kill('SIGTERM')

    expect(await how(child)).toBe(143)
  })
})

test('a file that the shell opened for promo is open for it', async () => {
  const file = join(temporaryFolder(), 'codes.csv')
  writeFileSync(file, 'code\nMORNING\n')
  const descriptor = openSync(file, 'r')
  const words = ['vouchers', 'disable', '--from', '/dev/fd/5', '--dry-run', '--profile', 'sandbox', '--json']

  const child = spawn(node, [launcher, ...words], {
    stdio: ['pipe', 'pipe', 'pipe', 'ignore', 'ignore', descriptor],
    env: environmentIn(folder),
  }) as ChildProcessWithoutNullStreams
  const { exitCode, stdout } = await ended(child)

  expect(exitCode).toBe(0)
  expect(stdout).toContain('MORNING')
})

test('too few open files for a second process are not taken for a checkout that is not complete', async () => {
  // How many Node needs itself depends on the computer: below that it ends on its own, and above everything works.
  const line = `for files in $(seq 32 -1 16); do ulimit -n $files; '${node}' '${launcher}' --version; done 2>&1`
  let said = ''
  const child = run(['bash', '-c', line])
  child.stdout.on('data', (text) => {
    said += text
  })
  await ended(child)

  expect(said).not.toContain('npm ci')
  if (node !== process.execPath)
    expect(said).toMatch(/cannot be started \(.*EMFILE\); allow more open files: ulimit -n 1024$/m)
})
