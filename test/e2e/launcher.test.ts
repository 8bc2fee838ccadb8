// Behaviour that needs a real process: slow or closed pipes, signals, and the Node it runs on.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/embedded.ts'
import '../support/ends.ts'
import { bin, ended, environmentIn, runPromo, runShell, startPromo } from '../support/child.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { scriptedServer } from '../support/scripted-server.ts'
import { root } from '../support/source-files.ts'

const folder = temporaryFolder()
const sandbox = { PROMO_PROFILE: 'sandbox' }

describe('pipes', needing('bash'), () => {
  test('a large answer arrives completely through a slow reader', async () => {
    const whole = await runPromo(['vouchers', 'list', '--json'], folder, sandbox)

    const slow = await runShell('promo vouchers list --json | (sleep 0.5; cat)', folder, sandbox)

    // Each run serves on its own port, which occurs in the URLs of the QR codes.
    const portless = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, 'here')
    expect(whole.stdout.length).toBeGreaterThan(2_000_000)
    expect(portless(slow.stdout)).toBe(portless(whole.stdout))
  })

  test('output written before an error arrives completely too', async () => {
    const script = 'promo vouchers list --jsonl --limit 900 | (sleep 0.5; cat); promo vouchers get NO-SUCH-CODE'

    const { stdout, exitCode } = await runShell(script, folder, sandbox)

    expect(stdout.trimEnd().split('\n')).toHaveLength(900)
    expect(exitCode).toBe(3)
  })

  test('a reader that closes after one line ends the listing with 141, without a stack trace', async () => {
    const script = 'set -o pipefail; promo vouchers list --csv --all | head -1'

    const { exitCode, stdout, stderr } = await runShell(script, folder, sandbox)

    expect(exitCode).toBe(141)
    expect(stdout).toMatch(/^id,code,type,[^\n]*\n$/)
    expect(stderr).toMatch(/^(reading the list takes about \d+ requests\n)?$/)
  })

  test('a full device is an I/O error with exit 10', async () => {
    const { exitCode, stderr } = await runShell('promo vouchers list --json > /dev/full', folder, sandbox)

    expect(exitCode).toBe(10)
    expect(stderr).toContain(
      'promo: standard output cannot be written: no space left on the disk\ntry: make room where it leads',
    )
  })

  test.each([
    '',
    '--version',
    'help',
    'help exit-codes',
    'vouchers',
    'vouchers list --help',
    'commands',
    'complete -- vouchers di',
    'autocomplete bash',
    'mcp --skill',
    'config schema rules',
    'sandbox openapi',
    'webhooks events',
    'profiles list',
    'doctor --profile sandbox',
    'whoami --profile sandbox',
  ])('promo %s says so too, and is quiet for a reader that has gone', async (line) => {
    const full = await runShell(`promo ${line} > /dev/full`, folder)
    // Its stdout is a pipe without a reader.
    const gone = await runShell(`exec 4> >(true); wait $!; promo ${line} >&4`, folder)

    expect([full.exitCode, full.stderr]).toEqual([
      10,
      expect.stringContaining('promo: standard output cannot be written'),
    ])
    expect(gone).toMatchObject({ exitCode: 141, stderr: '' })
  })

  test('a file at its size limit is an I/O error with exit 10, and leaves no file', async () => {
    const target = mkdtempSync(join(folder, 'limited-'))

    const { exitCode, stderr } = await runShell(
      `ulimit -f 800; promo vouchers list --json --out ${target}/vouchers.json`,
      folder,
      sandbox,
    )

    expect(exitCode).toBe(10)
    expect(stderr).toContain('the file would be larger than allowed')
    expect(readdirSync(target)).toEqual([])
  })

  test('a pull on a disk without room leaves no part of a file', async () => {
    const { url, credentials, close } = await startSandbox({ file: ':memory:', port: 0, demo: true })
    const target = mkdtempSync(join(folder, 'pulled-'))
    const env = {
      PROMO_BASE_URL: url,
      PROMO_APP_ID: credentials.app_id,
      PROMO_APP_TOKEN: credentials.app_token,
      PROMO_PROJECT_ID: credentials.project_id,
      PROMO_MANAGEMENT_ID: credentials.management_id,
      PROMO_MANAGEMENT_TOKEN: credentials.management_token,
    }
    try {
      const whole = await runShell(`promo config pull ${target}/whole`, folder, env)
      const cut = await runShell(`ulimit -f 1; promo config pull ${target}/cut`, folder, env)
      const left = globSync(`${target}/cut/**/*`, { exclude: (path) => path.endsWith('.promo') })
      const names = left
        .filter((path) => !lstatSync(path).isDirectory())
        .map((path) => path.slice(`${target}/cut/`.length))

      expect([whole.exitCode, cut.exitCode]).toEqual([0, 10])
      expect(cut.stderr).toContain('the file would be larger than allowed')
      for (const name of names)
        expect(readFileSync(`${target}/cut/${name}`)).toEqual(readFileSync(`${target}/whole/${name}`))
    } finally {
      await close()
    }
  })

  test.each([20, 160, 800])(
    'a disk on which the embedded service has no room (%i KiB) is an I/O error with exit 10',
    async (limitKiB) => {
      const state = mkdtempSync(join(folder, 'full-'))

      const { exitCode, stderr } = await runShell(`ulimit -f ${limitKiB}; promo vouchers list --limit 1`, folder, {
        ...sandbox,
        PROMO_STATE_DIR: state,
      })

      expect(exitCode).toBe(10)
      expect(stderr).toMatch(/^promo: the sandbox file cannot be written: .*\ntry: .*free some space/m)
    },
  )

  test('closing stderr does not end the work', async () => {
    const { stdout } = await runShell('promo vouchers list --code WELCOME-001 --json -v 2>&- | wc -l', folder, sandbox)

    expect(Number(stdout)).toBeGreaterThan(10)
  })
})

describe('signals', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s stops a serving sandbox cleanly, with exit %i', async (signal, exitCode) => {
    const child = startPromo(['sandbox', 'start', '--data', ':memory:'], folder)
    child.stdout.once('data', () => child.kill(signal))

    const { exitCode: actual, stdout } = await ended(child)

    expect(actual).toBe(exitCode)
    expect(stdout).toMatch(/^promo sandbox listens on http:\/\/127\.0\.0\.1:\d+/)
  })
})

test('on Windows Ctrl-Break counts as Ctrl-C, and the second ends promo with the exit code of the first', async () => {
  // Elsewhere no signal has that name; something that never ends keeps the stopped run alive.
  const windows = `Object.defineProperty(process, 'platform', { value: 'win32' })
    setInterval(() => {}, 1000)
    process.on('SIGUSR2', () => process.emit('SIGBREAK') && process.getBuiltinModule('node:fs').writeSync(2, 'heard'))`
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(windows)}` }
  const child = startPromo(['sandbox', 'start', '--data', ':memory:'], folder, env)
  child.stdout.once('data', () => child.kill('SIGUSR2'))
  child.stderr.once('data', () => child.kill('SIGUSR2'))

  expect(await ended(child)).toMatchObject({ exitCode: 130, signal: null, stderr: 'heard' })
})

describe('the compile cache', () => {
  const own = temporaryFolder()
  const missing = join(own, 'missing')
  const tell = `import { getCompileCacheDir } from 'node:module'
    process.on('exit', () => process.stderr.write(String(getCompileCacheDir())))`
  const cacheWith = async (env: Record<string, string>) => {
    const hook = ['--import', `data:text/javascript,${encodeURIComponent(tell)}`]
    return (await ended(spawn(process.execPath, [...hook, bin, '--help'], { cwd: own, env }))).stderr
  }

  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

  test.each([
    ['HOME is unset', {}],
    ['HOME is empty', { HOME: '' }],
    ['HOME does not exist', { HOME: missing }],
    ['XDG_CACHE_HOME is relative, and there is no HOME', { XDG_CACHE_HOME: 'cache' }],
    ['PROMO_STATE_DIR is relative', { HOME: own, PROMO_STATE_DIR: 'state' }],
  ] as const)('is not used, and no folder is created, when %s', async (_, env) => {
    expect(await cacheWith({ ...env })).toBe('undefined')
    expect(existsSync(missing)).toBe(false)
  })

  test.each([
    ['in the state folder below HOME', { HOME: own }, '.local/state/promo/compiled/'],
    ['in that of XDG_STATE_HOME', { XDG_STATE_HOME: join(own, 'xdg') }, 'xdg/promo/compiled/'],
    ['in that of PROMO_STATE_DIR', { HOME: own, PROMO_STATE_DIR: join(own, 'state') }, 'state/compiled/'],
    ['in XDG_CACHE_HOME, which may be missing', { HOME: own, XDG_CACHE_HOME: join(own, 'new') }, 'new/promo/compiled/'],
  ] as const)('lies %s', async (_, env, path) => {
    expect(await cacheWith({ ...env })).toContain(join(own, path))
  })

  test.each(['000', '002', '077'])('is closed to others under umask %s', async (umask) => {
    const home = temporaryFolder()

    await ended(
      spawn('sh', ['-c', `umask ${umask}; "$0" "$@"`, process.execPath, bin, '--help'], { env: { HOME: home } }),
    )

    expect(modeOf(join(home, '.local/state/promo/compiled'))).toBe('700')
    expect(readdirSync(join(home, '.local/state/promo/compiled'))).toHaveLength(1)
  })

  test.each([0o777, 0o775, 0o755])('that was open to others (%o) is neither used nor changed', async (mode) => {
    const home = temporaryFolder()
    const cache = join(home, '.local/state/promo/compiled')
    mkdirSync(join(cache, 'poisoned'), { recursive: true })
    chmodSync(cache, mode)

    expect(await cacheWith({ HOME: home })).toBe('undefined')
    expect(modeOf(cache)).toBe(mode.toString(8))
    expect(readdirSync(cache)).toEqual(['poisoned'])
  })

  test('of another user is neither used nor changed', async () => {
    const home = temporaryFolder()
    const cache = join(home, '.local/state/promo/compiled')
    mkdirSync(cache, { recursive: true, mode: 0o700 })
    const someoneElse = `process.getuid = () => ${(process.getuid?.() ?? 0) + 1}`
    const hook = ['--import', `data:text/javascript,${encodeURIComponent(`${someoneElse};${tell}`)}`]

    const { stderr } = await ended(spawn(process.execPath, [...hook, bin, '--help'], { env: { HOME: home } }))

    expect(stderr).toBe('undefined')
    expect(readdirSync(cache)).toEqual([])
  })

  test('is not used where others can replace it', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, '.local'))
    chmodSync(join(home, '.local'), 0o777)

    expect(await cacheWith({ HOME: home })).toBe('undefined')
  })

  test('is not used when it is a link to another place', async () => {
    const home = temporaryFolder()
    const elsewhere = join(temporaryFolder(), 'elsewhere')
    mkdirSync(elsewhere, { mode: 0o700 })
    mkdirSync(join(home, '.local/state/promo'), { recursive: true })
    symlinkSync(elsewhere, join(home, '.local/state/promo/compiled'))

    expect(await cacheWith({ HOME: home })).toBe('undefined')
    expect(readdirSync(elsewhere)).toEqual([])
  })
})

describe('Node versions', () => {
  test('an installed package on a Node that is too old names the required version in one line', async () => {
    const installed = join(temporaryFolder(), 'promo')
    mkdirSync(join(installed, 'bin'), { recursive: true })
    const old = readFileSync(bin, 'utf8').replaceAll('process.versions.node', "'20.20.2'")
    cpSync(join(root, 'package.json'), join(installed, 'package.json'))
    writeFileSync(join(installed, 'bin/run.js'), old)

    const ran = await ended(spawn(process.execPath, [join(installed, 'bin/run.js'), '--version']))

    expect(ran).toEnd(4, /^promo: needs Node\.js 22\.22\+, 24\.15\+ or 26\+, and this is v[^\n]+nodejs\.org[^\n]*\n$/)
  })

  test('a checkout that is not built says so in one line', async () => {
    const checkout = join(temporaryFolder(), 'promo')
    mkdirSync(checkout)
    cpSync(join(root, 'package.json'), join(checkout, 'package.json'))
    cpSync(bin, join(checkout, 'bin/run.js'))

    const { exitCode, stderr } = await ended(spawn(process.execPath, [join(checkout, 'bin/run.js'), '--version']))

    expect(exitCode).toBe(4)
    expect(stderr).toBe('promo: this checkout is not built, or a build did not end; run in it: npm run build\n')
  })

  test('a checkout restarts itself on its own Node, with the same exit code', async () => {
    const old = readFileSync(bin, 'utf8').replace(
      'process.versions.node',
      "(process.env.PROMO_NO_REEXEC ? process.versions.node : '20.20.2')",
    )
    const copy = join(root, 'bin', `run-on-old-node-${process.pid}.js`)
    writeFileSync(copy, old)
    try {
      const child = spawn(process.execPath, [copy, 'vouchers', 'lst'], {
        env: { PATH: process.env.PATH, HOME: folder },
      })

      const { exitCode, stderr } = await ended(child)

      expect(exitCode).toBe(2)
      expect(stderr).toContain('did you mean "vouchers list"?')
    } finally {
      rmSync(copy)
    }
  })

  test.each([
    ['by its file', bin],
    ['by a link to a link', 'links to it/promo'],
    ['by a name on the path', 'promo'],
    ['by sh', 'sh', bin],
  ])(
    'a checkout starts its own Node as this process, whatever Node is on the path: %s',
    async (_, program, ...args) => {
      const cwd = temporaryFolder()
      mkdirSync(join(cwd, 'links to it'))
      symlinkSync(bin, join(cwd, 'first'))
      symlinkSync('../first', join(cwd, 'links to it/promo'))
      symlinkSync('/bin/false', join(cwd, 'links to it/node'))
      const env = { ...environmentIn(folder), PATH: `${join(cwd, 'links to it')}:${process.env.PATH}` }

      const child = spawn(program, [...args, 'sandbox', 'start', '--data', ':memory:', '--port', '0'], { cwd, env })
      child.stdout.once('data', () => child.kill('SIGTERM'))
      const { exitCode, stdout } = await ended(child)

      expect(exitCode).toBe(143)
      expect(stdout).toMatch(/^promo sandbox listens/)
    },
  )

  test('a package without a Node of its own, or a user who says so, gets that of the path', async () => {
    const installed = join(temporaryFolder(), 'bin')
    mkdirSync(installed)
    writeFileSync(join(installed, 'node'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
    cpSync(bin, join(installed, 'run.js'))
    const env = { PATH: installed }

    const [apart, asked] = await Promise.all([
      ended(spawn(join(installed, 'run.js'), ['a  b', '*'], { env })),
      ended(spawn(bin, ['c'], { env: { ...env, PROMO_NO_REEXEC: '1' } })),
    ])

    expect([apart.stdout, asked.stdout]).toEqual([`${join(installed, 'run.js')} a  b *\n`, `${bin} c\n`])
  })

  test('a checkout that is installed globally runs from another folder, by its name', async () => {
    const prefix = temporaryFolder()
    const quiet = ['--offline', '--ignore-scripts', '--loglevel', 'error']
    const installing = await ended(
      spawn('npm', ['install', '--global', '--prefix', prefix, ...quiet, '.'], { cwd: root }),
    )

    const env = { ...environmentIn(folder), PATH: `${join(prefix, 'bin')}:${process.env.PATH}` }
    const { exitCode, stdout } = await ended(
      spawn('promo', ['vouchers', 'get', 'MORNING', '--profile', 'sandbox', '--csv', '--columns', 'code'], {
        cwd: prefix,
        env,
      }),
    )

    expect([installing.exitCode, installing.stderr]).toEqual([0, ''])
    expect([exitCode, stdout]).toEqual([0, 'code\nMORNING\n'])
  })

  test('a checkout on its own Node says nothing about that to doctor', async () => {
    const { stdout } = await runPromo(['doctor', '--profile', 'sandbox', '--csv', '--columns', 'check,found'], folder, {
      PROMO_NO_REEXEC: '1',
    })

    expect(stdout).toMatch(/^environment,"?PROMO_CONFIG_DIR, PROMO_STATE_DIR"?$/m)
  })

  test('--version names the package, the platform and the Node', async () => {
    const { stdout } = await runPromo(['--version'], folder)

    expect(stdout).toBe(`promo/0.1.0 ${process.platform}-${process.arch} node-${process.version}\n`)
  })
})

test.runIf(process.platform === 'linux')(
  'a home in which nothing can be created is an error, not a wait without an end',
  needing('bash'),
  async () => {
    const folder = temporaryFolder()
    const script = `unset PROMO_STATE_DIR PROMO_CONFIG_DIR NODE_COMPILE_CACHE; export HOME=/proc/1
    for words in 'vouchers disable A B --yes' 'vouchers disable A --yes' 'profiles use sandbox'; do
      timeout -s KILL 20 "${process.execPath}" "${bin}" $words --quiet > "$OUT" 2>&1
      echo "$? $(head -n 1 "$OUT")"
    done`
    await using server = await scriptedServer([{ do: 'answer', status: 404, body: {} }])

    const { stdout } = await runShell(script, folder, {
      OUT: join(folder, 'out'),
      PROMO_BASE_URL: server.origin,
      PROMO_APP_ID: 'a',
      PROMO_APP_TOKEN: 't',
    })

    const lines = stdout.trim().split('\n')
    expect(lines[0]).toMatch(/^10 promo: .*: no folder can be made there/)
    expect(lines[1]).toMatch(/^3 warning: the history of this computer cannot be written/)
    expect(lines[2]).toMatch(/^10 promo: .*: no folder can be made there/)
  },
)
