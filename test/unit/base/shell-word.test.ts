import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { makeFolderCommand, moveCommand, recopyCommand, shellWord } from '../../../src/base/shell-word.ts'
import { needing } from '../../support/programs.ts'

const words = [
  'plain-1.csv',
  'two words',
  "it's",
  '$HOME',
  '`id`',
  '"',
  '%TEMP%',
  'a;b',
  'back\\',
  "x\\'; id; '",
  '=ls',
  '~',
  'two\nlines',
  'żółw',
  '“quoted”',
  '',
]

describe.each([
  ['sh', []],
  ['bash', ['bash']],
  ['zsh', ['zsh']],
  ['fish', ['fish']],
] as const)('%s', (shell, needed) => {
  test('reads every word back unchanged', needing(...needed), () => {
    const line = `printf '%s\\n' ${words.map((word) => shellWord(word, 'linux')).join(' ')}`

    expect(execFileSync(shell, ['-c', line], { encoding: 'utf8' })).toBe(`${words.join('\n')}\n`)
  })
})

// As PowerShell reads them; in double quotes it replaces $ and `, and ends at a typographic quote too.
test.each([
  ['plain-1.csv', 'plain-1.csv'],
  ['C:\\Users\\ann\\codes.csv', 'C:\\Users\\ann\\codes.csv'],
  ['C:\\My files\\codes.csv', '"C:\\My files\\codes.csv"'],
  ["it's", '"it\'s"'],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['', "''"],
  ['$HOME', "'$HOME'"],
  ['`id`', "'`id`'"],
  ['%TEMP%', "'%TEMP%'"],
  ['"it\'s"', "'\"it''s\"'"],
  ['“it’s”', "'“it’’s”'"],
  ['two words\\', "'two words\\'"],
])('on Windows %j is written as %s', (word, written) => {
  expect(shellWord(word, 'win32')).toBe(written)
})

test('the commands of a next step are those of the platform', () => {
  const onPlatform = (platform: NodeJS.Platform) => [
    makeFolderCommand('a b', platform),
    moveCommand('a b', 'c', platform),
    recopyCommand('a b', platform),
  ]

  expect(onPlatform('linux')).toEqual(["mkdir -p 'a b'", "mv 'a b' c", "cp 'a b' 'a b.copy' && mv -f 'a b.copy' 'a b'"])
  expect(onPlatform('darwin')).toEqual(onPlatform('linux'))
  expect(onPlatform('win32')).toEqual([
    'mkdir "a b"',
    'move "a b" c',
    'Copy-Item "a b" "a b.copy"; Move-Item -Force "a b.copy" "a b"',
  ])
})
