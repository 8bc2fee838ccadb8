// docs/service/choices.md lists exactly the choices that the code marks `ASSUMED`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './support/source-files.ts'

const files = sourceFiles('src')
const ledger = readFileSync(join(root, 'docs/service/choices.md'), 'utf8')

test.each([
  ['Choices of the client', files.filter(({ path }) => !path.startsWith('src/sandbox/'))],
  ['Choices of the embedded service', files.filter(({ path }) => path.startsWith('src/sandbox/'))],
])('the table "%s" lists each choice of its code once', (heading, code) => {
  const inCode = code.flatMap(({ text }) => [...text.matchAll(/ASSUMED ([\w-]+):/g)].map(([, number = '']) => number))
  const table = ledger.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? ''
  const listed = [...table.matchAll(/^\| (A[\w-]+) \|/gm)].map(([, number = '']) => number)

  expect(listed.toSorted()).toEqual([...new Set(inCode)].toSorted())
  expect(listed.length).toBeGreaterThan(20)
})

test('a number stands for one choice', () => {
  const numbers = [...ledger.matchAll(/^\| (A[\w-]+) \|/gm)].map(([, number = '']) => number)

  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
})

test('every choice has a number', () => {
  expect(files.filter(({ text }) => /ASSUMED(?! [\w-]+:)/.test(text)).map(({ path }) => path)).toEqual([])
})
