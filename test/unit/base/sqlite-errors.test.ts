import { expect, test } from 'vitest'
import { readReasonOf, whatToDoAbout } from '../../../src/base/sqlite.ts'

test.each([
  [{ code: 'EACCES' }, 'make its folder writable for you, or point PROMO_STATE_DIR to another folder'],
  [{ errcode: 14 }, 'make its folder writable for you, or point PROMO_STATE_DIR to another folder'],
  [{ errcode: 8 }, 'make its folder writable for you, or point PROMO_STATE_DIR to another folder'],
  [{ code: 'ENOSPC' }, 'free some space, or point PROMO_STATE_DIR to another disk'],
  [{ errcode: 13 }, 'free some space, or point PROMO_STATE_DIR to another disk'],
  [{ code: 'EIO' }, 'point PROMO_STATE_DIR to another disk'],
  [{ code: 'EFBIG' }, 'allow larger files (ulimit -f), free some space, or point PROMO_STATE_DIR to another disk'],
  [{ errcode: 778 }, 'allow larger files (ulimit -f), free some space, or point PROMO_STATE_DIR to another disk'],
  [{ code: 'EMFILE' }, 'allow more open files: ulimit -n 1024'],
])('the advice about %j is about its cause', (error, advice) => {
  expect(whatToDoAbout(error)).toBe(advice)
})

test.each([
  [{ code: 'ENOENT', message: 'open canary' }, 'there is no such file'],
  [{ code: 'ENOTDIR', message: 'open canary' }, 'its folder is a file'],
  [{ code: 'EACCES', message: 'open canary' }, 'permission denied'],
  [{ code: 'ENAMETOOLONG', message: 'open canary' }, 'ENAMETOOLONG'],
  [{ message: 'canary' }, 'unknown reason'],
  [undefined, 'unknown reason'],
])('why %j kept a file from being read does not name the file', (error, reason) => {
  expect(readReasonOf(error)).toBe(reason)
})
