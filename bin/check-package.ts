// Checks the package as users get it: one bundled tarball that installs into an empty prefix and runs on the oldest and
// the newest Node it supports. Needs `npm run build` first, and the npm registry for the Nodes.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stagePackage } from './release/publishable.ts'

const nodes = ['22.22.2', '26']
const maxPackedBytes = 5_000_000
const allowed =
  /^(bin\/(?:promo|run)\.js|dist\/.+|docs\/.+\.md|docs\/promo\.svg|examples\/.+|\.oclif\.manifest\.json|package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'promo-package-'))
try {
  const tarball = pack()
  const bin = install(tarball)
  for (const version of nodes) runOn(version, bin)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Packs the built checkout and checks the contents. */
function pack(): string {
  const { filename, size, files } = packed()
  const strange = files.map(({ path }) => path).filter((path) => !allowed.test(path))
  if (strange.length > 0) throw new Error(`the package holds ${strange.join(', ')}`)
  if (size > maxPackedBytes) throw new Error(`the package has ${size} bytes`)
  const licences = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['@oclif/core', 'undici', 'zod', 'conf']) {
    if (!new RegExp(`^${name} \\d`, 'm').test(licences)) throw new Error(`the licence of ${name} is missing`)
  }
  say(`packed ${files.length} files, ${(size / 1_000_000).toFixed(1)} MB`)
  return join(folder, filename)
}

interface Packed {
  filename: string
  size: number
  files: { path: string }[]
}

/** Packs what would be published. */
function packed(): Packed {
  const staged = join(folder, 'staged')
  stagePackage(root, staged)
  const report = npm(['pack', '--json', '--pack-destination', folder], staged)
  const [one] = Object.values<Packed | Packed[]>(JSON.parse(report)).flat()
  if (one === undefined) throw new Error('npm packed nothing')
  return one
}

/** Installs the tarball into an empty prefix and returns the path of its bin. */
function install(tarball: string): string {
  const startedAt = performance.now()
  const prefix = join(folder, 'prefix')
  npm(['install', '--global', '--prefix', prefix, '--ignore-scripts', tarball], folder)
  say(`installed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  const installed = JSON.parse(readFileSync(join(prefix, 'lib/node_modules/promo/package.json'), 'utf8'))
  const needless = ['scripts', 'devDependencies', 'allowScripts', 'private'].filter((member) => member in installed)
  if (needless.length > 0) throw new Error(`the package.json of the package has ${needless.join(', ')}`)
  const pages = readdirSync(join(root, 'dist/man/man1'))
  const missing = pages.filter((page) => !existsSync(join(prefix, 'share/man/man1', page)))
  if (pages.length === 0 || missing.length > 0)
    throw new Error(`not installed: ${missing.join(', ') || 'manual pages'}`)
  return join(prefix, 'lib/node_modules/promo/bin/run.js')
}

/** Runs the installed promo on one Node: its version, a write on the embedded service, and nothing odd on stderr. */
function runOn(version: string, bin: string): void {
  const prefix = join(folder, `node-${version}`)
  npm(['install', '--prefix', prefix, '--no-save', `node-${process.platform}-${process.arch}@${version}`], folder)
  const node = join(prefix, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  const home = join(folder, `home-${version}`)
  const promo = (...args: string[]) =>
    execFileSync(node, [bin, ...args], { env: { PATH: '', HOME: home }, encoding: 'utf8' })
  const answered = promo('--version').trim()
  const [outcome] = JSON.parse(promo('vouchers', 'disable', 'MORNING', '--profile', 'sandbox', '--json', '--quiet'))
  const voucher = JSON.parse(promo('vouchers', 'get', 'MORNING', '--profile', 'sandbox', '--json'))
  if (outcome.state !== 'ok' || voucher.active !== false) throw new Error(`wrong outcome on Node ${version}`)
  say(`runs on ${answered}`)
}

function npm(args: readonly string[], cwd: string): string {
  const quiet = ['--no-fund', '--no-audit', '--loglevel', 'error']
  return execFileSync('npm', [...args, ...quiet], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
