// The layout of help: where lines break, and when texts stand below their names.
import { expect, test } from 'vitest'
import { align } from '../../../../src/cli/help/layout.ts'

test('texts begin in one column, with marks in the names that take no room', () => {
  const rows = [
    { name: '--all', text: 'every row' },
    { name: '--limit=N', shown: '--limit=\u001b[4mN\u001b[24m', text: 'at most this many rows' },
  ]

  expect(align(rows, 25)).toEqual([
    '--all      every row',
    '--limit=\u001b[4mN\u001b[24m  at most this',
    '           many rows',
  ])
})

test('all texts stand below their names when one would take more than five lines beside its name', () => {
  const rows = [
    { name: '--all', text: 'every row' },
    { name: '--concurrency=N', text: 'how many requests may be in flight at the same time' },
  ]

  expect(align(rows, 26)).toEqual([
    '--all',
    '    every row',
    '',
    '--concurrency=N',
    '    how many requests may',
    '    be in flight at the',
    '    same time',
  ])
})
