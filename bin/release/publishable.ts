// The package as it is published: the files that `files` of package.json names, and a package.json without what only a checkout
// needs. An installation would warn about its scripts, and `npm audit` of a user would look at its tools.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const always = ['README.md', 'LICENSE', 'CHANGELOG.md']
const kept = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'bin',
  'exports',
  'files',
  'engines',
  'oclif',
  'optionalDependencies',
]

/** Puts the built package into an empty folder, under its own name unless another is given. */
export function stagePackage(root: string, folder: string, name?: string): void {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // An installation links the pages that are listed there: `directories.man` has an effect only for some of them.
  const man = globSync('dist/man/man1/*.1', { cwd: root }).toSorted()
  if (man.length === 0) throw new Error('there are no manual pages: run npm run build')
  for (const file of [...own.files, ...always]) cpSync(join(root, file), join(folder, file), { recursive: true })
  const published = Object.fromEntries(kept.map((member) => [member, own[member]]))
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...published, name: name ?? own.name, man }, null, 2)}\n`,
  )
}
