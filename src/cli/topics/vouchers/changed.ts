// Whether a call changed what it answered about.
import type { Client, Exchange } from '../../../api/client.ts'
import type { Row } from '../../../bulk/input/row.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { isInstant } from '../../../contract/fields.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import type { Write } from '../../../writes/act.ts'

/** Returns how it is known whether a voucher was switched; `certain` costs one more request a voucher. */
export function proofOfChange(client: Client, row: Row, certain = false): Pick<Write<Endpoint>, 'before' | 'changed'> {
  if (!certain) return { changed: changedByThisCall }
  return {
    before: async () => await stateBefore(client, row),
    changed: (exchange, before) => changedFrom(before, exchange, row),
  }
}

/**
 * Says whether a voucher was changed by the call that returned it, by its `updated_at`.
 *
 * Undefined when that leaves any doubt: no time, one that is neither of this call nor clearly older, one without a zone, a service
 * that does not tell its time. Source: docs/reliability.md#disable-and-delete.
 */
function changedByThisCall({ outcome, window, ...rest }: Exchange<unknown>): boolean | undefined {
  if (outcome !== 'confirmed') return undefined
  const { updated_at } = ('answer' in rest ? rest.answer : {}) as { updated_at?: unknown }
  // Another service may give no time although it changed the voucher.
  if (updated_at === null && window?.isOwn) return false
  const updatedMs = instantIn(updated_at)
  if (updatedMs === undefined || window === undefined) return undefined
  if (updatedMs < window.surelyBeforeMs) return false
  return updatedMs >= window.fromMs && updatedMs <= window.toMs ? true : undefined
}

/** A time without a zone could be of any. */
function instantIn(value: unknown): number | undefined {
  return typeof value === 'string' && value.includes('T') && isInstant(value) ? Date.parse(value) : undefined
}

/** Reads whether a voucher is on, before it is switched: the proof of what a call changes that needs no clock. */
async function stateBefore(client: Client, { key }: Row): Promise<boolean | undefined> {
  return (await client.call(getVoucher, { path: { code: key } })).active ?? undefined
}

/** Says whether a call changed a voucher that was on, or off, before; see `changedByThisCall`. */
function changedFrom(before: unknown, exchange: Exchange<unknown>, { past }: Row): boolean | undefined {
  const { active } = ('answer' in exchange ? exchange.answer : {}) as { active?: unknown }
  if (exchange.outcome !== 'confirmed' || typeof before !== 'boolean' || typeof active !== 'boolean') return undefined
  // An attempt of an earlier run may have changed it before it was read.
  return before !== active ? true : past?.lost ? undefined : false
}
