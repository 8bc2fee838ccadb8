// The ids of assets: opaque, stable and unguessable, because any holder of an id sees the code.
// Source: docs/service/vouchers.md#assets.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Project } from '../projects/store.ts'

/** What a voucher can be shown as. */
export type AssetKind = 'qr' | 'barcode'

/** Creates the ids of a project's assets, and reads them. */
export interface AssetIds {
  make: (kind: AssetKind, voucherId: string) => string
  /** Returns the voucher an id was made for; undefined for an id of another project or kind, and for an invalid one. */
  read: (kind: AssetKind, id: string) => string | undefined
}

const markBytes = 16

/** The ids of each project, with the secret that their keys were derived from. */
const known = new Map<string, { secret: string; ids: AssetIds }>()

/**
 * Returns a project's ids. Nothing is stored for them: an id is the voucher's own, encrypted under a key that only this
 * project has, with a tag computed from the plaintext (SIV), so that it is deterministic and cannot be altered.
 */
export function assetIdsOf({ id, webhook_secret: secret }: Pick<Project, 'id' | 'webhook_secret'>): AssetIds {
  const held = known.get(id)
  if (held?.secret === secret) return held.ids
  const ids = derivedIds(id, secret)
  known.set(id, { secret, ids })
  return ids
}

function derivedIds(projectId: string, secret: string): AssetIds {
  const keys = Buffer.from(hkdfSync('sha256', secret, projectId, 'assets', 64))
  // Node wraps a key given as bytes at every use, which takes four times as long as the cipher.
  const cipherKey = createSecretKey(keys.subarray(0, 32))
  const markKey = createSecretKey(keys.subarray(32))
  const markOf = (kind: AssetKind, voucherId: string) =>
    createHmac('sha256', markKey).update(`${kind} ${voucherId}`).digest().subarray(0, markBytes)
  return {
    make: (kind, voucherId) => {
      const mark = markOf(kind, voucherId)
      const hidden = createCipheriv('aes-256-ctr', cipherKey, mark).update(voucherId, 'utf8')
      return Buffer.concat([mark, hidden]).toString('base64url')
    },
    read: (kind, id) => {
      const bytes = Buffer.from(id, 'base64url')
      if (bytes.length <= markBytes) return undefined
      const mark = bytes.subarray(0, markBytes)
      const voucherId = createDecipheriv('aes-256-ctr', cipherKey, mark).update(bytes.subarray(markBytes)).toString()
      return timingSafeEqual(mark, markOf(kind, voucherId)) ? voucherId : undefined
    },
  }
}
