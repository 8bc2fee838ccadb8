// What shops call the states of an order, and what each means for its redemptions. Source: docs/ledger.md#words-for-states.

/** What an order is, as far as redemptions are concerned. */
export const orderStates = ['paid', 'pending', 'cancelled', 'refunded', 'partly-refunded', 'failed'] as const

export type OrderState = (typeof orderStates)[number]

/** The words of shops and of the service for each. A word that may mean two of them is in none. */
export const wordsOfStates: Readonly<Record<OrderState, readonly string[]>> = {
  paid: ['paid', 'fulfilled', 'completed', 'complete', 'shipped', 'delivered', 'captured', 'settled'],
  pending: ['pending', 'pending payment', 'awaiting payment', 'created', 'unpaid', 'authorized', 'draft'],
  cancelled: ['cancelled', 'canceled', 'voided'],
  refunded: ['refunded', 'fully refunded'],
  'partly-refunded': ['partly refunded', 'partially refunded', 'partial refund'],
  failed: ['failed', 'payment failed', 'declined', 'payment error'],
}

/** Returns a word without what shops write differently: case, `_`, `-`, and the prefix of WooCommerce. */
export function foldWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/^wc-/, '')
    .replaceAll(/[\s_-]+/g, ' ')
}

const known = new Map(
  Object.entries(wordsOfStates).flatMap(([state, words]) => words.map((word) => [word, state as OrderState] as const)),
)

/** Makes the function that returns what a word means: by the user's own words first; undefined for one that nobody explained. */
export function readerOfStates(own: ReadonlyMap<string, OrderState>): (word: string) => OrderState | undefined {
  return (word) => own.get(foldWord(word)) ?? known.get(foldWord(word))
}
