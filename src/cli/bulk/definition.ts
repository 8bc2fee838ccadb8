// What a command over many items is made of: its words, its flags, and how a row becomes a call.
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ErrorLimit } from '../flags/values.ts'
import type { ConfirmFlags } from '../prompt/confirm.ts'
import type { OutputFlags } from '../result/output.ts'
import type { ConnectFlags } from '../session/connect.ts'
import type { Batch } from './call-batch.ts'
import type { RowCall } from './call-row.ts'

/** What a command over many items calls things. */
export interface ManyWords {
  /** `voucher`, also the member that holds the service's object in an outcome unless `member` names another. */
  noun: string
  /** `disable` */
  verb: string
  /** `disabled` */
  done: string
  /** What an item was before, when nothing had to change: `off already`. */
  unchanged: string
  /** The column, or JSON member, that names the item: `code`. */
  key: string
  /** The member that holds the service's object in an outcome, where the noun is taken. */
  member?: string
}

/** A command over many items: its words, and how a row becomes a call. */
export interface Many<E extends Endpoint> extends RowCall<E> {
  words: ManyWords
  /** What to do with a key that came before (bulk/spool.ts); `fold` unless given. */
  onDuplicate?: 'fold' | 'fold-identical' | 'keep'
  /** Whether even a single item is confirmed first, because nothing brings it back. */
  asksForOne?: boolean
  /** How rows share requests; absent: each has its own. */
  batch?: Batch<E>
}

/** The flags that every command over many items takes, as parsed. */
export type ManyFlags = ConnectFlags &
  OutputFlags &
  ConfirmFlags & {
    from?: string | undefined
    column?: string | undefined
    'input-format'?: 'csv' | 'jsonl' | 'lines' | undefined
    delimiter?: string | undefined
    'skip-bad-rows'?: boolean
    shard?: string | undefined
    concurrency?: number | undefined
    rate?: string | undefined
    'max-errors'?: ErrorLimit | undefined
    'max-outage'?: number | undefined
    journal?: string | undefined
    restart?: boolean
    'dry-run'?: boolean
    'no-input'?: boolean
    quiet?: boolean
  }

/** `1 voucher`, `1,000 vouchers`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
