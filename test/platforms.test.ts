// Every place in the code that behaves by platform stands in docs/platforms.md, with the test that plays the platform, or as only read.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/source-files.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** How often a file asks for the platform, or for the user id that Windows does not have. */
const asks = /\bplatform\b[^'\n]*[!=]== '\w+'|\bgetuid\?\./g

const branches = ['bin/run.js', ...globSync('src/**/*.ts', { cwd: root })]
  .map((file) => [file, [...read(file).matchAll(asks)].length] as const)
  .filter(([, count]) => count > 0)

const [, section = ''] = /\n## Branches in the code\n([\s\S]*?)(?=\n## |$)/.exec(read('docs/platforms.md')) ?? []
const listed = [...section.matchAll(/^\| `(.+?)` \| (\d+) \| (.+?) \|$/gm)].map(([, file = '', count, known = '']) => ({
  file,
  count: Number(count),
  known,
}))

test('every branch by platform stands in docs/platforms.md', () => {
  expect(Object.fromEntries(listed.map(({ file, count }) => [file, count]))).toEqual(Object.fromEntries(branches))
  expect(branches.length).toBeGreaterThan(10)
})

test.each(listed)(
  'what is known of those in $file is a test that names a platform, or is said to be read',
  ({ known }) => {
    const tests = [...known.matchAll(/`(test\/.+?\.test\.ts)`/g)].map(([, path = '']) => path)

    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(tests.filter((path) => !/win32|darwin|getuid|wine/.test(read(path)))).toEqual([])
    if (tests.length === 0) expect(known).toMatch(/^read: \S/)
  },
)
