// The holders to add to a referral code: from --holder, or from the rows of a file.
import type { Row } from '../../../bulk/input/row.ts'
import { newHolders } from '../../../contract/referrals.ts'
import { usageError } from '../../../errors.ts'
import { assign, assignmentsIn } from '../../request/assignments.ts'
import { fieldReader, type Reader, type ValueFlags } from '../../request/body.ts'
import { customerOf, isFieldToo, rowBodies } from '../../request/row-body.ts'
import type { WrittenForms } from '../../request/written-values.ts'

/** How holders are named: all by `source_id`, all by `id`, or each in its own way. */
type HolderKey = 'source_id' | 'id' | 'customer'

export interface HolderFlags extends ValueFlags, WrittenForms {
  holder?: string[] | undefined
  metadata?: string[] | undefined
  column?: string | undefined
}

export interface NewHolders {
  /** The holders named by --holder; undefined when they come from a file. */
  keys: string[] | undefined
  keyName: HolderKey
  /** The column that names a customer in rows of a file that have no `keyName`. */
  fallbackKeyName?: 'id'
  /** Builds the body of one request. Throws `usage` for a cell that the contract does not allow there. */
  bodyOf: (rows: readonly Row[]) => { holders: Record<string, never>[]; metadata?: Record<string, unknown> }
}

/**
 * Reads the flags about holders.
 *
 * Every --holder is one customer, `source_id=a,name=Ann`. In a file, each column is a wire path of the customer, and the
 * key column contains `source_id`, or with `--column id` the `id`; a row without a `source_id` may have an `id` instead.
 * Throws `usage`.
 */
export async function newHoldersFrom(flags: HolderFlags, run: Reader): Promise<NewHolders> {
  const schema = newHolders.shape.holders.element
  const reader = await fieldReader(schema, flags, run)
  const metadata =
    flags.metadata && assign(flags.metadata, '--metadata', await fieldReader(newHolders, flags, run), ['metadata'])
  const named = flags.holder?.map((text) => assign(assignmentsIn(text), '--holder', reader))
  const keyName = named ? commonKey(named) : flags.column === 'id' ? 'id' : 'source_id'
  const byKey = new Map(named?.map((holder) => [String(holder[keyName] ?? holder.source_id ?? holder.id), holder]))
  if (named && byKey.size < named.length) throw usageError('a holder is named twice; name each once')
  const ofFile = await fieldReader(schema, flags, run, flags)
  const fromFile = rowBodies({}, ofFile, isFieldToo(flags.column, schema) ? '' : (flags.column ?? ''))
  const holderOf = (row: Row) => {
    const { source_id, ...rest }: Record<string, unknown> = fromFile(row)
    const who = customerOf(row)
    if ('id' in who) return { ...rest, ...who }
    return byKey.get(row.key) ?? { ...fromFile(row), ...(flags.column !== undefined && { [keyName]: row.key }) }
  }
  return {
    keys: named && [...byKey.keys()],
    keyName,
    ...(named === undefined && flags.column === undefined && { fallbackKeyName: 'id' as const }),
    bodyOf: (rows) => ({
      // The contract checks the finished body, so the type asserted here is proved there.
      holders: rows.map(holderOf) as Record<string, never>[],
      ...(metadata && { metadata }),
    }),
  }
}

function commonKey(holders: readonly Record<string, unknown>[]): HolderKey {
  if (holders.some(({ source_id, id }) => source_id === undefined && id === undefined)) {
    throw usageError('every holder needs a source_id or an id', '--holder source_id=shop-1001')
  }
  for (const name of ['source_id', 'id'] as const)
    if (holders.every((holder) => holder[name] !== undefined)) return name
  return 'customer'
}
