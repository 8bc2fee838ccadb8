import { linkSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { identityOf } from '../../../../src/base/files/identity.ts'
import { temporaryFolder } from '../../../support/promo.ts'
import { sourceFiles } from '../../../support/source-files.ts'

test('a file has one identity under all its names, and another one that takes its name has another', () => {
  const folder = temporaryFolder()
  const [name, second, other] = [join(folder, 'a'), join(folder, 'b'), join(folder, 'c')]
  writeFileSync(name, '')
  writeFileSync(other, '')
  linkSync(name, second)
  const before = identityOf(name)

  expect(identityOf(second)).toBe(before)
  renameSync(other, name)
  expect(identityOf(name)).not.toBe(before)
  expect(identityOf(other)).toBeUndefined()
})

test('no other file compares inode numbers, which a JavaScript number cannot hold on Windows', () => {
  const comparing = sourceFiles('src').filter(({ text }) => /\bino\b/.test(text))

  // What reads an input or an index keeps all facts about a file as bigint.
  expect(comparing.map(({ path }) => path)).toEqual([
    'src/base/files/identity.ts',
    'src/bulk/input/source.ts',
    'src/bulk/journal/job-index.ts',
  ])
})
