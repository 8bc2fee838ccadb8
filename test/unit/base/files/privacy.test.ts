import { type Stats, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { refuseExposedFile } from '../../../../src/base/files/privacy.ts'

const fileOf = (uid: number, mode: number): Stats => Object.assign(statSync('/'), { uid, mode })

test('a file that only its owner can read is accepted', () => {
  expect(() => refuseExposedFile('/f', fileOf(1000, 0o100600), { uid: 1000 })).not.toThrow()
})

test('a file of another user is refused, even in a folder of our own and even to replace it', () => {
  const file = fileOf(4711, 0o100600)

  expect(() => refuseExposedFile('/f', file, { uid: 1000 })).toThrow('"/f" belongs to another user (uid 4711)')
  expect(() => refuseExposedFile('/f', file, { uid: 1000, repairing: true })).toThrow('belongs to another user')
})

test('a file that others can read is refused for reading and accepted for replacement', () => {
  const file = fileOf(1000, 0o100644)

  expect(() => refuseExposedFile('/f', file, { uid: 1000 })).toThrow('have access to "/f" (mode 0644)')
  expect(() => refuseExposedFile('/f', file, { uid: 1000, repairing: true })).not.toThrow()
})

test('nothing is refused on a platform without user ids', () => {
  expect(() => refuseExposedFile('/f', fileOf(0, 0o100666), { uid: undefined })).not.toThrow()
})
