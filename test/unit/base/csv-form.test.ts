import { expect, test } from 'vitest'
import { encodeText, fromWindows1252 } from '../../../src/base/csv-form.ts'

test('every byte of windows-1252 is read as a character that is written as the same byte', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

  const text = fromWindows1252(bytes)

  expect(text.slice(0x80, 0x85)).toBe('€\x81‚ƒ„')
  expect(text.slice(0xe4, 0xe6)).toBe('äå')
  expect(encodeText(text, 'windows-1252')).toEqual(bytes)
})

test('a character that windows-1252 lacks is written as an escape', () => {
  const bytes = encodeText('Ω 中 😀 ž', 'windows-1252')

  expect(bytes.toString('latin1')).toBe('\\u03a9 \\u4e2d \\u{1f600} \x9e')
})

test('UTF-16 is written in both byte orders', () => {
  expect(encodeText('\ufeffa', 'utf-16le')).toEqual(Buffer.from([0xff, 0xfe, 0x61, 0]))
  expect(encodeText('\ufeffa', 'utf-16be')).toEqual(Buffer.from([0xfe, 0xff, 0, 0x61]))
})
