// What a person without Node gets: the archive and the Debian package of this platform are made, used with an empty PATH, and
// removed.
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { cmdLauncher } from '../../bin/release/launchers.ts'
import { nodeVersion } from '../../bin/release/targets.ts'
import { ended } from '../support/child.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** README's first job. */
const job = ['vouchers', 'disable', '--from', 'examples/leaked-codes.csv', '--profile', 'sandbox', '--yes', '--json']

describe('for Linux x64', needing('dpkg-deb', 'tar', 'xz'), () => {
  const folder = temporaryFolder()
  const out = join(folder, 'out')
  // With a space, and a name that the launcher must not take for its own.
  const place = join(folder, 'my programs')
  const unpacked = join(place, `promo-${version}-linux-x64`)

  beforeAll(() => {
    const args = ['bin/package.ts', '--out', out, '--only', 'linux-x64', '--quick']
    execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    mkdirSync(place)
    execFileSync('tar', ['-xJf', join(out, `promo-${version}-linux-x64.tar.xz`), '-C', place])
  }, 300_000)

  test('the archive has what a user needs, without a trace of who made it', () => {
    const listing = execFileSync('tar', [
      '-tvJf',
      join(out, `promo-${version}-linux-x64.tar.xz`),
      '--utc',
      '--numeric-owner',
    ])
    const lines = listing.toString().trimEnd().split('\n')
    const names = lines.map((line) => line.split(/\s+/, 6)[5])

    expect(lines.filter((line) => !/^[-d]rw[x-]r-[x-]r-[x-] 0\/0 +\d+ 1985-10-26 08:15 /.test(line))).toEqual([])
    expect(names.map((name) => name?.replace(`promo-${version}-linux-x64/`, '').replace(/\/$/, ''))).toEqual(
      expect.arrayContaining([
        'promo',
        'LICENSE',
        'README.md',
        'node/LICENSE',
        'lib/dist/THIRD-PARTY-LICENSES.txt',
        'lib/.oclif.manifest.json',
        'share/sbom.cdx.json',
        'share/man/man1/promo.1',
        'share/completions/_promo',
      ]),
    )
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toMatch(/^([0-9a-f]{64} {2}promo[\w.-]+\n){2}$/)
  })

  test('it runs the first job of README with an empty PATH, and leaves only the folders of its user', async () => {
    const home = temporaryFolder()

    const { exitCode, stdout, stderr } = await run(join(unpacked, 'promo'), job, home)

    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1,000') })
    expect(JSON.parse(stdout)).toHaveLength(1000)
    expect(readdirSync(home)).toEqual(['.local'])
    expect(readdirSync(join(home, '.local/state'))).toEqual(['promo'])
  })

  test('it runs by a link, by its name in its folder, and by sh, whatever NODE_OPTIONS says (S-121)', async () => {
    const home = temporaryFolder()
    const links = join(folder, 'links')
    mkdirSync(links)
    symlinkSync(join(unpacked, 'promo'), join(links, 'absolute'))
    symlinkSync('absolute', join(links, 'relative'))
    const shown = `promo/${version} linux-x64 node-v${nodeVersion}\n`

    for (const [program, args] of [
      [join(links, 'absolute'), []],
      [join(links, 'relative'), []],
      ['./promo', []],
      ['/bin/sh', ['promo']],
    ] as const) {
      const env = { NODE_OPTIONS: '--no-such-option' }
      expect(await run(program, [...args, '--version'], home, { cwd: unpacked, env })).toMatchObject({
        stdout: shown,
        stderr: '',
      })
    }
  })

  test('the keyring module of the platform is found', async () => {
    const { stdout } = await run(join(unpacked, 'promo'), ['doctor', '--json', '--profile', 'none'], temporaryFolder())

    expect(JSON.parse(stdout).find(({ check }: { check: string }) => check === 'keyring').found).not.toContain(
      'not installed',
    )
  })

  test('it is gone when its folder is removed, and works from another one', async () => {
    renameSync(place, join(folder, 'moved'))
    const moved = join(folder, 'moved', `promo-${version}-linux-x64/promo`)

    expect((await run(moved, ['--version'], temporaryFolder())).exitCode).toBe(0)
    rmSync(dirname(moved), { recursive: true })
    expect(readdirSync(join(folder, 'moved'))).toEqual([])
  })

  test('the Debian package is installed, runs with an empty PATH, and is removed without a rest', async () => {
    const target = join(folder, 'debian')
    mkdirSync(join(target, 'var/lib/dpkg/info'), { recursive: true })
    mkdirSync(join(target, 'var/lib/dpkg/updates'))
    for (const name of ['status', 'available']) writeFileSync(join(target, 'var/lib/dpkg', name), '')
    const dpkg = (...args: string[]) =>
      execFileSync(
        'dpkg',
        [`--root=${target}`, '--force-not-root', '--force-bad-path', '--force-depends', `--log=${target}/log`, ...args],
        { stdio: 'pipe' },
      )

    dpkg('--install', join(out, `promo_${version}_amd64.deb`))
    const ran = await run(join(target, 'usr/bin/promo'), job, temporaryFolder())
    const manual = existsSync(join(target, 'usr/share/man/man1/promo.1.gz'))
    dpkg('--purge', 'promo')

    expect({ ...ran, stdout: '', manual }).toMatchObject({ exitCode: 0, manual: true })
    expect(readdirSync(target).toSorted()).toEqual(['log', 'var'])
  })

  async function run(program: string, args: readonly string[], home: string, { cwd = root, env = {} } = {}) {
    return await ended(spawn(program, args, { cwd, env: { PATH: '', HOME: home, ...env } }))
  }
})

test('the launcher for Windows names nothing outside its folder, and has the line ends of its shell', () => {
  expect(cmdLauncher().replaceAll('\r\n', '')).not.toContain('\n')
  expect(cmdLauncher()).toContain('"%~dp0node\\node.exe" "%~dp0lib\\bin\\run.js" %*\r\n')
})

test('a checkout without its tools says what to run first, on any Node', async () => {
  const checkout = temporaryFolder()
  mkdirSync(join(checkout, 'bin'))
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}')
  writeFileSync(join(checkout, 'bin/prepare.js'), readFileSync(join(root, 'bin/prepare.js')))

  const { exitCode, stderr } = await ended(spawn(process.execPath, [join(checkout, 'bin/prepare.js')]))

  expect(exitCode).toBe(1)
  expect(stderr).toBe('promo: its tools are not installed in this checkout; run in it first: npm ci\n')
})

test('the archives are made with the pinned Node', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  expect(nodeVersion).toBe(devDependencies.node)
})
