// The wall in front of every write where nothing may be changed.
import { PromoError } from '../../errors.ts'

/** What forbids the writes of an assistant. */
export const assistants = 'promo mcp'

/**
 * Throws `config` (exit 4) where nothing may be changed: `readOnly` says what forbids it, `profile "support"` or the name of a
 * variable; undefined allows it.
 */
export function refuseWrites(readOnly: string | undefined, profile: string | undefined): void {
  if (readOnly === undefined) return
  throw new PromoError('config', `${readOnly} allows only calls that read; nothing was sent`, {
    hint: wayOut(readOnly, profile),
  })
}

function wayOut(readOnly: string, profile: string | undefined): string {
  if (readOnly.startsWith('PROMO_')) return `unset ${readOnly}`
  return readOnly === assistants ? 'promo mcp --allow-writes' : `promo profiles update ${profile} --no-read-only`
}
