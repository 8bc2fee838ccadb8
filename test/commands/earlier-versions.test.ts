// What a version left on a computer is read by every later one, or refused by name. test/fixtures/state-VERSION is a settings folder
// and a state folder as that version left them; what is binary is packed. When a format changes, the folder of the last version that
// wrote the old one stays, and one of the new version joins it.
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { journalFormat } from '../../src/bulk/journal/journal-file.ts'
import { schemaVersion } from '../../src/sandbox/storage/database.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const fixtures = join(root, 'test/fixtures')
const versions = globSync('state-*', { cwd: fixtures }).toSorted()

/** What is written by another version is refused in such words, with one of these exit codes. */
const refusal = { codes: [4, 9], words: /another version|later version|newer/ }

test('the formats that this version writes are among those that are kept', () => {
  const kept = (pattern: string) =>
    globSync(`state-*/state/${pattern}.gz`, { cwd: fixtures }).map((path) =>
      userVersion(gunzipSync(readFileSync(join(fixtures, path)))),
    )

  expect(kept('jobs/*.sqlite')).toContain(journalFormat)
  expect(kept('sandbox.db')).toContain(schemaVersion)
})

describe.each(versions)('%s', (version) => {
  test.each([
    [
      'the profiles',
      ['profiles', 'list', '--csv', '--columns', 'name,origin,secrets_in'],
      'staging,https://api.voucherify.io,file',
    ],
    ['the jobs', ['jobs', 'list', '--csv', '--columns', 'command,state,total,wrong'], 'vouchers disable,finished,3,1'],
    [
      'the report of a job',
      ['jobs', 'report', '2', '--csv', '--columns', 'code,promo_state'],
      'MORNING,ok\nWEEKEND,ok\nNO-SUCH-CODE,failed',
    ],
    ['the history', ['history', '--csv', '--columns', 'command,outcome'], 'vouchers disable,done'],
    [
      'the data of the embedded service',
      ['vouchers', 'get', 'MORNING', '--profile', 'sandbox', '--csv', '--columns', 'code,active'],
      'MORNING,false',
    ],
  ])('%s are read, or refused by name', async (_, argv, expected) => {
    const { exitCode, stdout, stderr } = await promoIn(unpacked(version))(argv)

    if (exitCode === 0) expect(stdout).toContain(`${expected}\n`)
    else {
      expect(stderr).toMatch(refusal.words)
      expect(refusal.codes).toContain(exitCode)
    }
  })
})

/** Copies what a version left, for its owner alone. */
function unpacked(version: string): string {
  const folder = temporaryFolder()
  for (const path of globSync('*/**/*.*', { cwd: join(fixtures, version) })) {
    const bytes = readFileSync(join(fixtures, version, path))
    const target = join(folder, path.replace(/\.gz$/, ''))
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    writeFileSync(target, path.endsWith('.gz') ? gunzipSync(bytes) : bytes, { mode: 0o600 })
    chmodSync(target, 0o600)
  }
  return folder
}

/** Source: https://sqlite.org/fileformat.html */
function userVersion(database: Buffer): number {
  return database.readUInt32BE(60)
}
