import { describe, expect, test } from 'vitest'
import { isFileName, pathBelow } from '../../../../src/base/files/path-below.ts'
import { sourceFiles } from '../../../support/source-files.ts'

describe('a name that becomes a path', () => {
  test.each(['a.yaml', 'proj_1.lock', '.promo', 'A-b.c', '20260101-abc123.0123.sqlite'])('%j is one', (name) => {
    expect(isFileName(name)).toBe(true)
    expect(pathBelow('/x', name)).toBe(`/x/${name}`)
  })

  test.each([
    '',
    '.',
    '..',
    '../a',
    'a/b',
    'a\\b',
    'a\0',
    'a\n',
    'con',
    'NUL.yaml',
    'lpt1.x',
    'a.',
    'a:b',
    '-a',
    '~',
    'x'.repeat(200),
  ])('%j is none', (name) => {
    expect(isFileName(name)).toBe(false)
    expect(() => pathBelow('/x', 'fine', name)).toThrow('cannot be the name of a file')
  })
})

test('no other path is put together from a name in a text', () => {
  // A random name, and the name that a random one replaces.
  const own = /randomUUID|randomBytes|dirname\(|aloneName\(/
  const made = sourceFiles('src').flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => /\b(?:join|resolve)\([^)]*`[^`]*\$\{/.test(line) && !/\.join\(/.test(line) && !own.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )

  expect(made).toEqual([])
})
