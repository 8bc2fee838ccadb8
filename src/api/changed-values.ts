// What the history keeps of a body and an answer: the reason, and the values that a call changed. Nothing else of them, and no secret.
import { isRecord } from '../base/record.ts'
import { shownBody } from '../contract/secret-names.ts'

/** Balances and switches by name, and members of configuration by their paths. */
export type ChangedValues = Record<string, unknown>

/** What a call changed. */
export interface Changed {
  before?: ChangedValues
  after?: ChangedValues
}

/** As much of a change as a line of the history may have. */
const mostBytes = 65_536

/** Returns what a call changed without secrets; nothing where it is too much for the history. */
export function withoutSecrets(changed: Changed, scrub: (text: string) => string): Changed {
  const text = JSON.stringify(shownBody(changed, true))
  if (Buffer.byteLength(text) > mostBytes) return {}
  try {
    return JSON.parse(scrub(text)) as Changed
  } catch {
    // A secret of digits was a number.
    return {}
  }
}

/** Returns the reason that a body gives, of the first entry where it is a list. */
export function reasonIn(body: unknown): string | undefined {
  const [one] = [body].flat()
  const reason = isRecord(one) ? one.reason : undefined
  return typeof reason === 'string' ? reason : undefined
}

/** Returns the codes and ids that a cart redeems, which are the subject of a redemption that is not made. */
export function redeemablesIn(body: unknown): string | undefined {
  const { redeemables } = isRecord(body) ? body : {}
  const ids = [redeemables].flat().flatMap((one) => (isRecord(one) && typeof one.id === 'string' ? [one.id] : []))
  return ids.length === 0 ? undefined : ids.join(' ')
}

/**
 * Returns the values after a call and, where they follow from it, before: the balance of a card, and the switch of a voucher.
 *
 * Amounts are in the smallest currency unit, points are whole.
 */
export function valuesIn(path: string, body: unknown, answer: unknown): Changed {
  if (!isRecord(answer)) return {}
  const { object, balance, points, amount, active, loyalty_card } = answer
  if (object === 'balance' && typeof balance === 'number') return balances(balance, points ?? amount)
  if (path.endsWith('/transfers') && isRecord(loyalty_card) && typeof loyalty_card.balance === 'number') {
    const moved = [body]
      .flat()
      .map((one) => (isRecord(one) && typeof one.points === 'number' ? one.points : Number.NaN))
    return balances(
      loyalty_card.balance,
      moved.reduce((sum, one) => sum + one, 0),
    )
  }
  return /\/(?:en|dis)able$/.test(path) && typeof active === 'boolean' ? { after: { active } } : {}
}

function balances(after: number, by: unknown) {
  const isKnown = typeof by === 'number' && Number.isFinite(by)
  return { ...(isKnown && { before: { balance: after - by } }), after: { balance: after } }
}
