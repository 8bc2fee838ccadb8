import { expect, test } from 'vitest'
import { keyProblem } from '../../../../src/bulk/input/key.ts'
import { rowsFromArguments } from '../../../../src/bulk/input/key-lines.ts'

test('arguments are rows with their position, and are checked like all others', () => {
  const rows = [...rowsFromArguments(['A', '', '-x'], { column: 'code', checkKey: keyProblem })]

  expect(rows).toEqual([
    { line: 1, key: 'A', fields: { code: 'A' } },
    { line: 2, rule: 'key', message: 'argument 2: is empty', fields: { code: '' } },
    { line: 3, key: '-x', fields: { code: '-x' } },
  ])
})

test('no arguments are no rows', () => {
  const rows = [...rowsFromArguments([], { column: 'code', checkKey: keyProblem })]

  expect(rows).toEqual([])
})
