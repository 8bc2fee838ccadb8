import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, syncFolder } from '../../../src/base/folder.ts'
import { temporaryFolder } from '../../support/promo.ts'

test('a folder is created with its parents, for its owner alone, and again without an error', () => {
  const top = temporaryFolder()
  makeFolder(join(top, 'a/b/c'))
  makeFolder(join(top, 'a/b/c'))

  expect(['a', 'a/b', 'a/b/c'].map((path) => statSync(join(top, path)).mode & 0o777)).toEqual([0o700, 0o700, 0o700])
})

test('a link to a folder is one, and keeps its mode', () => {
  const top = temporaryFolder()
  mkdirSync(join(top, 'there'), { mode: 0o755 })
  symlinkSync(join(top, 'there'), join(top, 'link'))

  makeFolder(join(top, 'link/below'))
  makeFolder(join(top, 'link'))

  expect(statSync(join(top, 'there/below')).isDirectory()).toBe(true)
})

test.each(['file', 'file/below', 'file/below/it'])('what a file is in the way of, %s, is an error', (path) => {
  const top = temporaryFolder()
  writeFileSync(join(top, 'file'), '')

  expect(() => makeFolder(join(top, path))).toThrow(/EEXIST|ENOTDIR/)
})

test('a folder is synced where the platform can, and left alone on Windows, which refuses it', async () => {
  const missing = join(temporaryFolder(), 'missing')

  await syncFolder(temporaryFolder(), 'linux')
  await expect(syncFolder(missing, 'linux')).rejects.toThrow('ENOENT')
  await expect(syncFolder(missing, 'darwin')).rejects.toThrow('ENOENT')
  await syncFolder(missing, 'win32')
})
