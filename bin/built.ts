// Notes what was built from what, so that `npm test` builds nothing again that `npm ci` has just built.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a build reads, and what it writes; of the installed packages the lock file. */
const parts = [
  '{src,bin,dist}/**/*.*',
  'docs/**/*.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.oclif.manifest.json',
]

/** Where packages are, so that it is gone with them. */
const note = 'node_modules/.promo-build'

/** Notes that `dist` and the manifest are those of the sources. */
export function noteBuild(root: string): void {
  writeFileSync(join(root, note), fingerprintOf(root))
}

/** Tells whether nothing has changed since the last build that was noted: no source, and nothing of what was built. */
export function isBuilt(root: string): boolean {
  const file = join(root, note)
  return existsSync(file) && readFileSync(file, 'utf8') === fingerprintOf(root)
}

function fingerprintOf(root: string): string {
  const hash = createHash('sha256')
  for (const path of globSync(parts, { cwd: root }).toSorted()) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
