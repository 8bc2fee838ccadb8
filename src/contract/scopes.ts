// The scopes a bearer token can have, and the scope each path needs.
// Source: docs/service/authentication.md#scopes; docs/service/authentication.md#scope-of-a-path.

/** Scopes of the client-side API. */
export const clientScopes = [
  'client_api',
  'client_consents',
  'client_customers',
  'client_events',
  'client_promotions',
  'client_publish',
  'client_qualifications',
  'client_redeem',
  'client_redemptions',
  'client_validate',
  'client_validations',
  'client_vouchers',
] as const

/** Scopes of the server-side API. */
export const serverScopes = [
  'api',
  'assets',
  'async-actions',
  'campaigns',
  'categories',
  'consents',
  'customers',
  'events',
  'exports',
  'locations',
  'loyalties',
  'metadata-schemas',
  'orders',
  'product-collections',
  'products',
  'promotions',
  'publications',
  'qualifications',
  'redemptions',
  'referrals',
  'rewards',
  'segments',
  'skus',
  'task-results',
  'templates',
  'trash-bin',
  'validation-rules-assignments',
  'validation-rules',
  'validations',
  'vouchers',
] as const

/** Every scope that can be requested for a token. */
export const scopes = [...clientScopes, ...serverScopes] as const

export type Scope = (typeof scopes)[number]

/**
 * Returns the scope that a path needs: the first word after `/v1/`, with the prefix `client_` for `/client/v1/`.
 *
 * Undefined where no token is accepted: the token endpoints, the management API, and paths without a scope. Accepts a
 * path with or without its values filled in. The SKUs of a product therefore need `products`, not `skus`.
 */
export function scopeOf(path: string): Scope | undefined {
  const [, client, word] = /^(\/client)?\/v1\/([^/?]+)/.exec(path) ?? []
  return client === undefined
    ? serverScopes.find((scope) => scope === word && scope !== 'api')
    : clientScopes.find((scope) => scope === `client_${word}` && scope !== 'client_api')
}

/** Says whether a token with these space-separated scopes may call a path; `api` and `client_api` cover their whole side. */
export function covers(granted: string, path: string): boolean {
  const needed = scopeOf(path)
  if (needed === undefined) return false
  const held = granted.split(' ')
  return held.includes(needed) || held.includes(needed.startsWith('client_') ? 'client_api' : 'api')
}
