import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cannotWrite, refusedWrite } from '../../../../src/base/files/cannot-write.ts'
import { PromoError } from '../../../../src/errors.ts'
import { sourceFiles } from '../../../support/source-files.ts'

test.each([
  ['EACCES', 'permission denied', 'ls -ld '],
  ['EPERM', 'permission denied', 'ls -ld '],
  ['EROFS', 'the file system is read-only', 'ls -ld '],
  ['ENOENT', 'its folder does not exist', 'mkdir -p '],
  ['ENOSPC', 'no space left on the disk', 'df -h '],
  ['EDQUOT', 'the disk quota is used up', 'df -h '],
  ['EIO', 'the disk reports an error', undefined],
  ['EMFILE', 'too many files are open', 'allow more open files: ulimit -n 1024'],
  ['EWEIRD', 'EWEIRD: open', undefined],
])('what the operating system calls %s names the path once, the reason and a next step', (code, reason, hint) => {
  const error = Object.assign(new Error(`${code}: open`), { code })

  const folder = join(tmpdir(), 'none', 'a')
  // Where the folder is missing, too, the nearest one that is there.
  const shown = code === 'ENOENT' ? folder : tmpdir()
  const said = cannotWrite(join(folder, 'b.json'), error) as PromoError

  expect(said).toBeInstanceOf(PromoError)
  expect([said.message, said.facts.hint, said.exitCode]).toEqual([
    `cannot write "${join(folder, 'b.json')}": ${reason}`,
    hint?.endsWith(' ') ? `${hint}${shown}` : hint,
    10,
  ])
})

test.runIf(process.platform === 'linux')('no folder is to be made where none can be', () => {
  const error = Object.assign(new Error('ENOENT'), { code: 'ENOENT' })

  expect(cannotWrite('/proc/none/a/b.json', error).facts.hint).toBe('ls -ld /proc')
})

test('what nothing else names has the path, the reason and a next step; what the computer did not refuse is no such error', () => {
  const folder = join(tmpdir(), 'none')
  const error = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'mkdir', path: join(folder, 'a') })

  const said = refusedWrite(error)

  expect([said?.message, said?.facts.hint, said?.exitCode]).toEqual([
    `the computer refused to mkdir "${join(folder, 'a')}": permission denied`,
    `ls -ld ${tmpdir()}`,
    10,
  ])
  const missing = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'open', path: join(tmpdir(), 'a.txt') })
  const { message, facts } = refusedWrite(missing) as PromoError
  expect([message, facts.hint]).toEqual([
    `the computer refused to open "${join(tmpdir(), 'a.txt')}": there is no such file`,
    undefined,
  ])
  expect([new Error('EACCES'), 'EACCES', undefined].map(refusedWrite)).toEqual([undefined, undefined, undefined])
})

test('no message about a file that cannot be written or read says why by a code', () => {
  const byCode =
    /(?:cannot be (?:written|created|changed|removed|kept|read)|cannot read|^reading)[^`]*\$\{[^}]*\bcode(?:Of)?\b/im

  expect(sourceFiles('src').flatMap(({ path, text }) => (byCode.test(text) ? [path] : []))).toEqual([])
})
