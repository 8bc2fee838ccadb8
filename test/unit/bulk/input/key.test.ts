import { expect, test } from 'vitest'
import { keyProblem, keyWarning } from '../../../../src/bulk/input/key.ts'

test.each([
  ['', 'is empty'],
  [' ', 'is only white space'],
  ['\u00a0', 'is only white space'],
  ['a ', 'has white space around it; remove it from the input'],
  [' a', 'has white space around it; remove it from the input'],
  ['.', 'is a path step, which would change the address of the call'],
  ['..', 'is a path step, which would change the address of the call'],
  ['a\nb', 'contains a tab, a line break or a NUL'],
  ['a\rb', 'contains a tab, a line break or a NUL'],
  ['a\tb', 'contains a tab, a line break or a NUL'],
  ['a\0b', 'contains a tab, a line break or a NUL'],
  ['a\ud800', 'contains half of a surrogate pair, which no request can carry'],
  ['x'.repeat(1025), 'is longer than 1,024 characters'],
])('the key %j is refused', (key, problem) => {
  expect(keyProblem(key)).toBe(problem)
})

test.each([
  ['a/b'],
  ['a b'],
  ['a?b'],
  ['a#b'],
  ['a%b'],
  ['a\\b'],
  ['ü'],
  ['u\u0308'],
  ['😀'],
  ['%2e%2e'],
  ['+'],
  ['...'],
  ['a/../../x'],
  ['x/disable'],
  ['-x'],
  ['--help'],
  ['a\u202eb'],
  ['\u001b[31mx'],
  ['a\bb'],
  ['\u007f'],
  ['a\u009bb'],
  ['__proto__'],
  ['undefined'],
  ['x'.repeat(1024)],
  ['😀'.repeat(1024)],
])('the key %j is accepted', (key) => {
  expect(keyProblem(key)).toBeUndefined()
})

test.each([['undefined'], ['null'], ['NaN'], ['[object Object]'], ['$'.concat('{CODE}')], ['X-{{ code }}']])(
  'the key %j is suspicious',
  (key) => {
    expect(keyWarning(key)).toBe('looks like a template that was not filled in')
  },
)

test.each([
  ['1.23457E+11', 'looks like a number that a spreadsheet shortened'],
  ['1,2E+15', 'looks like a number that a spreadsheet shortened'],
  ['1E+05', 'looks like a number that a spreadsheet shortened'],
  ['01.03.2026', 'looks like a date that a spreadsheet made of a code'],
  ['3/1/26', 'looks like a date that a spreadsheet made of a code'],
  ['1-Mär', 'looks like a date that a spreadsheet made of a code'],
  ['Sep-10', 'looks like a date that a spreadsheet made of a code'],
  ['#NAME?', 'is what a spreadsheet shows instead of a value'],
  ['########', 'is what a spreadsheet shows instead of a value'],
])('the key %j is suspicious, because a spreadsheet may have changed it', (key, why) => {
  expect(keyWarning(key)).toBe(why)
})

test.each([
  ['SAVE10'],
  ['nullable'],
  ['$5'],
  ['{a}'],
  ['1E5'],
  ['E+5'],
  ['SEP-10'],
  ['1.2.3'],
  ['10-20-2026-X'],
  ['#1'],
  ['#SALE'],
])('the key %j is not suspicious', (key) => {
  expect(keyWarning(key)).toBeUndefined()
})
