import { expect, test } from 'vitest'
import { keyProblem } from '../../../../src/bulk/input/key.ts'
import { rowsFromArguments } from '../../../../src/bulk/input/key-lines.ts'

test('arguments are rows with their position, and are checked like all others', () => {
  expect([...rowsFromArguments(['A', '', '-x'], { column: 'code', checkKey: keyProblem })]).toEqual([
    { line: 1, key: 'A', fields: { code: 'A' } },
    { line: 2, rule: 'key', message: 'argument 2: is empty', fields: { code: '' } },
    { line: 3, key: '-x', fields: { code: '-x' } },
  ])
})

test('no arguments are no rows', () => {
  expect([...rowsFromArguments([], { column: 'code', checkKey: keyProblem })]).toEqual([])
})
