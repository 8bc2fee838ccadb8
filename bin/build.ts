// Bundles src into dist (one chunk per command, libraries included), collects the licences of what was bundled and lists
// it, and writes the files generated from the commands: the index, the manifest, the facts, the manual pages and the reference.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { exitCodes } from '../src/cli/help/exit-codes.ts'
import { describedCommands, type StoredManifest } from '../src/cli/help/manifest.ts'
import { indexOf } from '../src/cli/run/find-command.ts'
import { noteBuild } from './built.ts'
import { manualPages } from './man.ts'
import { allFacts, type CommandSource, classesById, commandSources, manifestOf, manifestText } from './manifest.ts'
import { quickStart, together } from './quick-start.ts'
import { referencePages } from './reference.ts'
import { bundledParts, installedPart, sbomOf } from './release/sbom.ts'

const root = join(import.meta.dirname, '..')

/** A command of a table is a file of its own in dist, where its id says. */
const tableEntries: Plugin = {
  name: 'table-entries',
  resolveId: (source) => (source.startsWith('table|') ? source : null),
  load(source) {
    if (!source.startsWith('table|')) return null
    const [, file = '', table, id] = source.split('|')
    return `import { ${table} } from ${JSON.stringify(join(root, file))}\nexport default ${table}[${JSON.stringify(id)}]\n`
  },
}

process.chdir(root)
rmSync('dist', { recursive: true, force: true })
const commands = await commandSources(root)
const bundled = await bundle(commands)
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences(bundled))
writeFileSync('dist/sandbox.d.ts', sandboxTypes())
const packageJson = JSON.parse(readFileSync('package.json', 'utf8'))
const parts = [...bundledParts(root, bundled), installedPart(root, '@napi-rs/keyring')]
writeFileSync('dist/sbom.cdx.json', sbomOf(packageJson, parts))
const classes = classesById(commands)
const manifest = manifestOf(packageJson.version, classes)
// The file that every start reads: the version and the list of commands. The manifest is much larger.
const index = indexOf(manifest, packageJson.oclif.topics)
writeFileSync('dist/index.json', JSON.stringify({ version: packageJson.version, index }))
writeFileSync('dist/facts.json', JSON.stringify(allFacts(classes)))
const isFresh = keepManifestFresh(manifest)
writeManual()
copyForAssistants()
if (isFresh) noteBuild(root)

/** Writes dist and returns the folders of the packages whose code is in it. */
async function bundle(commands: readonly CommandSource[]): Promise<string[]> {
  const input: Record<string, string> = { main: 'src/main.ts', sandbox: 'src/sandbox/in-code.ts' }
  for (const { id, file, table } of commands)
    input[`commands/${id.replaceAll(':', '/')}`] = table === undefined ? file : ['table', file, table, id].join('|')
  const build = await rolldown({
    input,
    platform: 'node',
    tsconfig: 'tsconfig.json',
    external: ['@napi-rs/keyring'],
    plugins: [...quickStart, tableEntries],
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(`the bundler warns: ${message}`)
    },
  })
  const { output } = await build.write({
    dir: 'dist',
    format: 'esm',
    minify: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: together },
  })
  const packages = output.flatMap((chunk) => ('moduleIds' in chunk ? chunk.moduleIds.map(packageFolder) : []))
  return [...new Set(packages)].filter((folder) => folder !== undefined).toSorted((a, b) => a.localeCompare(b))
}

/** Returns the types of promo/sandbox: a module that imports nothing, and what dist/sandbox.js exports. */
function sandboxTypes(): string {
  const types = readFileSync('src/sandbox/in-code-types.ts', 'utf8')
  if (/^import /m.test(types)) throw new Error('src/sandbox/in-code-types.ts imports something, which is not published')
  return `${types}\nexport declare const startSandbox: StartSandbox\n`
}

/** Returns the folder of a module's package: the name after the last node_modules, with its scope. */
function packageFolder(moduleId: string): string | undefined {
  const parts = moduleId.split(sep)
  const at = parts.lastIndexOf('node_modules')
  if (at === -1) return undefined
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join(sep)
}

/** Returns the licence texts of the bundled packages; a package without one stops the build. */
function licences(folders: readonly string[]): string {
  return folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
      if (file === undefined && typeof license !== 'string') throw new Error(`${name} declares no licence`)
      const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim()
      return `${name} ${version}\n${'='.repeat(72)}\n${text}\n`
    })
    .join('\n\n')
}

/**
 * Writes .oclif.manifest.json, which is committed. `npm test` only compares (`--check-manifest`), and an installation
 * leaves it alone (`--keep-manifest`), or a stale one would be updated unnoticed. Returns whether it is fresh afterwards.
 */
function keepManifestFresh(manifest: StoredManifest): boolean {
  const fresh = manifestText(manifest)
  const stored = existsSync('.oclif.manifest.json') ? readFileSync('.oclif.manifest.json', 'utf8') : ''
  if (fresh === stored) return true
  if (process.argv.includes('--keep-manifest')) return false
  if (process.argv.includes('--check-manifest')) {
    throw new Error('.oclif.manifest.json is stale: run npm run build and commit it')
  }
  writeFileSync('.oclif.manifest.json', fresh)
  return true
}

/** Writes the manual pages to the folder where npm packs and man finds them, and the reference beside the documents. */
function writeManual(): void {
  const commands = describedCommands(root)
  writePages('dist/man/man1', manualPages(commands, exitCodes, packageJson))
  writePages('docs/commands', referencePages(commands, exitCodes, packageJson.oclif.topics))
}

function writePages(folder: string, pages: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, page] of Object.entries(pages)) writeFileSync(join(folder, name), page)
}

/** Copies what `promo mcp` hands to assistants to where it finds it in an installation. */
function copyForAssistants(): void {
  mkdirSync('dist/agents', { recursive: true })
  for (const file of ['docs/errors.md', 'docs/glossary.md', 'docs/agents/SKILL.md']) {
    copyFileSync(file, join('dist/agents', basename(file)))
  }
}
