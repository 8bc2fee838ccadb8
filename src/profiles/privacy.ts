// Refuses a file of secrets that other users can read, as ssh refuses such a private key.
import { type Stats, statSync } from 'node:fs'
import { EXIT, PromoError } from '../errors.ts'

export interface PrivacyRules {
  /** Accepts any owner and any mode, for file systems that have none (PROMO_ALLOW_INSECURE_CONFIG=1). */
  allowInsecure?: boolean
  /** The user who must own the file; undefined on platforms without user ids, where nothing is checked. */
  uid?: number | undefined
  /** True: the file is about to be replaced with mode 0600, so only its owner matters. */
  repairing?: boolean
}

/**
 * Refuses a file of secrets that another user owns, or that the group or others have any access to.
 *
 * Throws `config` (exit 4) with the chmod to run.
 */
export function refuseExposedFile(path: string, stat: Stats, rules: PrivacyRules): void {
  if (rules.uid === undefined || rules.allowInsecure) return
  if (stat.uid !== rules.uid) throw foreign(path, stat.uid)
  if (!rules.repairing && (stat.mode & 0o077) !== 0) throw exposed(path, stat.mode, 'chmod 600')
}

/** Refuses a folder of secrets in which others can replace files. Throws `config` (exit 4) with the chmod to run. */
export function refuseExposedFolder(dir: string, rules: PrivacyRules): void {
  if (rules.uid === undefined || rules.allowInsecure) return
  const stat = statSync(dir)
  if (stat.uid !== rules.uid) throw foreign(dir, stat.uid)
  if ((stat.mode & 0o022) !== 0) throw exposed(dir, stat.mode, 'chmod 700')
}

function exposed(path: string, mode: number, chmod: string): PromoError {
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  return new PromoError('config', EXIT.auth, `other users of this computer have access to "${path}" (mode ${shown})`, {
    hint: `${chmod} "${path}" (on a file system without modes: PROMO_ALLOW_INSECURE_CONFIG=1)`,
  })
}

function foreign(path: string, uid: number): PromoError {
  return new PromoError('config', EXIT.auth, `"${path}" belongs to another user (uid ${uid})`, {
    hint: 'point PROMO_CONFIG_DIR at a folder of your own (on a file system without owners: PROMO_ALLOW_INSECURE_CONFIG=1)',
  })
}
