// A checkout in which bin/run.js takes every Node for one that is too old, and starts promo as a child.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin } from './child.ts'
import { root } from './source-files.ts'

/** Makes the checkout in a folder, and returns its launcher; `changed` changes its text. */
export function launcherIn(checkout: string, changed = (text: string) => text): string {
  mkdirSync(join(checkout, 'bin'))
  for (const part of ['dist', 'node_modules', 'package.json']) symlinkSync(join(root, part), join(checkout, part))
  const old = "(process.env.PROMO_NO_REEXEC ? process.versions.node : '20.20.2')"
  const text = readFileSync(bin, 'utf8').replace('process.versions.node', old)
  writeFileSync(join(checkout, 'bin/run.js'), changed(text))
  return join(checkout, 'bin/run.js')
}
