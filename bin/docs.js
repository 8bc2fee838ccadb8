// Writes the generated parts of the documents: the command table, the exit codes, the reference of all commands, the
// manual pages and their list in package.json. `--check` only compares.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../src/errors.ts'
import { manualPages } from './man.js'
import { commandWords, reference } from './reference.js'

const root = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(root, '.oclif.manifest.json'), 'utf8'))
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const commandTable = () => {
  const rows = Object.values(manifest.commands)
    .filter(({ hidden }) => !hidden)
    .map((command) => `| \`${commandWords(command)}\` | ${command.summary} |`)
  return ['| Command | What it does |', '|---|---|', ...rows.toSorted()].join('\n')
}

const exitCodeTable = () =>
  ['| Code | Meaning | Run it again? |', '|---|---|---|']
    .concat(exitCodes.map(({ code, meaning, again }) => `| ${code} | ${meaning} | ${again} |`))
    .join('\n')

/** Gives the maker of a document whose generated parts stand between comments with their names. */
const withParts = (parts) => (stored) => {
  let fresh = stored
  for (const [part, make] of Object.entries(parts)) {
    const [open, close] = [`<!-- ${part} -->`, `<!-- /${part} -->`]
    const [before, rest] = fresh.split(open)
    fresh = `${before}${open}\n${make()}\n${close}${rest.split(close)[1]}`
  }
  return fresh
}

const pages = Object.entries(manualPages(manifest, exitCodes, packageJson)).map(([name, page]) => [
  `man/man1/${name}`,
  page,
])

const generated = {
  'README.md': withParts({ commands: commandTable, 'exit-codes': exitCodeTable }),
  'docs/errors.md': withParts({ 'exit-codes': exitCodeTable }),
  'docs/commands.md': () => reference(manifest, exitCodes),
  // npm links what is listed here, and lists nothing by itself.
  'package.json': (stored) =>
    withMan(
      stored,
      pages.map(([path]) => path).toSorted((one, other) => (one < other ? -1 : 1)),
    ),
  ...Object.fromEntries(pages.map(([path, page]) => [path, () => page])),
}

mkdirSync(join(root, 'man/man1'), { recursive: true })

for (const [name, make] of Object.entries(generated)) {
  const path = join(root, name)
  const stored = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const fresh = make(stored)
  if (fresh === stored) continue
  if (process.argv.includes('--check')) throw new Error(`${name} is stale: run npm run docs and commit it`)
  writeFileSync(path, fresh)
}

// The page of a command that is gone would stay for ever.
for (const path of globSync('man/man1/*', { cwd: root })) {
  if (path in generated) continue
  if (process.argv.includes('--check')) throw new Error(`${path} is of no command: run npm run docs and commit it`)
  rmSync(join(root, path))
}

function withMan(stored, man) {
  return `${JSON.stringify({ ...JSON.parse(stored), man }, null, 2)}\n`
}
