// Builds a promo with seams: modules whose exports test/faults/seeded wraps, so that SEEDED_BUG breaks one of them at run time.
// One build serves all bugs, and without SEEDED_BUG it behaves correctly. The sources are never changed.
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { quickStart, together } from '../../bin/quick-start.ts'
import { root } from '../support/source-files.ts'

const seamFolder = join(import.meta.dirname, 'seeded')

/** The commands that a loop runs. */
const commands = [
  'vouchers/create',
  'vouchers/disable',
  'vouchers/enable',
  'vouchers/list',
  'exports/download',
  'events/send',
  'loyalty/points/add',
  'jobs/undo',
  'ledger/pull',
]

/** A built promo, removed when disposed of. */
export interface Build extends Disposable {
  bin: string
}

/** The modules that are wrapped, by their paths in `src`. */
export const seams = globSync('**/*.ts', { cwd: seamFolder }).toSorted()

/**
 * Builds promo with its seams into a separate folder.
 *
 * Throws when no module imports one that is to be wrapped: its bugs would have no effect.
 */
export async function buildWithSeams(
  wrapped: readonly string[] = seams,
  built: readonly string[] = commands,
): Promise<Build> {
  const wrapperOf = new Map(wrapped.map((path) => [join(root, 'src', path), join(seamFolder, path)]))
  const used = new Set<string>()
  const folder = mkdtempSync(join(tmpdir(), 'promo-build-'))
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries([
      ['main', 'src/main.ts'],
      ...built.map((name) => [`commands/${name}`, `src/commands/${name}.ts`]),
    ]),
    platform: 'node',
    tsconfig: 'tsconfig.json',
    external: ['@napi-rs/keyring'],
    logLevel: 'silent',
    plugins: [
      ...quickStart,
      {
        name: 'seams',
        resolveId(source, importer) {
          if (importer === undefined || !source.startsWith('.') || importer.startsWith(seamFolder)) return null
          const wrapper = wrapperOf.get(join(dirname(importer), source))
          if (wrapper !== undefined) used.add(relative(seamFolder, wrapper))
          return wrapper ?? null
        },
      },
    ],
  })
  await build.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: together },
  })
  await build.close()
  const idle = wrapped.filter((path) => !used.has(path))
  if (idle.length > 0) throw new Error(`no module imports ${idle.map((path) => `src/${path}`).join(', ')}`)
  mkdirSync(join(folder, 'bin'), { recursive: true })
  for (const file of ['bin/run.js', 'package.json', '.oclif.manifest.json', 'dist/index.json']) {
    copyFileSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return {
    bin: join(folder, 'bin/run.js'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
