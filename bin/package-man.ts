// Lists the manual pages in package.json while the package is packed; `--remove` removes the list again. An installation
// links the pages that are listed there: `directories.man` only has an effect when a package is published.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const path = join(root, 'package.json')
const { man: _, ...rest } = JSON.parse(readFileSync(path, 'utf8'))
const man = globSync('dist/man/man1/*.1', { cwd: root }).toSorted()
if (man.length === 0) throw new Error('there are no manual pages: run npm run build')
const content = process.argv.includes('--remove') ? rest : { ...rest, man }
writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
