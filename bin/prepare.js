// @ts-check
// Builds promo after `npm ci`. Plain JavaScript for any Node: `npm install --global .` of a checkout installs none of the tools, and
// may run this on a Node that reads no TypeScript.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const own = at(`node_modules/node/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`)
// npm prepares a checkout at the first `npx promo` too, which is to start what was built.
const isBuilt = process.env.npm_command === 'exec' && existsSync(at('dist/index.json'))

if (isBuilt) process.exitCode = 0
else if (existsSync(own) && existsSync(at('node_modules/rolldown'))) {
  const { status } = spawnSync(own, [at('bin/build.ts'), '--keep-manifest'], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else {
  process.stderr.write('promo: its tools are not installed in this checkout; run in it first: npm ci\n')
  process.exitCode = 1
}
