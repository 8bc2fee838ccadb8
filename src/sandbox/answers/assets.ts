// The member `assets` of a voucher: the addresses of the pictures of its code. Source: docs/service/vouchers.md#assets.

import type { Context } from '../http/route.ts'
import { openServers } from '../storage/open-servers.ts'
import { type AssetKind, assetIdsOf } from './asset-ids.ts'
import { isLinear } from './barcode.ts'

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
