// The member `assets` of a voucher: the addresses of the pictures of its code. Source: docs/service/vouchers.md#assets.

import { hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Context } from '../http/route.ts'
import { openServers } from '../storage/open-servers.ts'
import type { Project } from '../stores/projects.ts'
import { type AssetKind, isLinear } from './barcode.ts'

/** What showing a voucher's assets needs from a context. */
export type AssetContext = Pick<Context, 'headers' | 'project' | 'store'>

export type Assets = Partial<Record<AssetKind, { id: string; url: string }>>

// The capacity of the largest QR code, at its lowest level of correction.
const qrLimitBytes = 2953

/** Returns a function that shows the assets of one voucher after another. The addresses are absolute. */
export function assetsOf(context: AssetContext): (voucher: { id: string; code: string }) => Assets {
  const ids = assetIdsOf(context.project)
  const address = ownAddress(context)
  return ({ id: voucherId, code }) => {
    const made = ids.make(voucherId)
    const asset = (kind: AssetKind) => ({ id: made[kind], url: `${address}/v1/assets/${kind}/${made[kind]}` })
    // ASSUMED A183: a code that no picture can hold has none: one beyond ASCII and the capacity of a QR code.
    const fitsQr = Buffer.byteLength(code) <= qrLimitBytes
    return {
      ...(fitsQr && { qr: asset('qr') }),
      ...((fitsQr || isLinear(code)) && { barcode: asset('barcode') }),
    }
  }
}

/**
 * Returns the address of the sandbox as its client knows it.
 *
 * ASSUMED A184: addresses start with the request's host; in work done after the answer, with that of a server of the file.
 */
export function ownAddress({ headers, store }: Pick<Context, 'headers' | 'store'>): string {
  if (headers.host !== undefined) return `http://${headers.host}`
  return openServers(store.db).find(({ url }) => url !== '')?.url ?? 'http://localhost'
}

// The ids of assets: long, stable and unguessable, because any holder of an id sees the code.
// Source: docs/service/vouchers.md#assets.

/** Creates the ids of a project's assets, and reads them. */
export interface AssetIds {
  make: (voucherId: string) => Record<AssetKind, string>
  /** Returns the voucher an id was made for; undefined for an id of another project or kind, and for an invalid one. */
  read: (kind: AssetKind, id: string) => string | undefined
}

const markBytes = 16

/** The ids of each project, with the secret that their key was derived from. */
const known = new Map<string, { secret: string; ids: AssetIds }>()

/**
 * Returns a project's ids. Nothing is stored for them: an id is a mark that only this project's key can make of the
 * voucher's id, and that id.
 */
export function assetIdsOf({ id, webhook_secret: secret }: Pick<Project, 'id' | 'webhook_secret'>): AssetIds {
  const held = known.get(id)
  if (held?.secret === secret) return held.ids
  const ids = derivedIds(id, secret)
  known.set(id, { secret, ids })
  return ids
}

function derivedIds(projectId: string, secret: string): AssetIds {
  const key = Buffer.from(hkdfSync('sha256', secret, projectId, 'assets', 32))
  const [inner, outer] = [0x36, 0x5c].map((byte) => Buffer.alloc(64, byte).map((pad, at) => pad ^ (key[at] ?? 0)))
  const digest = (...parts: Uint8Array[]) => hash('sha256', Buffer.concat(parts), 'buffer')
  // One digest marks both kinds, with a half each: every voucher that is shown has both. It is an HMAC (RFC 2104), written
  // out because Node's object for one takes longer than its two digests.
  const marksOf = (voucherId: string) => {
    const marks = digest(outer as Buffer, digest(inner as Buffer, Buffer.from(voucherId)))
    return { qr: marks.subarray(0, markBytes), barcode: marks.subarray(markBytes) }
  }
  return {
    make: (voucherId) => {
      const { qr, barcode } = marksOf(voucherId)
      const name = Buffer.from(voucherId)
      return {
        qr: Buffer.concat([qr, name]).toString('base64url'),
        barcode: Buffer.concat([barcode, name]).toString('base64url'),
      }
    },
    read: (kind, id) => {
      const bytes = Buffer.from(id, 'base64url')
      if (bytes.length <= markBytes) return undefined
      const voucherId = bytes.subarray(markBytes).toString()
      return timingSafeEqual(bytes.subarray(0, markBytes), marksOf(voucherId)[kind]) ? voucherId : undefined
    },
  }
}
