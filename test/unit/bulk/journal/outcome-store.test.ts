import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Row } from '../../../../src/bulk/input/row.ts'
import { errorsIn } from '../../../../src/bulk/journal/job-errors.ts'
import { openJournalFile } from '../../../../src/bulk/journal/journal-file.ts'
import { type KeptOutcome, type OutcomeStore, outcomesIn } from '../../../../src/bulk/journal/outcome-store.ts'
import { openRowStore } from '../../../../src/bulk/journal/row-store.ts'
import { effectiveRows, unsureRows } from '../../../../src/bulk/journal/undo-rows.ts'

let database: DatabaseSync
let store: OutcomeStore

const row = (line: number, more: Partial<Row> = {}): Row => ({
  line,
  key: `C-${line}`,
  fields: { code: `C-${line}` },
  ...more,
})

/** A journal of seven rows: the fourth is a duplicate of the first, the fifth is bad. */
beforeEach(async () => {
  const dir = mkdtempSync(join(tmpdir(), 'promo-outcomes-'))
  const rows = await openRowStore(dir)
  for (const one of [
    row(2),
    row(3),
    row(4),
    row(5, { duplicateOf: 2 }),
    row(6, { problem: 'line 6: bad' }),
    row(7),
    row(8),
  ]) {
    rows.add(one)
  }
  rows.seal()
  await rows.publish(join(dir, 'job.sqlite'), {})
  database = openJournalFile(join(dir, 'job.sqlite'))
  store = outcomesIn(database)
})
afterEach(() => database.close())

const ok = (more: Partial<KeptOutcome> = {}): KeptOutcome => ({ state: 'ok', lost: false, attempts: 1, ...more })
const refused = (key: string, message: string): KeptOutcome => ({
  state: 'failed',
  lost: false,
  attempts: 1,
  error: { kind: 'api', message, api: { key }, http: { status: 404 } },
})

describe('a job that was not begun', () => {
  test('has nothing to report but rows that wait', () => {
    expect(store.startedAtMs()).toBeNull()
    expect(store.report(0, 10).map(({ outcome }) => outcome)).toEqual(Array(7).fill(null))
    expect(store.countOf(['ok', 'failed'])).toBe(0)
    expect(store.tally().noted).toBe(0)
    expect(errorsIn(database, 10)).toEqual([])
    expect([...effectiveRows(database, 'changed')]).toEqual([])
    expect(unsureRows(database, 'changed')).toEqual({ rows: 0, untold: 0, first: [] })
  })
})

describe('a job that ran', () => {
  beforeEach(() => {
    store.start(1_000)
    store.setBegun(6)
    store.put(1, ok({ changed: true, results: { updated_at: 'T1' } }))
    store.put(2, refused('not_found', 'no C-3'))
    store.put(3, ok({ error: { kind: 'partial', message: 'not valid', api: { key: 'not_valid' } } }))
    store.put(6, refused('not_found', 'no C-7'))
  })

  test('counts rows by state, and those that ended well with a note', () => {
    expect(store.startedAtMs()).toBe(1_000)
    expect(store.countOf(['failed', 'conflict'])).toBe(2)
    expect(store.countOf(['exhausted'])).toBe(0)
    expect(store.tally().noted).toBe(1)
  })

  test('reports the rows in some states, and those that have no outcome of their own', () => {
    expect(store.report(0, 10, ['failed']).map(({ row: { line } }) => line)).toEqual([3, 5, 6, 7, 8])
    expect(store.report(2, 2, ['failed']).map(({ row: { line } }) => line)).toEqual([5, 6])
  })

  test('returns the reasons why rows went wrong, the most frequent first, each with its last row', () => {
    expect(errorsIn(database, 10)).toEqual([
      { key: 'not_found', status: 404, rows: 2, line: 7, message: 'no C-7' },
      { key: 'input', status: null, rows: 1, line: 6, message: 'line 6: bad' },
      { key: 'not_valid', status: null, rows: 1, line: 4, message: 'not valid' },
    ])
    expect(errorsIn(database, 1)).toHaveLength(1)
  })

  test('can undo what it certainly changed, and names the rows whose effect is unknown', () => {
    expect([...effectiveRows(database, 'changed')]).toEqual([{ row: row(2), results: { updated_at: 'T1' } }])
    expect(unsureRows(database, 'changed')).toEqual({ rows: 1, untold: 1, first: [{ line: 4, key: 'C-4' }] })
  })

  test('can undo all that was applied, where each row has an effect of its own', () => {
    expect([...effectiveRows(database, 'applied')].map(({ row: { line } }) => line)).toEqual([2, 4])
    expect(unsureRows(database, 'applied')).toEqual({ rows: 0, untold: 0, first: [] })
  })

  test('counts rows that were left out with the bad ones', () => {
    store.put(6, { state: 'skipped', lost: false, attempts: 0, error: { kind: 'changed', message: 'changed since' } })

    expect(store.tally().counts).toMatchObject({ ok: 2, failed: 1, skipped: 2, duplicate: 1, pending: 1 })
    expect(errorsIn(database, 10)).toContainEqual({
      key: 'changed',
      status: null,
      rows: 1,
      line: 7,
      message: 'changed since',
    })
  })

  test('is not sure of a row that may have been applied, whatever its outcome', () => {
    store.setBegun(7)
    store.put(1, { state: 'unknown', lost: true, attempts: 1 })
    store.put(3, ok({ changed: false }))

    expect(unsureRows(database, 'changed')).toEqual({
      rows: 2,
      untold: 0,
      first: [
        { line: 2, key: 'C-2' },
        { line: 8, key: 'C-8' },
      ],
    })
  })
})
