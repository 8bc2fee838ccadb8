// Writes the generated parts of the documents: the exit codes and the calls of the sandbox.
// `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../src/cli/help/exit-codes.ts'
import { callTable } from './calls.ts'

const root = join(import.meta.dirname, '..')

const exitCodeTable = () =>
  ['| Code | Meaning | Run it again? |', '|---|---|---|']
    .concat(exitCodes.map(({ code, meaning, again }) => `| ${code} | ${meaning} | ${again} |`))
    .join('\n')

/** The generated parts of each document, between comments with their names. */
const generated: Record<string, Record<string, () => string>> = {
  'docs/errors.md': { 'exit-codes': exitCodeTable },
  'docs/sandbox.md': { calls: callTable },
}

for (const [name, parts] of Object.entries(generated)) {
  const path = join(root, name)
  const stored = readFileSync(path, 'utf8')
  let fresh = stored
  for (const [part, make] of Object.entries(parts)) {
    const [open, close] = [`<!-- ${part} -->`, `<!-- /${part} -->`]
    const [before, rest = ''] = fresh.split(open)
    fresh = `${before}${open}\n${make()}\n${close}${rest.split(close)[1]}`
  }
  if (fresh === stored) continue
  if (process.argv.includes('--check')) throw new Error(`${name} is stale: run npm run docs and commit it`)
  writeFileSync(path, fresh)
}
