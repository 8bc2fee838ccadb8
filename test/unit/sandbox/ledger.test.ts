import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)

function assumedInCode(): string[] {
  const folder = new URL('src/sandbox/', root)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const text = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
  return [...new Set(Array.from(text.matchAll(/ASSUMED (A\d+):/g), (match) => match[1] as string))].toSorted()
}

function ledger(): string[] {
  const text = readFileSync(new URL('docs/sandbox.md', root), 'utf8')
  return Array.from(text.matchAll(/^\| (A\d+) \| .+ \|$/gm), (match) => match[1] as string).toSorted()
}

test('every choice in the code stands in the ledger of docs/sandbox.md, and every line there in the code', () => {
  expect(ledger()).toEqual(assumedInCode())
})

test('a choice without a number does not exist', () => {
  const folder = new URL('src/sandbox/', root)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

  const unnumbered = files.filter((name) => /ASSUMED(?! A\d+:)/.test(readFileSync(new URL(name, folder), 'utf8')))

  expect(files.length).toBeGreaterThan(30)
  expect(unnumbered).toEqual([])
})
