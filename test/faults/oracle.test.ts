import { describe, expect, test } from 'vitest'
import type { Entry } from './ledger.ts'
import { type Evidence, judge, judgeUndo, type RowClass, type ViolationKind, violationLines } from './oracle.ts'
import type { Effect } from './witnessed-service.ts'

/** A handwritten ledger: the key, then its effects. */
function ledgerOf(...lines: [key: string, ...effects: Effect[]][]): Entry[] {
  return lines.flatMap(([key, ...effects]) => effects.map((effect) => ({ key, effect, request: 1 })))
}

function evidence(rowClass: RowClass, rest: Partial<Evidence>): Evidence {
  return { rowClass, keys: ['a'], recorded: [{ key: 'a', state: 'ok' }], ledger: [], doubtful: 9, ...rest }
}

describe('a true record', () => {
  test('of creates is accepted: confirmed, inferred, in conflict, refused, and exhausted', () => {
    const judgement = judge({
      rowClass: 'create',
      keys: ['a', 'b', 'c', 'd', 'e'],
      recorded: [
        { key: 'a', state: 'ok' },
        { key: 'b', state: 'ok_inferred' },
        { key: 'c', state: 'conflict' },
        { key: 'd', state: 'failed' },
        { key: 'e', state: 'exhausted' },
      ],
      ledger: ledgerOf(['a', 'created'], ['b', 'created']),
      doubtful: 1,
    })

    expect(judgement).toEqual({
      violations: {},
      states: { ok: 1, ok_inferred: 1, conflict: 1, failed: 1, exhausted: 1 },
      repeats: 0,
      unknownApplied: 0,
    })
  })

  test('of disables is accepted: changed, already disabled, and repeated after a lost answer', () => {
    const judgement = judge({
      rowClass: 'disable',
      keys: ['a', 'b', 'c', 'd'],
      recorded: [
        { key: 'a', state: 'ok', changed: true },
        { key: 'b', state: 'ok', changed: false },
        { key: 'c', state: 'ok', changed: true },
        { key: 'd', state: 'ok' },
      ],
      ledger: ledgerOf(['a', 'disabled'], ['b', 'off already'], ['c', 'disabled', 'off already'], ['d', 'disabled']),
      doubtful: 1,
    })

    expect(judgement).toEqual({ violations: {}, states: { ok: 4 }, repeats: 1, unknownApplied: 0 })
  })

  test('of events is accepted: confirmed, and unknown whether applied or not', () => {
    const judgement = judge({
      rowClass: 'events',
      keys: ['a', 'b', 'c'],
      recorded: [
        { key: 'a', state: 'ok' },
        { key: 'b', state: 'unknown' },
        { key: 'c', state: 'unknown' },
      ],
      ledger: ledgerOf(['a', 'recorded'], ['b', 'recorded']),
      doubtful: 2,
    })

    expect(judgement).toEqual({ violations: {}, states: { ok: 1, unknown: 2 }, repeats: 0, unknownApplied: 1 })
  })

  test('of creates is accepted when a code taken by another client is in conflict, or unknown', () => {
    const judgement = judge({
      rowClass: 'create',
      keys: ['a', 'b'],
      recorded: [
        { key: 'a', state: 'conflict' },
        { key: 'b', state: 'unknown' },
      ],
      ledger: [],
      taken: ['a', 'b'],
      doubtful: 1,
    })

    expect(judgement).toEqual({ violations: {}, states: { conflict: 1, unknown: 1 }, repeats: 0, unknownApplied: 0 })
  })

  test('of no rows is accepted', () => {
    const judgement = judge(evidence('create', { keys: [], recorded: [] }))

    expect(judgement).toEqual({ violations: {}, states: {}, repeats: 0, unknownApplied: 0 })
  })
})

describe('a false record is detected', () => {
  const created = ledgerOf(['a', 'created'])
  test.each<[ViolationKind, Evidence]>([
    ['no outcome', evidence('create', { recorded: [] })],
    ['no outcome', evidence('create', { recorded: [{ key: 'a', state: 'pending' }] })],
    [
      'two outcomes',
      evidence('create', {
        recorded: [
          { key: 'a', state: 'ok' },
          { key: 'a', state: 'ok' },
        ],
        ledger: created,
      }),
    ],
    ['not in the input', evidence('create', { ledger: ledgerOf(['a', 'created'], ['b', 'created']) })],
    [
      'not in the input',
      evidence('create', {
        recorded: [
          { key: 'a', state: 'ok' },
          { key: 'b', state: 'failed' },
        ],
        ledger: created,
      }),
    ],
    ['recorded as ok, but not applied', evidence('create', {})],
    ['recorded as ok, but not applied', evidence('create', { recorded: [{ key: 'a', state: 'ok_inferred' }] })],
    ['recorded as ok, but not applied', evidence('disable', {})],
    ['recorded as ok, but not applied', evidence('events', {})],
    [
      'recorded as not applied, but applied',
      evidence('create', { recorded: [{ key: 'a', state: 'failed' }], ledger: created }),
    ],
    [
      'recorded as not applied, but applied',
      evidence('create', { recorded: [{ key: 'a', state: 'conflict' }], ledger: created }),
    ],
    [
      'recorded as not applied, but applied',
      evidence('events', { recorded: [{ key: 'a', state: 'exhausted' }], ledger: ledgerOf(['a', 'recorded']) }),
    ],
    ['applied twice', evidence('events', { ledger: ledgerOf(['a', 'recorded', 'recorded']) })],
    ['applied twice', evidence('create', { ledger: ledgerOf(['a', 'created', 'created']) })],
    ['unknown, though it could be known', evidence('create', { recorded: [{ key: 'a', state: 'unknown' }] })],
    ['unknown, though it could be known', evidence('disable', { recorded: [{ key: 'a', state: 'unknown' }] })],
    [
      'recorded as changed, but unchanged',
      evidence('disable', {
        recorded: [{ key: 'a', state: 'ok', changed: true }],
        ledger: ledgerOf(['a', 'off already']),
      }),
    ],
    [
      'recorded as unchanged, but changed',
      evidence('disable', {
        recorded: [{ key: 'a', state: 'ok', changed: false }],
        ledger: ledgerOf(['a', 'disabled', 'off already']),
      }),
    ],
    [
      'more unknown than doubtful requests',
      evidence('events', { recorded: [{ key: 'a', state: 'unknown' }], doubtful: 0 }),
    ],
    [
      'more repeats than doubtful requests',
      evidence('disable', { ledger: ledgerOf(['a', 'disabled', 'off already', 'off already']), doubtful: 1 }),
    ],
  ])('%s', (kind, given) => {
    const { violations } = judge(given)

    expect(Object.keys(violations)).toEqual([kind])
  })
})

describe('an undo', () => {
  // Of the rows a, b and c, which were on, b is still off.
  const ledger = ledgerOf(['a', 'disabled', 'enabled'], ['b', 'disabled'], ['c', 'disabled', 'enabled'])

  test.each([
    ['that announced the row', 1, ['b'], []],
    ['that announced another row', 1, ['c'], ['b']],
    ['that announced too few rows', 0, ['b'], ['b']],
  ])('%s is judged by the keys of the rows that stay off', (_, leftAlone, unsure, silentlyOff) => {
    const judgement = judgeUndo({ keys: ['a', 'b', 'c'], wasOff: [], ledger, leftAlone, unsure })

    expect(judgement).toEqual({ wronglyOn: [], restored: 2, silentlyOff })
  })
})

test('the line of a violation counts its rows and names the first five', () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f']

  const said = violationLines(judge(evidence('create', { keys, recorded: [], ledger: [] })))

  expect(said).toEqual(['no outcome: 6 (a, b, c, d, e)'])
})
