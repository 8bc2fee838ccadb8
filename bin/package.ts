// Makes what people install: the package of npm, for those without Node an archive for each platform and Debian packages, a formula,
// a manifest, and checksums. Runs on Linux, with tar, xz, zip, dpkg-deb and llvm-strip. The same sources make the same bytes, in any folder.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { scripts } from '../src/cli/help/completion-scripts.ts'
import { homebrewFormula, scoopManifest } from './release/installers.ts'
import { cmdLauncher, shLauncher } from './release/launchers.ts'
import { stagePackage } from './release/publishable.ts'
import { sbomWith } from './release/sbom.ts'
import { nodeVersion, type Target, targets } from './release/targets.ts'

const root = join(import.meta.dirname, '..')
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const { version } = own

/** The time of every file: npm's, which has no meaning. */
const epoch = 499_162_500

const { values: options } = parseArgs({
  options: {
    /** The folder that receives everything; it is created. */
    out: { type: 'string', default: 'release' },
    /** Only for these platforms, separated by commas; `npm` is the package of npm. */
    only: { type: 'string' },
    /** Larger and in seconds, for a test. */
    quick: { type: 'boolean', default: false },
  },
})
const out = resolve(options.out)
const makers = new Map([['npm', packed], ...targets.map((target) => [target.name, () => make(target)] as const)])
const wanted = options.only?.split(',') ?? [...makers.keys()]
const unknown = wanted.filter((name) => !makers.has(name))
if (unknown.length > 0) throw new Error(`there is no archive for ${unknown.join(', ')}`)

const work = mkdtempSync(join(tmpdir(), 'promo-release-'))
try {
  mkdirSync(out, { recursive: true })
  for (const [name, maker] of makers) if (wanted.includes(name)) await maker()
  await describe()
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Packs what is published on npm. */
async function packed(): Promise<void> {
  const folder = join(work, 'npm')
  stagePackage(root, folder)
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], { cwd: folder })
  say(join(out, `${own.name}-${version}.tgz`))
}

/** Makes the archive for a platform, and the Debian package where it has one. */
async function make(target: Target): Promise<void> {
  const name = `promo-${version}-${target.name}`
  const folder = join(work, name)
  await stage(target, folder)
  const isWindows = target.name.startsWith('win32')
  if (isWindows) {
    writeFileSync(join(folder, 'promo.cmd'), cmdLauncher())
  } else {
    writeFileSync(join(folder, 'promo'), shLauncher('', target.debian === undefined ? 'darwin' : 'linux'))
  }
  evenOut(folder)
  say(isWindows ? zipped(folder) : tarred(folder))
  if (target.debian !== undefined) say(debianPackage(folder, target.debian))
  rmSync(folder, { recursive: true })
}

/** Puts everything but the launcher into a folder. */
async function stage({ node, integrity, keyring, isStripped = false, name }: Target, folder: string): Promise<void> {
  const lib = join(folder, 'lib')
  stagePackage(root, lib)
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs', 'examples'])
    renameSync(join(lib, file), join(folder, file))
  mkdirSync(join(folder, 'share'))
  renameSync(join(lib, 'dist/man'), join(folder, 'share/man'))
  writeCompletions(join(folder, 'share/completions'))

  const exe = name.startsWith('win32') ? 'node.exe' : 'node'
  const unpacked = await fetched(node, nodeVersion, integrity, `package/bin/${exe}`)
  mkdirSync(join(folder, 'node'))
  renameSync(join(unpacked, `bin/${exe}`), join(folder, 'node', exe))
  if (isStripped && !options.quick) execFileSync('llvm-strip', [join(folder, 'node', exe)])
  // Not every package of Node has its licence.
  cpSync(await nodeLicense(), join(folder, 'node/LICENSE'))

  for (const one of ['@napi-rs/keyring', keyring]) {
    const { version: its, integrity: sum } = locked[`node_modules/${one}`]
    cpSync(await fetched(one, its, sum), join(lib, 'node_modules', one), { recursive: true })
  }
  const sbom = join(lib, 'dist/sbom.cdx.json')
  const withNode = sbomWith(readFileSync(sbom, 'utf8'), { name: node, version: nodeVersion, license: 'MIT', integrity })
  writeFileSync(join(folder, 'share/sbom.cdx.json'), withNode)
  rmSync(sbom)
}

function writeCompletions(folder: string): void {
  mkdirSync(folder)
  const names = { bash: 'promo.bash', zsh: '_promo', fish: 'promo.fish', powershell: 'promo.ps1' }
  for (const [shell, file] of Object.entries(names)) {
    writeFileSync(join(folder, file), scripts[shell as keyof typeof names])
  }
}

async function nodeLicense(): Promise<string> {
  const [{ node, integrity }] = targets as [Target]
  return join(await fetched(node, nodeVersion, integrity, 'package/LICENSE'), 'LICENSE')
}

/** Downloads a package, checks it, and returns a folder with what is in it, or with one of its files. */
async function fetched(name: string, its: string, integrity: string, member = 'package'): Promise<string> {
  const folder = join(work, 'fetched')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name.replace('@', '').replace('/', '-')}-${its}.tgz`)
  if (!existsSync(file)) {
    const quiet = ['--silent', '--prefer-offline', '--ignore-scripts']
    execFileSync('npm', ['pack', ...quiet, `${name}@${its}`, '--pack-destination', folder], { cwd: work })
    const checksum = `sha512-${(await checksumOf(file, 'sha512')).toString('base64')}`
    if (checksum !== integrity) throw new Error(`${name}@${its} is not what it was: ${checksum}`)
  }
  const unpacked = mkdtempSync(join(folder, 'unpacked-'))
  execFileSync('tar', ['-xzf', file, '-C', unpacked, '--strip-components=1', '--no-same-owner', member])
  return unpacked
}

/** Gives everything the modes and times that do not depend on who makes it, and when. */
function evenOut(folder: string): void {
  const programs = new Set(
    ['promo', 'node', 'node.exe', 'promo.cmd'].flatMap((name) => [
      name,
      `node/${name}`,
      `usr/bin/${name}`,
      `usr/lib/promo/node/${name}`,
    ]),
  )
  for (const path of [...(readdirSync(folder, { recursive: true }) as string[]), '.']) {
    const at = join(folder, path)
    const isRun = lstatSync(at).isDirectory() || programs.has(path) || path.endsWith('.sh')
    chmodSync(at, isRun ? 0o755 : 0o644)
    lutimesSync(at, epoch, epoch)
  }
}

function tarred(folder: string): string {
  const file = join(out, `${basename(folder)}.tar.xz`)
  const even = ['--sort=name', '--format=gnu', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner']
  const xz = options.quick ? 'xz -0' : 'xz -9e --threads=1'
  execFileSync('tar', [...even, '-I', xz, '-cf', file, '-C', work, basename(folder)])
  return file
}

function zipped(folder: string): string {
  const file = join(out, `${basename(folder)}.zip`)
  const input = (readdirSync(folder, { recursive: true }) as string[])
    .map((path) => join(basename(folder), path))
    .toSorted()
    .join('\n')
  rmSync(file, { force: true })
  const level = options.quick ? '-1' : '-9'
  execFileSync('zip', ['-q', '-X', '-D', level, '-@', file], { cwd: work, input, env: { ...process.env, TZ: 'UTC' } })
  return file
}

/** Makes a Debian package of a staged folder: its contents in the places where Debian has them. */
function debianPackage(folder: string, architecture: string): string {
  const tree = join(work, `debian-${architecture}`)
  const put = (from: string, to: string) => cpSync(join(folder, from), join(tree, to), { recursive: true })
  for (const part of ['lib', 'node']) put(part, `usr/lib/promo/${part}`)
  put('LICENSE', 'usr/share/doc/promo/copyright')
  put('share/sbom.cdx.json', 'usr/share/doc/promo/sbom.cdx.json')
  for (const part of ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs', 'examples'])
    put(part, `usr/share/doc/promo/${part}`)
  put('share/completions/promo.bash', 'usr/share/bash-completion/completions/promo')
  put('share/completions/_promo', 'usr/share/zsh/vendor-completions/_promo')
  put('share/completions/promo.fish', 'usr/share/fish/vendor_completions.d/promo.fish')
  mkdirSync(join(tree, 'usr/share/man/man1'), { recursive: true })
  for (const page of readdirSync(join(folder, 'share/man/man1'))) {
    const packed = gzipSync(readFileSync(join(folder, 'share/man/man1', page)), { level: 9 })
    writeFileSync(join(tree, 'usr/share/man/man1', `${page}.gz`), packed)
  }
  mkdirSync(join(tree, 'usr/bin'))
  writeFileSync(join(tree, 'usr/bin/promo'), shLauncher('/../lib/promo', 'linux'))
  mkdirSync(join(tree, 'DEBIAN'))
  const bytes = (readdirSync(tree, { recursive: true }) as string[]).reduce(
    (sum, path) => sum + lstatSync(join(tree, path)).size,
    0,
  )
  const control = {
    Package: 'promo',
    Version: version,
    Architecture: architecture,
    Maintainer: 'promo <promo@example.com>',
    'Installed-Size': String(Math.ceil(bytes / 1024)),
    Depends: 'libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1, libatomic1',
    Section: 'utils',
    Priority: 'optional',
    Description: own.description,
  }
  writeFileSync(
    join(tree, 'DEBIAN/control'),
    Object.entries(control)
      .map((pair) => `${pair.join(': ')}\n`)
      .join(''),
  )
  evenOut(tree)
  const file = join(out, `promo_${version}_${architecture}.deb`)
  const packing = options.quick ? ['-Znone'] : ['-Zxz', '-z9']
  execFileSync('dpkg-deb', ['--root-owner-group', ...packing, '--build', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
  })
  rmSync(tree, { recursive: true })
  return file
}

/** Writes what refers to the archives by their checksums. */
async function describe(): Promise<void> {
  const files = readdirSync(out)
    .filter((name) => /\.(tgz|tar\.xz|zip|deb)$/.test(name))
    .toSorted()
  const checksums = new Map<string, string>()
  for (const name of files) checksums.set(name, (await checksumOf(join(out, name), 'sha256')).toString('hex'))
  const released = { version, description: own.description, checksums }
  for (const [name, text] of [
    ['promo.rb', homebrewFormula(released)],
    ['promo.json', scoopManifest(released)],
    ['SHA256SUMS', [...checksums].map(([file, checksum]) => `${checksum}  ${file}\n`).join('')],
  ] as const) {
    if (text !== undefined) writeFileSync(join(out, name), text)
  }
}

async function checksumOf(file: string, algorithm: string): Promise<Buffer> {
  const hash = createHash(algorithm)
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest()
}

function say(file: string): void {
  process.stdout.write(`${file} ${(lstatSync(file).size / 1_000_000).toFixed(1)} MB\n`)
}
