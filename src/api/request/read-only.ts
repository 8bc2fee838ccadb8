// The wall in front of every write where nothing may be changed.
import { EXIT, PromoError } from '../../errors.ts'

/**
 * Throws `config` (exit 4) where nothing may be changed: `readOnly` says what forbids it, `profile "support"` or the name of a
 * variable; undefined allows it.
 */
export function refuseWrites(readOnly: string | undefined, profile: string | undefined): void {
  if (readOnly === undefined) return
  throw new PromoError('config', EXIT.auth, `${readOnly} allows only calls that read; nothing was sent`, {
    hint: readOnly.startsWith('PROMO_') ? `unset ${readOnly}` : `promo profiles update ${profile} --no-read-only`,
  })
}
