// Small files in folders that may come from elsewhere: whatever has the name, reading ends, and a file is there whole or not at all.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readKept } from '../../../../src/base/files/kept-file.ts'
import { appendLine } from '../../../../src/base/files/kept-lines.ts'
import { createFile, replaceFile } from '../../../../src/base/files/temporary.ts'
import { needing } from '../../../support/programs.ts'
import { temporaryFolder } from '../../../support/promo.ts'

const place = () => join(temporaryFolder(), 'kept')

const odd: [string, (path: string) => unknown, string][] = [
  ['a link', (path) => symlinkSync('/etc/hosts', path), 'is a link, not a file'],
  ['a link that leads nowhere', (path) => symlinkSync('/nowhere', path), 'is a link, not a file'],
  ['a folder', (path) => mkdirSync(path), 'is not a file'],
  ['a FIFO without a writer', (path) => execFileSync('mkfifo', [path]), 'is not a file'],
  ['more than a MiB', (path) => writeFileSync(path, Buffer.alloc(1024 * 1024 + 1)), 'is larger than 1 MiB'],
]

test.each(odd)('%s is not read, and not waited for', needing('mkfifo'), (_, make, fault) => {
  const path = place()
  make(path)

  expect(readKept(path, 1)).toEqual({ fault })
})

test('a link is followed where that is wanted, but not to a device', () => {
  const [path, target, device] = [place(), place(), place()]
  writeFileSync(target, 'text')
  symlinkSync(target, path)
  symlinkSync('/dev/zero', device)

  expect(readKept(path, 1, { followsLinks: true })).toMatchObject({ bytes: Buffer.from('text') })
  expect(readKept(device, 1, { followsLinks: true })).toEqual({ fault: 'is not a file' })
  expect(readKept(place(), 1)).toBeUndefined()
})

test('a line is appended after one that a crash cut off, and never through a link or under a second name', () => {
  const path = place()
  appendLine(path, 'one\n')
  appendFileSync(path, 'tw')
  appendLine(path, 'three\n', { isDurable: true })
  const [link, second] = [place(), place()]
  symlinkSync(path, link)

  expect(readFileSync(path, 'utf8')).toBe('one\ntw\nthree\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(() => appendLine(link, 'four\n')).toThrow('is a symbolic link')
  linkSync(path, second)
  expect(() => appendLine(path, 'four\n')).toThrow('second name')
})

test('a file is replaced whole, and one that cannot be replaced is as it was, with nothing beside it', () => {
  const path = place()
  replaceFile(path, 'one', 0o600)
  replaceFile(path, 'two', 0o600)
  const folder = join(path, '..', 'folder')
  mkdirSync(join(folder, 'in it'), { recursive: true })

  expect(() => replaceFile(folder, 'three', 0o600)).toThrow()
  expect(readFileSync(path, 'utf8')).toBe('two')
  expect(readdirSync(join(path, '..')).toSorted()).toEqual(['folder', 'kept'])
})

test('a file is created whole, and replaces none', () => {
  const path = place()
  createFile(path, 'one', 0o600)

  expect(() => createFile(path, 'two', 0o600)).toThrow('EEXIST')
  expect(readFileSync(path, 'utf8')).toBe('one')
  expect(readdirSync(join(path, '..'))).toEqual(['kept'])
})
