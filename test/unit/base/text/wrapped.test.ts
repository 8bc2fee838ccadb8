import { expect, test } from 'vitest'
import { wrapText } from '../../../../src/base/text/wrapped.ts'

test.each([
  ['a text that fits stays on one line', 'one two', 7, ['one two']],
  ['a line breaks between words', 'one two three', 8, ['one two', 'three']],
  ['line breaks of the text are kept', 'one\ntwo', 20, ['one', 'two']],
  ['an empty line stays empty', 'one\n\ntwo', 20, ['one', '', 'two']],
  ['a word longer than a line is broken', 'abcdefgh', 3, ['abc', 'def', 'gh']],
  ['a long word begins beside the word before it where that takes no more lines', 'ab cdefghi', 6, ['ab cde', 'fghi']],
  ['spaces within a line are kept, and none begins the next one', '  a  b   c', 7, ['  a  b', 'c']],
  ['a word is never broken within a character', 'ab😀cd', 3, ['ab😀', 'cd']],
] as const)('%s', (_title, text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines)
})
