import { copyFileSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Row } from '../../../../src/bulk/input/row.ts'
import { spool } from '../../../../src/bulk/input/spool.ts'
import { headerIn } from '../../../../src/bulk/journal/job.ts'
import { type Journal, type JournalOptions, openJournal, rowsToTake } from '../../../../src/bulk/journal/journal.ts'
import { openJournalFile } from '../../../../src/bulk/journal/journal-file.ts'
import { outcomesIn } from '../../../../src/bulk/journal/outcome-store.ts'
import { runRows } from '../../../../src/bulk/run.ts'
import { PromoError } from '../../../../src/errors.ts'
import { closeWhole, fillDisk } from '../../../support/journals.ts'
import { sized } from '../../../support/size.ts'

const start = Date.parse('2026-01-02T00:00:00.000Z')
let dir: string
let path: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'promo-journal-'))
  path = join(dir, 'job.sqlite')
})

/** Creates the file of a job with a row per letter, which is its key; a letter that occurred before is a duplicate. */
async function job(keys: string): Promise<DatabaseSync> {
  const rows = Array.from(keys, (key, at): Row => ({ line: at + 2, key, fields: { code: key } }))
  const kept = await spool(rows, { name: 'test', dir, onDuplicate: 'fold' })
  await kept.publish(path, { id: 'job', rows: { total: keys.length } })
  return openJournalFile(path)
}

const repeatable: JournalOptions = {
  onOpen: { again: true },
  ahead: false,
  grouped: false,
  again: ['exhausted', 'unknown'],
  fresh: true,
  isInPlace: () => true,
  now: () => start,
}
const once: JournalOptions = {
  ...repeatable,
  onOpen: { again: false, error: { kind: 'unknown_outcome', message: 'ended' } },
  again: ['exhausted'],
}

const taken = (journal: Journal) => [...journal.rows()]

const keysOf = (rows: Iterable<Row>) => Array.from(rows, ({ key }) => key).join('')

/** What a later process finds: the file as it is, without anything the first one still had in mind. */
function afterCrash(options: JournalOptions, database: DatabaseSync): { journal: Journal; database: DatabaseSync } {
  const copy = join(dir, `crashed-${Math.random()}.sqlite`)
  for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`)
  expect(database.isOpen).toBe(true)
  const reopened = openJournalFile(copy)
  return { journal: openJournal(reopened, options), database: reopened }
}

/** Resolves when something was committed, before the disk can have it. */
function nextCommit(database: DatabaseSync): Promise<void> {
  const real = database.exec.bind(database)
  return new Promise((resolve) => {
    database.exec = (sql) => {
      real(sql)
      if (sql === 'COMMIT') resolve()
    }
  })
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

describe('intents', () => {
  test.each(['', 'a', 'abc'])('the rows of "%s" come in their order, none of them begun', async (keys) => {
    const journal = openJournal(await job(keys), repeatable)

    const rows = taken(journal)

    expect(keysOf(rows)).toBe(keys)
    expect(rows.every(({ past }) => past?.state === 'pending' && !past.lost)).toBe(true)
    expect(journal.before.counts).toMatchObject({ pending: keys.length })
  })

  test('a row that was begun and has no outcome comes first after a crash, and may have been applied', async () => {
    const database = await job('abcd')
    const journal = openJournal(database, repeatable)
    const [a, b] = taken(journal)

    await journal.begin([a as Row])
    await journal.begin([b as Row])
    journal.record(b as Row, { state: 'ok', lost: false, attempts: 1 })
    await journal.flushed()

    const later = taken(afterCrash(repeatable, database).journal)
    expect(later.map(({ key, past }) => [key, past?.lost])).toEqual([
      ['a', true],
      ['c', false],
      ['d', false],
    ])
    expect(later[0]?.past?.begunAtMs).toBe(start)
  })

  test('an intent is in the file before begin resolves', async () => {
    const database = await job('ab')
    const journal = openJournal(database, repeatable)
    const [a] = taken(journal)

    const durable = journal.begin([a as Row])
    const before = outcomesIn(database).begun()
    await durable

    expect([before, outcomesIn(database).begun()]).toEqual([0, 1])
  })

  test('rows that must not be sent twice are unknown after a crash, and are not taken again', async () => {
    const database = await job('abc')
    const journal = openJournal(database, once)
    const [a] = taken(journal)
    await journal.begin([a as Row])

    const later = afterCrash(once, database)

    expect(later.journal.before.counts).toMatchObject({ unknown: 1, pending: 2 })
    expect(keysOf(taken(later.journal))).toBe('bc')
  })

  test('an intent that is removed leaves the row as it was', async () => {
    const database = await job('abc')
    const journal = openJournal(database, once)
    const [a] = taken(journal)
    await journal.begin([a as Row])
    journal.record(a as Row, { state: 'pending', lost: false, attempts: 0 })
    journal.end('signal')

    const later = openJournal(database, once)

    expect(later.before.counts).toMatchObject({ pending: 3, unknown: 0 })
    const rows = taken(later)
    expect(rows.map(({ key, past }) => [key, past?.lost])).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
    ])
  })

  test('intents recorded ahead are removed at an orderly end, and remain after a crash', async () => {
    const database = await job('abc')
    const journal = openJournal(database, { ...repeatable, ahead: true })
    const [a] = taken(journal)
    await journal.begin([a as Row])
    journal.record(a as Row, { state: 'ok', lost: false, attempts: 1 })
    await journal.flushed()

    const later = taken(afterCrash(repeatable, database).journal)
    journal.end('signal')

    expect(later.map(({ key, past }) => [key, past?.lost])).toEqual([
      ['b', true],
      ['c', true],
    ])
    expect(outcomesIn(database).begun()).toBe(1)
    expect(keysOf(rowsToTake(database, repeatable))).toBe('bc')
  })

  test('only the first of many rows waits, when intents are written down ahead', async () => {
    const database = await job('abcdefgh')
    const journal = openJournal(database, { ...repeatable, ahead: true })
    const [a, ...others] = taken(journal)

    await journal.begin([a as Row])

    expect(others.map((row) => journal.begin([row]))).toEqual(others.map(() => undefined))
    expect(outcomesIn(database).begun()).toBeGreaterThanOrEqual(8)
  })

  test('rows that shared a request share it again after a crash, with no other row', async () => {
    const database = await job('abcde')
    const grouped = { ...repeatable, grouped: true }
    const journal = openJournal(database, grouped)
    const [a, b, c, d] = taken(journal)
    await journal.begin([a as Row, b as Row])
    await journal.begin([c as Row, d as Row])
    for (const row of [a, b]) journal.record(row as Row, { state: 'ok', lost: false, attempts: 1 })
    await journal.flushed()

    const later = taken(afterCrash(grouped, database).journal)

    expect(later.map(({ key, past }) => [key, past?.group])).toEqual([
      ['c', 3],
      ['d', 3],
      ['e', undefined],
    ])
  })
})

describe('outcomes', () => {
  test('they are kept with everything but the answer, and add up over runs', async () => {
    const database = await job('abcab')
    const journal = openJournal(database, repeatable)
    const rows = taken(journal)
    await journal.begin(rows)
    const [a, b, c] = rows
    journal.record(a as Row, { state: 'ok', lost: false, changed: true, attempts: 1, requestId: 'r1' })
    const error = { kind: 'network' }
    journal.record(b as Row, { state: 'exhausted', lost: false, attempts: 10, error, results: { id: 'made' } })
    journal.record(c as Row, { state: 'failed', lost: false, attempts: 1 })
    journal.end('done')
    const again = openJournal(database, repeatable)
    const [left] = taken(again)
    await again.begin([left as Row])
    again.record(left as Row, { state: 'ok', lost: false, changed: false, attempts: 2 })
    again.end('done')

    const tally = outcomesIn(database).tally()

    expect(left).toMatchObject({ key: 'b', past: { state: 'exhausted', attempts: 10, results: { id: 'made' } } })
    expect(outcomesIn(database).report(1, 1)[0]?.outcome?.results).toEqual({ id: 'made' })
    expect(tally).toMatchObject({ changed: 1, unchanged: 1, inFlight: 0 })
    expect(tally.counts).toMatchObject({ ok: 2, failed: 1, duplicate: 2, exhausted: 0, pending: 0 })
    const reported = outcomesIn(database).report(0, 10)
    expect(reported.map(({ outcome }) => outcome?.attempts)).toEqual([1, 12, 1, undefined, undefined])
    expect(reported[0]?.outcome).toEqual({ state: 'ok', lost: false, changed: true, attempts: 1, requestId: 'r1' })
  })

  test('they are durable together, a moment later, and every waiting caller is notified', async () => {
    const database = await job('abc')
    const journal = openJournal(database, repeatable)
    const rows = taken(journal)
    await journal.begin(rows)
    expect(journal.flushed()).toBeUndefined()

    for (const row of rows) journal.record(row, { state: 'ok', lost: false, attempts: 1 })
    const before = outcomesIn(database).tally().counts.ok
    await journal.flushed()

    expect([before, outcomesIn(database).tally().counts.ok]).toEqual([0, 3])
  })

  test('a caller that asks while outcomes are on their way to the disk waits for those, and an end waits for all', async () => {
    const database = await job('ab')
    const journal = openJournal(database, repeatable)
    const [a, b] = taken(journal)
    await journal.begin([a as Row, b as Row])
    journal.record(a as Row, { state: 'ok', lost: false, attempts: 1 })
    const first = journal.flushed()
    await nextCommit(database)

    const onItsWay = journal.flushed()
    journal.record(b as Row, { state: 'ok', lost: false, attempts: 1 })
    const next = journal.flushed()
    journal.end('done')

    expect([onItsWay === first, next === first]).toEqual([true, false])
    await Promise.all([first, next])
    expect(outcomesIn(database).tally().counts.ok).toBe(2)
  })

  test('the end of a run records when and how', async () => {
    const database = await job('a')
    const journal = openJournal(database, repeatable)

    const during = outcomesIn(database).end()
    journal.end('signal')

    expect([during, outcomesIn(database).end()]).toEqual([null, { atMs: start, by: 'signal' }])
  })
})

describe('a disk that is full', () => {
  test('refuses the next intent, so nothing is sent without one, and the job resumes when there is space', async () => {
    const database = await job('abc')
    const journal = openJournal(database, { ...repeatable, grouped: true })
    const rows = taken(journal)
    const makeRoom = fillDisk(database)

    const long = { kind: 'network', message: 'x'.repeat(20_000) }
    journal.record(rows[0] as Row, { state: 'failed', lost: false, attempts: 1, error: long })
    const refused = await journal.begin([rows[1] as Row])?.catch((error: unknown) => error)
    const next = await journal.begin([rows[2] as Row])?.catch((error: unknown) => error)

    expect(refused).toMatchObject({ kind: 'io', exitCode: 10 })
    expect(next).toMatchObject({ kind: 'io', exitCode: 10 })
    expect(journal.flushed()).toBeUndefined()
    expect(() => journal.end('fatal')).toThrow(PromoError)
    makeRoom()
    expect(keysOf(taken(openJournal(database, repeatable)))).toBe('abc')
  })
})

test('a file that was removed while the job ran stops it before the next request', async () => {
  let clock = start
  let isInPlace = true
  const options = { ...repeatable, now: () => clock, isInPlace: () => isInPlace }
  const journal = openJournal(await job('ab'), options)
  const [a, b] = taken(journal)

  await journal.begin([a as Row])
  isInPlace = false
  clock += 2000
  const refused = await journal.begin([b as Row])?.catch((error: unknown) => error)

  expect(refused).toMatchObject({ kind: 'journal', exitCode: 9 })
})

test('the progress of rows that are tried again counts rows of the whole job', async () => {
  const database = await job('abcd')
  const first = openJournal(database, repeatable)
  for (const row of taken(first)) {
    await first.begin([row])
    const state = row.key === 'a' ? 'ok' : row.key === 'b' ? 'failed' : 'exhausted'
    first.record(row, { state, lost: false, attempts: 1 })
  }
  first.end('done')
  const journal = openJournal(database, { ...repeatable, again: ['exhausted'], fresh: false })
  const seen: object[] = []

  const onProgress = (progress: object) => void seen.push(progress)
  const rows = { total: 4, everyRow: () => journal.rows(), journal }
  for await (const _ of runRows(rows, async () => ({ state: 'ok' }), { concurrency: 1, onProgress }));

  expect(seen).toEqual([
    { done: 3, total: 4, wrong: 2 },
    { done: 4, total: 4, wrong: 1 },
  ])
})

describe('a damaged file', () => {
  test('any byte of it may be changed: it is refused, or reads the same', async () => {
    const database = await job('abcdefgha')
    const journal = openJournal(database, repeatable)
    const rows = taken(journal)
    await journal.begin(rows)
    for (const row of rows.slice(0, 5)) journal.record(row, { state: 'ok', lost: false, attempts: 1, requestId: 'req' })
    journal.end('signal')
    closeWhole(database)
    const sound = readFileSync(path)
    const truth = claims(path)

    const wrong: number[] = []
    let refusals = 0
    // Every byte of a small file would take a minute; a step that is no power of two meets every kind of byte.
    const step = sized({ quick: 41, slow: 13 })
    for (let at = 0; at < sound.length; at += step) {
      const flipped = Buffer.from(sound)
      flipped.writeUInt8((flipped.readUInt8(at) ^ 0x55) & 0xff, at)
      writeFileSync(path, flipped)
      const claimed = claims(path)
      if (claimed === 'refused') refusals += 1
      else if (!isNoMoreThan(claimed, truth)) wrong.push(at)
    }

    expect(statSync(path).size).toBeGreaterThan(20_000)
    expect(refusals).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  })
})

test.each([true, false])(
  'a journal that another process removes while it is opened (read only: %s) is said to be removed, and not made again',
  (readOnly) => {
    const gone = `${path} 100%? #1`
    expect(() => openJournalFile(gone, { readOnly })).toThrow(
      expect.objectContaining({
        exitCode: 9,
        message: `another process removed the journal "${gone}"; nothing was sent`,
      }),
    )
    expect(existsSync(gone)).toBe(false)
  },
)

type Claims = Record<string, string>

/** What a file records for each line, or that it was refused. */
function claims(file: string): Claims | 'refused' {
  try {
    const database = openJournalFile(file, { readOnly: true })
    try {
      headerIn(database)
      const said = outcomesIn(database).report(0, 100)
      outcomesIn(database).tally()
      return Object.fromEntries(said.map(({ row, outcome }) => [`${row.line} ${row.key}`, outcome?.state ?? '']))
    } finally {
      database.close()
    }
  } catch (error) {
    if (error instanceof PromoError && (error.exitCode === 9 || error.exitCode === 10)) return 'refused'
    throw error
  }
}

/** A missing claim only makes a row be examined again; one that was never made would be false. */
function isNoMoreThan(claimed: Claims | 'refused', truth: Claims | 'refused'): boolean {
  if (claimed === 'refused' || truth === 'refused') return claimed === truth
  return Object.entries(claimed).every(([line, state]) => state === '' || truth[line] === state)
}

test('a turn of the loop gathers the intents of all rows that were taken in it', async () => {
  const database = await job('abcdefgh')
  const journal = openJournal(database, repeatable)
  const rows = taken(journal)
  let commits = 0
  const real = database.exec.bind(database)
  database.exec = (sql) => {
    if (sql === 'COMMIT') commits += 1
    real(sql)
  }

  const durable = rows.map(async (row) => await journal.begin([row]))
  await Promise.all(durable)
  await turn()

  expect(commits).toBe(1)
})

test('a commit waits for the disk itself, also where a sync alone leaves it to the disk when to write', async () => {
  const database = await job('A')

  const settings = ['synchronous', 'fullfsync', 'checkpoint_fullfsync'].map((name) =>
    database.prepare(`PRAGMA ${name}`).get(),
  )

  expect(settings).toEqual([{ synchronous: 2 }, { fullfsync: 1 }, { checkpoint_fullfsync: 1 }])
  closeWhole(database)
})
