import { describe, expect, test } from 'vitest'
import {
  type TransactionFilterFlags,
  transactionFilter,
} from '../../../../../src/cli/topics/loyalty/transaction-filter.ts'

const now = { nowMs: Date.parse('2026-03-01T00:00:00.000Z'), timeZone: 'UTC' }

function transaction(type: string, points: number, created_at: string, operation_type = 'AUTOMATIC') {
  return { type, created_at, details: { balance: { points, operation_type } } }
}

const transactions = {
  gain: transaction('POINTS_ADDITION', 100, '2026-02-01T10:00:00.000Z'),
  spent: transaction('POINTS_REDEMPTION', -100, '2026-02-10T23:59:59.999Z'),
  byHand: transaction('POINTS_REMOVAL', -5, '2026-02-27T10:00:00.000Z', 'MANUAL'),
  bare: { id: 'vtx_1' },
}

function kept(flags: TransactionFilterFlags): string[] {
  const keep = transactionFilter(flags, now)
  return Object.entries(transactions)
    .filter(([, one]) => keep?.(one))
    .map(([name]) => name)
}

describe('the filters of a listing of transactions', () => {
  test.each<[TransactionFilterFlags, string[]]>([
    [{ since: '2026-02-10' }, ['spent', 'byHand']],
    [{ until: '2026-02-10' }, ['gain', 'spent']],
    [{ since: '2026-02-02', until: '2026-02-10' }, ['spent']],
    [{ since: '3d' }, ['byHand']],
    [{ type: ['POINTS_ADDITION', 'points_removal'] }, ['gain', 'byHand']],
    [{ by: 'manual' }, ['byHand']],
    [{ 'min-points': 100 }, ['gain', 'spent']],
    [{ 'min-points': 100, type: ['POINTS_REDEMPTION'] }, ['spent']],
    [{ 'min-points': 0 }, ['gain', 'spent', 'byHand']],
  ])('%j keep %j', (flags, names) => {
    expect(kept(flags)).toEqual(names)
  })

  test('are no test at all when no flag is given', () => {
    expect(transactionFilter({}, now)).toBeUndefined()
  })

  test('refuse a beginning after the end', () => {
    expect(() => transactionFilter({ since: '1d', until: '2d' }, now)).toThrow('--since is after --until')
  })
})
