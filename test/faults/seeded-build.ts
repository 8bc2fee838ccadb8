// Builds a promo with a bug in it, to see whether the crash loop notices. The sources themselves are never touched.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../support/source-files.ts'

/** A change of one place in the sources. */
export interface Replacement {
  /** Path from the root. */
  file: string
  /** Text that stands there exactly once. */
  find: string
  replace: string
}

/** The commands that a loop runs. */
const commands = ['vouchers/create', 'vouchers/disable', 'events/send']

/** A built promo, gone when it is disposed of. */
export interface Build extends Disposable {
  bin: string
}

/**
 * Builds promo into a folder of its own, with some places of the sources replaced.
 *
 * Throws when a place is not there, or there twice: then the list of bugs has fallen behind the code.
 */
export async function buildWith(replacements: readonly Replacement[]): Promise<Build> {
  const texts = new Map<string, string>()
  for (const { file, find, replace } of replacements) {
    const path = join(root, file)
    texts.set(path, replacedOnce(texts.get(path) ?? readFileSync(path, 'utf8'), find, replace, file))
  }
  const folder = mkdtempSync(join(tmpdir(), 'promo-build-'))
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries([
      ['main', 'src/main.ts'],
      ...commands.map((name) => [`commands/${name}`, `src/commands/${name}.ts`]),
    ]),
    platform: 'node',
    tsconfig: 'tsconfig.json',
    external: ['@napi-rs/keyring'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'seeded-bug',
        load(id) {
          const code = texts.get(id)
          return code === undefined ? null : { code, moduleType: 'ts' }
        },
      },
    ],
  })
  await build.write({ dir: join(folder, 'dist'), format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' })
  await build.close()
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

function replacedOnce(text: string, find: string, replace: string, file: string): string {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`"${find}" stands ${parts.length - 1} times in ${file}, not once`)
  return parts.join(replace)
}
