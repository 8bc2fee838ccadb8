import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './support/source-files.ts'

const files = sourceFiles('src').filter(({ path }) => !path.startsWith('src/sandbox/'))

test('every choice of the client stands in docs/choices.md, and every line there in the code', () => {
  const inCode = files.flatMap(({ text }) => [...text.matchAll(/ASSUMED ([\w-]+):/g)].map(([, number = '']) => number))
  const listed = [...readFileSync(join(root, 'docs/choices.md'), 'utf8').matchAll(/^\| (A[\w-]+) \|/gm)].map(
    ([, number = '']) => number,
  )

  expect(listed).toEqual([...new Set(inCode)].toSorted())
  expect(listed.length).toBeGreaterThan(20)
})

test('a choice without a number does not exist', () => {
  expect(files.filter(({ text }) => /ASSUMED(?! [\w-]+:)/.test(text)).map(({ path }) => path)).toEqual([])
})
