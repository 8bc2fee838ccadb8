import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { secretStore } from '../../../src/profiles/secrets.ts'
import { openStore } from '../../../src/profiles/store.ts'
import { sized } from '../../support/size.ts'
import { root } from '../../support/source-files.ts'

const run = promisify(execFile)
const writer = join(root, 'test/support/profile-writer.ts')

test('processes that add profiles at once lose none, and the file is always readable', async () => {
  const dir = join(mkdtempSync(join(tmpdir(), 'promo-')), 'config')
  mkdirSync(dir, { mode: 0o700 })
  let isOver = false
  let reads = 0

  const count = sized({ quick: 5, slow: 20 })
  const writers = Array.from({ length: count }, (_, n) => run(process.execPath, [writer, dir, `w${n}`, '2']))
  const all = Promise.all(writers).finally(() => {
    isOver = true
  })
  const reading = (async () => {
    while (!isOver) {
      await openStore(dir).list()
      reads++
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  await Promise.all([all, reading])

  const profiles = await openStore(dir).list()
  const secrets = await secretStore('file', dir)
  expect(profiles).toHaveLength(count * 2)
  for (const { name, origin } of profiles) {
    expect(await secrets.get(name, origin)).toEqual({ app_id: 'id', app_token: `token-${name}` })
  }
  expect(reads).toBeGreaterThan(0)
  expect(readdirSync(dir).sort()).toEqual(['config.json', 'credentials.json'])
})

test.each(['000', '022', '077'])('under umask %s no other user can read the files', async (umask) => {
  const dir = join(mkdtempSync(join(tmpdir(), 'promo-')), 'a', 'b')

  await run('sh', ['-c', `umask ${umask} && exec "$0" "$@"`, process.execPath, writer, dir, 'live', '1'])

  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect([dir, join(dir, '..'), join(dir, 'config.json'), join(dir, 'credentials.json')].map(modeOf)).toEqual([
    '700',
    '700',
    '600',
    '600',
  ])
  expect(readFileSync(join(dir, 'config.json'), 'utf8')).not.toContain('token')
})
