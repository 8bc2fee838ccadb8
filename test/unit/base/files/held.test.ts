import { expect, test } from 'vitest'
import { isHeldOpen } from '../../../../src/base/files/held.ts'

const refused = (code: string) => Object.assign(new Error(code), { code })

test.each(['EBUSY', 'EPERM', 'EACCES'])('on Windows %s says that the file is open, elsewhere it does not', (code) => {
  expect(isHeldOpen(refused(code), 'win32')).toBe(true)
  expect(isHeldOpen(refused(code), 'linux')).toBe(false)
  expect(isHeldOpen(refused(code), 'darwin')).toBe(false)
})

test('any other error does not say so', () => {
  expect(isHeldOpen(refused('ENOSPC'), 'win32')).toBe(false)
  expect(isHeldOpen(undefined, 'win32')).toBe(false)
})
