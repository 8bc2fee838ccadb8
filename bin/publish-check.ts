// Everything of a publication but the publication: the package is staged, and npm tells what it would publish.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stagePackage } from './release/publishable.ts'

/** The name `promo` belongs to another package: whoever publishes this one writes their scope here. */
const publishedAs = '@your-scope/promo'

const folder = mkdtempSync(join(tmpdir(), 'promo-publish-'))
try {
  stagePackage(join(import.meta.dirname, '..'), folder, publishedAs)
  execFileSync('npm', ['publish', '--dry-run', '--loglevel', 'notice', '--access', 'public', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'inherit',
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
