// Whether a voucher that is there is the one a row asked for: what a taken code proves after an answer was lost.
import type { Client } from '../api/client.ts'
import type { Verdict } from '../bulk/run.ts'
import { getVoucher } from '../contract/vouchers.ts'

/**
 * Looks at a voucher whose creation was refused as taken after an answer had been lost.
 *
 * `ok_inferred` when it stands as the row wanted it; `unknown` when it does not, because then somebody else may have made
 * it, or changed it since. Throws what reading it throws. Source: reliability.md §0.1.
 */
export async function inferredCreation(client: Client, code: string, sent: object): Promise<Verdict> {
  const there = await client.call(getVoucher, { path: { code } })
  const different = differences(sent, there)
  if (different.length === 0) return { state: 'ok_inferred', value: there }
  const message = `an answer was lost, and the code is taken by a voucher that differs in ${different.join(', ')}`
  const facts = { hint: `promo vouchers get ${code}` }
  return { state: 'unknown', error: { kind: 'unknown_outcome', message, facts } }
}

/** What the service computes from what is sent, or shows only elsewhere. */
const notShown = ['balance', 'validation_rules']

/**
 * Gives the wire paths of what was sent and stands differently in a voucher.
 *
 * What was not sent, was sent as null, or has no place in the voucher at all is no difference; dates are compared as instants.
 */
export function differences(sent: object, voucher: object, path = ''): string[] {
  return Object.entries(sent).flatMap(([name, wanted]) => {
    const found: unknown = (voucher as Record<string, unknown>)[name]
    if (wanted === null || wanted === undefined || found === undefined || notShown.includes(name)) return []
    const here = `${path}${name}`
    if (isObject(wanted) && isObject(found)) return differences(wanted, found, `${here}.`)
    return isSame(wanted, found) ? [] : [here]
  })
}

function isSame(wanted: unknown, found: unknown): boolean {
  // JSON writes a number that JavaScript would change as it was sent.
  if (JSON.stringify(wanted) === JSON.stringify(found)) return true
  return isDate(wanted) && isDate(found) && Date.parse(wanted) === Date.parse(found)
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T|$)/.test(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
