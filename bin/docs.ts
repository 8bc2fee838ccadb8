// Writes the generated parts of the documents: the exit codes, the reference of all commands, the calls.
// `--check` only compares. Reads what `npm run build` has written.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../src/cli/help/exit-codes.ts'
import { describedCommands } from '../src/cli/help/manifest.ts'
import { callTable } from './calls.ts'
import { reference } from './reference.ts'

const root = join(import.meta.dirname, '..')
const commands = describedCommands(root)

const exitCodeTable = () =>
  ['| Code | Meaning | Run it again? |', '|---|---|---|']
    .concat(exitCodes.map(({ code, meaning, again }) => `| ${code} | ${meaning} | ${again} |`))
    .join('\n')

/** Returns a function that generates the parts of a document between comments with their names. */
const withParts = (parts: Record<string, () => string>) => (stored: string) => {
  let fresh = stored
  for (const [part, make] of Object.entries(parts)) {
    const [open, close] = [`<!-- ${part} -->`, `<!-- /${part} -->`]
    const [before, rest = ''] = fresh.split(open)
    fresh = `${before}${open}\n${make()}\n${close}${rest.split(close)[1]}`
  }
  return fresh
}

const generated: Record<string, (stored: string) => string> = {
  'docs/errors.md': withParts({ 'exit-codes': exitCodeTable }),
  'docs/sandbox.md': withParts({ calls: callTable }),
  'docs/commands.md': () => reference(commands, exitCodes),
}

for (const [name, make] of Object.entries(generated)) {
  const path = join(root, name)
  const stored = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const fresh = make(stored)
  if (fresh === stored) continue
  if (process.argv.includes('--check')) throw new Error(`${name} is stale: run npm run docs and commit it`)
  writeFileSync(path, fresh)
}
