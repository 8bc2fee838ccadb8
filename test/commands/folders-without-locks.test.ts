// A folder whose file system has no locks, wherever promo locks a file: named as such with a next step, and never taken for a
// file that another process has.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** What SQLite reports where fcntl fails like this; seen with strace -e inject=fcntl:error=… */
const refusals = {
  ENOLCK: { errcode: 5, message: 'database is locked' },
  EOPNOTSUPP: { errcode: 3850, message: 'disk I/O error' },
}

/** Every file in the folder is as on a file system without locks: all that reads or writes it fails. */
function withoutLocksIn(folder: string, refusal: object): void {
  for (const method of ['exec', 'prepare'] as const) {
    const real = DatabaseSync.prototype[method] as (this: DatabaseSync, sql: string) => unknown
    vi.spyOn(DatabaseSync.prototype, method).mockImplementation(function (this: DatabaseSync, sql: string) {
      const isHarmless = /^PRAGMA (?!journal_mode ?= ?WAL)[^;]*$|^PRAGMA journal_mode = MEMORY; PRAGMA/i.test(sql)
      if (this.location()?.startsWith(folder) && !isHarmless) throw Object.assign(new Error(), refusal)
      return real.call(this, sql) as never
    })
  }
}

const onSandbox = ['--profile', 'sandbox', '--yes']

/** Everything that locks a file, by the folder in which it does. */
const callers: Record<string, { line: string[]; stdin?: string; folder: string; setting: string }> = {
  'the lock of a job': {
    line: ['vouchers', 'disable', 'MORNING', 'WEEKEND', ...onSandbox],
    folder: 'state/jobs',
    setting: 'PROMO_STATE_DIR, or the folder of the journal,',
  },
  'the lock of a job in its own folder': {
    line: ['vouchers', 'disable', 'MORNING', 'WEEKEND', '--journal', 'OWN', ...onSandbox],
    folder: 'own',
    setting: 'PROMO_STATE_DIR, or the folder of the journal,',
  },
  'the rows of a pipe': {
    line: ['vouchers', 'disable', '--from', '-', '--input-format', 'lines', ...onSandbox],
    stdin: 'MORNING\nWEEKEND\n',
    folder: 'state/jobs',
    setting: 'PROMO_STATE_DIR, or the folder of the journal,',
  },
  'the settings': {
    line: ['profiles', 'add', 'live', '--app-id', 'a', '--region', 'eu', '--insecure-storage'],
    stdin: 'token',
    folder: 'config',
    setting: 'PROMO_CONFIG_DIR',
  },
  'the data of the embedded service': {
    line: ['vouchers', 'list', '--profile', 'sandbox'],
    folder: 'state',
    setting: 'PROMO_STATE_DIR, or the data file,',
  },
}

describe.each(Object.entries(refusals))('where the file system answers a lock with %s', (_, refusal) => {
  test.each(Object.entries(callers))('%s is said to be in a folder without locks', async (_, caller) => {
    const { line, stdin = '', folder, setting } = caller
    const home = temporaryFolder()
    withoutLocksIn(join(home, folder), refusal)

    const { exitCode, stderr, stdout } = await promoIn(home)(
      line.map((word) => word.replace('OWN', join(home, 'own'))),
      { stdin },
    )

    expect(stderr).toContain(
      `the file system of "${join(home, folder)}" has no locks, without which two processes could write`,
    )
    expect(stderr).toContain(`try: point ${setting} to a folder on another disk`)
    expect([exitCode, stdout]).toEqual([10, ''])
  })
})
