// Which addresses a delivery may go to: programs on this computer, and hosts that its owner has allowed. Everything else is
// refused before anything is sent, and a name is resolved once, so that it cannot change to another address afterwards.
import type { BlockList, LookupFunction } from 'node:net'

/** What deliveries may call. */
export interface DeliveryPolicy {
  /** Host names or addresses besides loopback, as given with `--webhook-allow`. */
  allowedHosts: readonly string[]
  /** Where this sandbox itself listens; a delivery to it would be a call that causes calls. */
  ownPort: () => number | undefined
}

/** Resolves the addresses of a name. */
export type HostResolver = (name: string) => Promise<string[]>

/** A checked target: `lookup` returns the checked addresses, whatever the name resolves to by then. */
export interface DeliveryTarget {
  url: URL
  lookup: LookupFunction
}

/** Why a target is never called; a retry changes nothing. */
export class TargetNotAllowed extends Error {
  override readonly name = 'TargetNotAllowed'
}

/**
 * Checks a target address. Throws TargetNotAllowed, and what `resolve` throws when a name cannot be resolved.
 *
 * A name is resolved only when it is allowed. Each of its addresses must pass.
 */
export async function checkedTarget(
  address: string,
  reach: DeliveryPolicy,
  resolve: HostResolver,
): Promise<DeliveryTarget> {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TargetNotAllowed(`${url.protocol} is not http or https`)
  // The URL parser has already normalized 0x7f.1, 2130706433 and 127.1 to 127.0.0.1.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const { loopback, never } = addressLists()
  const isLocal = (found: string) => loopback.check(found, familyOf(found))
  const isNamed = reach.allowedHosts.some((allowed) => allowed.toLowerCase() === host)
  const isLocalhost = host === 'localhost' || host.endsWith('.localhost')
  if (metadataNames.has(host)) throw new TargetNotAllowed(`${host} is a metadata service`)
  // Before the advice to allow an address: that one would not help, and it may serve the credentials of the computer.
  if (isIP(host) && never.check(host, familyOf(host))) throw new TargetNotAllowed(`${host} is never called`)
  if (!isNamed && !isLocalhost && !(isIP(host) && isLocal(host)))
    throw new TargetNotAllowed(`${host} is not on this computer; --webhook-allow ${host} allows it`)

  const addresses = isIP(host) ? [host] : await resolve(host)
  if (addresses.length === 0) throw new Error(`${host} has no address`)
  for (const found of addresses) {
    if (never.check(found, familyOf(found)))
      throw new TargetNotAllowed(`${host} resolves to ${found}, which is never called`)
    if (!isNamed && !isLocal(found))
      throw new TargetNotAllowed(`${host} resolves to ${found}, which is not on this computer`)
    if (isLocal(found) && portOf(url) === reach.ownPort())
      throw new TargetNotAllowed(`${url.host} is the sandbox itself`)
  }
  return { url, lookup: pinnedTo(addresses) }
}

/** Names at which clouds serve the credentials of the computer. */
const metadataNames = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data'])

function addressLists(): { loopback: BlockList; never: BlockList } {
  // Both match an IPv4 address also in its IPv6 form, ::ffff:127.0.0.1.
  const { BlockList } = process.getBuiltinModule('node:net')
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8, 'ipv4')
  loopback.addAddress('::1', 'ipv6')
  const never = new BlockList()
  for (const [network, bits] of [
    ['0.0.0.0', 8],
    ['169.254.0.0', 16],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
    ['100.100.100.200', 32],
    ['192.0.0.192', 32],
  ] as const)
    never.addSubnet(network, bits, 'ipv4')
  for (const [network, bits] of [
    ['::', 128],
    ['fe80::', 10],
    ['ff00::', 8],
    ['64:ff9b::', 96],
    ['fd00:ec2::254', 128],
  ] as const)
    never.addSubnet(network, bits, 'ipv6')
  return { loopback, never }
}

function isIP(text: string): number {
  return process.getBuiltinModule('node:net').isIP(text)
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    if (options.all) callback(null, all)
    else callback(null, all[0]?.address ?? '', all[0]?.family)
  }
}

/** Asks the computer's resolver. */
export const systemResolver: HostResolver = async (name) => {
  const { lookup } = process.getBuiltinModule('node:dns/promises')
  return (await lookup(name, { all: true })).map(({ address }) => address)
}
