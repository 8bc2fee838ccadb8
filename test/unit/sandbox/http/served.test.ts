// docs/sandbox.md states which calls are served, which are not, and which tests prove them; these tests verify it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import { resources } from '../../../../src/sandbox/resources.ts'
import { fixtures } from '../../../contract/spec-fixture.ts'
import { root } from '../../../support/source-files.ts'

const document = readFileSync(join(root, 'docs/sandbox.md'), 'utf8')
const served = new Set(resources.flatMap(({ routes }) => routes ?? []).map(({ endpoint }) => endpoint.id))

test('every declared call is served, or is listed as not served with the reason', () => {
  const missing = endpoints.filter(({ id }) => !served.has(id)).map(({ method, path }) => `${method} ${path}`)
  const rows = rowsOf('Calls that are not served')

  expect(rows.map(([call = '']) => call.replaceAll('`', ''))).toEqual(missing)
  expect(rows.filter(([, reason = '']) => reason.length < 10)).toEqual([])
})

test('each of the sixteen endpoints of the specification has one row that names its proof', () => {
  const numbers = rowsOf('Calls and their proof').flatMap(([calls = '']) =>
    [...calls.matchAll(/specification (\d+)/g)].map(([, number]) => Number(number)),
  )

  expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
})

test('a row of the specification shows the path that the contract declares', () => {
  const rows = rowsOf('Calls and their proof')
  const wrong = endpoints
    .map((endpoint) => ({ ...endpoint, number: numberOf(endpoint) }))
    .filter(({ number }) => number !== undefined)
    .filter(({ number, path }) => {
      const [calls = ''] = rows.find(([cell = '']) => new RegExp(`specification ${number}\\b`).test(cell)) ?? []
      return !calls.includes(familyOf(path))
    })

  expect(wrong.map(({ number, path }) => `${number}: ${path}`)).toEqual([])
})

test('every file that a row names as proof exists', () => {
  const rows = rowsOf('Calls and their proof')
  const filesOf = (proof: string) => [...proof.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = '']) => file)
  const isThere = (file: string) => existsSync(join(root, file))

  expect(rows.filter(([, proof = '']) => filesOf(proof).length === 0)).toEqual([])
  expect(rows.flatMap(([, proof = '']) => filesOf(proof)).filter((file) => !isThere(file))).toEqual([])
  expect(rows.length).toBeGreaterThan(20)
})

/** Returns the cells of the rows of the table below a heading, without its header. */
function rowsOf(heading: string): string[][] {
  const [, section = ''] = document.split(`\n## ${heading}\n`)
  const [text = ''] = section.split('\n## ')
  const lines = text.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

/** Returns the fixed steps at the start of a path: `/v1/templates` of `/v1/templates/campaigns`. */
function familyOf(path: string): string {
  const steps = path.split('/').slice(1)
  return steps[0] === 'management' ? `/${steps.slice(4, 5).join('/')}` : `/${steps.slice(0, 2).join('/')}`
}

function numberOf({ method, path }: { method: string; path: string }): number | undefined {
  return fixtures.find((fixture) => fixture.method === method && fixture.paths.includes(path))?.endpoint
}
