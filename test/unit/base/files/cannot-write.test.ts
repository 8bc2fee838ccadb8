import { expect, test } from 'vitest'
import { cannotWrite } from '../../../../src/base/files/cannot-write.ts'
import { PromoError } from '../../../../src/errors.ts'

test.each([
  ['EACCES', 'permission denied', 'ls -ld /srv/a'],
  ['EPERM', 'permission denied', 'ls -ld /srv/a'],
  ['EROFS', 'the file system is read-only', 'ls -ld /srv/a'],
  ['ENOENT', 'its folder does not exist', 'mkdir -p /srv/a'],
  ['ENOSPC', 'no space left on the disk', 'df -h /srv/a'],
  ['EDQUOT', 'the disk quota is used up', 'df -h /srv/a'],
  ['EIO', 'the disk reports an error', undefined],
  ['EWEIRD', 'EWEIRD: open', undefined],
])('what the operating system calls %s names the path once, the reason and a next step', (code, reason, hint) => {
  const error = Object.assign(new Error(`${code}: open`), { code })

  const said = cannotWrite('/srv/a/b.json', error) as PromoError

  expect(said).toBeInstanceOf(PromoError)
  expect([said.message, said.facts.hint, said.exitCode]).toEqual([`cannot write "/srv/a/b.json": ${reason}`, hint, 10])
})
