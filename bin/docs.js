// Writes the generated parts of the documents: the command table and the exit codes. `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { exitCodes } = await import('../src/errors.ts')

const commandTable = () => {
  const { commands } = JSON.parse(readFileSync(join(root, '.oclif.manifest.json'), 'utf8'))
  const rows = Object.values(commands)
    .filter(({ hidden }) => !hidden)
    .map(({ id, summary, args }) => {
      const words = Object.values(args).map(({ name, required, multiple }) => {
        const word = `${name.toUpperCase()}${multiple ? '…' : ''}`
        return required ? word : `[${word}]`
      })
      return `| \`${['promo', ...id.split(':'), ...words].join(' ')}\` | ${summary} |`
    })
  return ['| Command | What it does |', '|---|---|', ...rows.toSorted()].join('\n')
}

const exitCodeTable = () =>
  ['| Code | Meaning | Run it again? |', '|---|---|---|']
    .concat(exitCodes.map(({ code, meaning, again }) => `| ${code} | ${meaning} | ${again} |`))
    .join('\n')

const generated = {
  'README.md': { commands: commandTable, 'exit-codes': exitCodeTable },
  'docs/errors.md': { 'exit-codes': exitCodeTable },
}

for (const [name, parts] of Object.entries(generated)) {
  const path = join(root, name)
  const stored = readFileSync(path, 'utf8')
  let fresh = stored
  for (const [part, make] of Object.entries(parts)) {
    const [open, close] = [`<!-- ${part} -->`, `<!-- /${part} -->`]
    const [before, rest] = fresh.split(open)
    fresh = `${before}${open}\n${make()}\n${close}${rest.split(close)[1]}`
  }
  if (fresh === stored) continue
  if (process.argv.includes('--check')) throw new Error(`${name} is stale: run npm run docs and commit it`)
  writeFileSync(path, fresh)
}
