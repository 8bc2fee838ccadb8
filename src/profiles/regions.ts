// The addresses of the service: the shared clusters by region, and the addresses a dedicated cluster may have.
import { isLoopback } from '../base/loopback.ts'
import { PromoError } from '../errors.ts'

export type Region = 'eu' | 'us' | 'as'

export interface Cluster {
  /** Where requests go. */
  api: string
  /** Where finished exports are downloaded. */
  download: string
}

/** The shared clusters. Europe is the default and has no prefix. Source: docs/service/addresses.md#regions. */
export const regions: Readonly<Record<Region, Cluster>> = {
  eu: { api: 'https://api.voucherify.io', download: 'https://download.voucherify.io' },
  us: { api: 'https://us1.api.voucherify.io', download: 'https://us1.download.voucherify.io' },
  as: { api: 'https://as1.api.voucherify.io', download: 'https://as1.download.voucherify.io' },
}

/** Says whether the text names a shared cluster. */
export function isRegion(text: unknown): text is Region {
  return typeof text === 'string' && Object.hasOwn(regions, text)
}

/** Returns the region whose shared cluster is at this origin, or undefined for a dedicated one. */
export function regionOf(origin: string): Region | undefined {
  return (Object.keys(regions) as Region[]).find((region) => regions[region].api === origin)
}

/**
 * Returns the only other origin from which exports of this cluster may be downloaded.
 *
 * ASSUMED A-P1: a dedicated cluster named like the shared ones (`x.api.voucherify.io`) has its downloads at
 * `x.download.voucherify.io`, and any other serves them itself; nothing is published about dedicated clusters.
 */
export function downloadOriginOf(origin: string): string {
  const region = regionOf(origin)
  return region === undefined
    ? origin.replace(/^(https:\/\/[a-z0-9-]+)\.api\.voucherify\.io$/, '$1.download.voucherify.io')
    : regions[region].download
}

/**
 * Returns the origin of a cluster's base URL, its host in punycode.
 *
 * The scheme is https, or http when the host is written as `localhost`, `[::1]` or a literal of 127.0.0.0/8. Throws
 * `usage` (exit 2), or with that `kind` `config` (exit 4) that names the variable, for anything else; the message never repeats the text, because
 * it may contain a password or a token.
 */
export function originOf(text: string, kind: 'usage' | 'config' = 'usage'): string {
  const refuse = (reason: string) =>
    new PromoError(kind, `${kind === 'config' ? 'PROMO_BASE_URL' : 'the base URL'} ${reason}`, {
      hint: 'give scheme and host only, as in https://api.example.com',
    })
  // The URL parser drops tabs and newlines and treats a backslash as a slash; what people read must be what is used.
  if (!/^[^\s\\\p{Cc}\p{Cf}]+$/u.test(text))
    throw refuse('is empty or holds a space, a backslash or an invisible character')
  if (!/^https?:\/\//i.test(text)) throw refuse('does not start with https://')
  if (!URL.canParse(text)) throw refuse('is not an address: its host or its port is wrong')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || text.includes('@')) throw refuse('holds a user name or a password')
  if (text.includes('?')) throw refuse('has a query')
  if (text.includes('#')) throw refuse('has a fragment')
  if (url.pathname !== '/') throw refuse(`has a path after ${url.host}`)
  const host = /^https?:\/\/(\[[0-9a-f:.]+\]|[^/:%[\]]+)(?::[0-9]{1,5})?\/?$/i.exec(text)?.[1]
  if (host === undefined || url.port === '0') throw refuse('is not an address: its host or its port is wrong')
  if (url.protocol === 'http:' && !isLoopback(host)) {
    throw refuse(
      `is plain http to ${url.host}, and only this computer (localhost, 127.0.0.1, [::1]) is reached that way`,
    )
  }
  return url.origin
}
