// The package as it is published: the files that `files` of package.json names, and a package.json without what only a checkout
// needs. An installation would warn about its scripts, and `npm audit` of a user would look at its tools.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const always = ['README.md', 'LICENSE']
/** Documents for those who change promo; they lead into its source. */
const aboutTheCode = /^docs\/(?:adr|architecture\.md|toolchain\.md)$/
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
  const filter = (path: string) => !aboutTheCode.test(relative(root, path))
  for (const file of [...own.files, ...always])
    cpSync(join(root, file), join(folder, file), { recursive: true, filter })
  for (const page of globSync('**/*.md', { cwd: folder })) unlink(join(folder, page))
  const published = Object.fromEntries(kept.map((member) => [member, own[member]]))
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...published, name: name ?? own.name, man }, null, 2)}\n`,
  )
}

/** Turns links to what is not in the package into text. */
function unlink(page: string): void {
  const isThere = (target: string) =>
    /^(?:https?:|#)/.test(target) || existsSync(join(dirname(page), target.replace(/#.*/, '')))
  const linked = readFileSync(page, 'utf8')
  const text = linked.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, shown, target) =>
    isThere(target) ? link : shown,
  )
  if (text !== linked) writeFileSync(page, text)
}
