// Which point transactions are shown: a predicate built from the flags, applied to each as it arrives.
import { loyaltyTransactionTypes } from '../../../contract/loyalty.ts'
import { usageError } from '../../../errors.ts'
import { type Clock, timeRangeFrom } from '../../flags/time.ts'

export interface TransactionFilterFlags {
  since?: string | undefined
  until?: string | undefined
  type?: string[] | undefined
  by?: 'automatic' | 'manual' | undefined
  'min-points'?: number | undefined
}

/** What the filter reads of a transaction; every member may be missing or of another type. */
interface Sifted {
  type?: unknown
  created_at?: unknown
  details?: { balance?: { points?: unknown; operation_type?: unknown } | null } | null
}

/**
 * Returns the predicate of a listing, or undefined when no flag asks for one.
 *
 * `min-points` counts the size of a change, whatever its sign. A transaction that lacks what a flag asks about is not
 * shown. Throws `usage` for an invalid time, and for a `since` after its `until`.
 */
export function transactionFilter(
  flags: TransactionFilterFlags,
  clock: Clock,
): ((transaction: unknown) => boolean) | undefined {
  const { by, 'min-points': minPoints } = flags
  const fromMs = flags.since === undefined ? undefined : timeRangeFrom(flags.since, clock).fromMs
  const untilMs = flags.until === undefined ? undefined : timeRangeFrom(flags.until, clock).untilMs
  if (fromMs !== undefined && untilMs !== undefined && fromMs > untilMs) {
    throw usageError('--since is after --until, so no transaction can match')
  }
  const types = flags.type && new Set(flags.type.map((type) => type.toUpperCase()))
  const tests: ((transaction: Sifted) => boolean)[] = []
  if (fromMs !== undefined) tests.push(({ created_at }) => msOf(created_at) >= fromMs)
  if (untilMs !== undefined) tests.push(({ created_at }) => msOf(created_at) <= untilMs)
  if (types) tests.push(({ type }) => typeof type === 'string' && types.has(type.toUpperCase()))
  if (by) tests.push(({ details }) => details?.balance?.operation_type === by.toUpperCase())
  if (minPoints !== undefined) tests.push(({ details }) => Math.abs(Number(details?.balance?.points)) >= minPoints)
  if (tests.length === 0) return undefined
  return (transaction) => tests.every((test) => test(transaction as Sifted))
}

/** Returns the types that are not known: they are allowed, but may be a typing error. */
export function unknownTypes(types: readonly string[] = []): string[] {
  const known: readonly string[] = loyaltyTransactionTypes
  return types.filter((type) => !known.includes(type.toUpperCase()))
}

function msOf(instant: unknown): number {
  return typeof instant === 'string' ? Date.parse(instant) : Number.NaN
}
