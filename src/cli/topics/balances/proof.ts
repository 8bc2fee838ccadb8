// What proves a change of a card's balance after its answer was lost: a transaction that was not there before.
import type { Client, RequestOf } from '../../../api/client.ts'
import type { listCardTransactions } from '../../../contract/loyalty.ts'
import type { listVoucherTransactions } from '../../../contract/voucher-transactions.ts'
import type { AppliedProof } from '../../request/proof.ts'

/** The calls that list the transactions of one card. */
type TransactionList = typeof listCardTransactions | typeof listVoucherTransactions

/** The change that is looked for. */
export interface SoughtChange {
  /** The points or the amount with its sign. */
  change: number
  /** The caller's own id of the change; without one, a change of someone else could not be told from it. */
  sourceId: unknown
}

/** Nothing was listed before; unlike undefined, which is a list that could not be read. */
const nothing = ''

/**
 * Returns how a change is recognized: exactly one transaction newer than the newest before, with its source id and size.
 *
 * Undefined without a source id: then nothing is read, and a lost answer leaves the outcome unknown.
 */
export function transactionProof<E extends TransactionList>(
  endpoint: E,
  request: RequestOf<E>,
  { change, sourceId }: SoughtChange,
): AppliedProof | undefined {
  if (typeof sourceId !== 'string' || sourceId === '') return undefined
  const newestFirst = { ...request, query: { order: '-id' } } as RequestOf<E>
  return {
    evidence: sourceId,
    async before(client) {
      for await (const { id } of transactions(client, endpoint, newestFirst, 1)) return id
      return nothing
    },
    async find(client, before) {
      const found: unknown[] = []
      for await (const { id, source_id, details } of transactions(client, endpoint, newestFirst)) {
        if (id === before) break
        const { points, amount } = details?.balance ?? {}
        if (source_id === sourceId && (points ?? amount) === change) found.push(id)
      }
      const [id] = found
      if (found.length !== 1) return undefined
      return typeof id === 'string' ? { results: { transaction_id: id } } : {}
    },
  }
}

interface Listed {
  id?: unknown
  source_id?: unknown
  details?: { balance?: { points?: unknown; amount?: unknown } | null } | null
}

function transactions<E extends TransactionList>(client: Client, endpoint: E, request: RequestOf<E>, limit?: number) {
  return client.items(
    endpoint,
    request,
    limit === undefined ? {} : { limit, pageSize: limit },
  ) as AsyncGenerator<Listed>
}
