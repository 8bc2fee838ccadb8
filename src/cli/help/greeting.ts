// What `promo` alone says last to a new user. A file of its own, because help needs no settings.
import { existsSync, readdirSync } from 'node:fs'
import { folders } from '../../profiles/folders.ts'
import type { Home } from '../run/host.ts'

/** What someone who has never used promo on this computer wants to know first; undefined for anyone else. */
export function greeting(host: Home): string | undefined {
  if (Object.keys(host.env).some((name) => name.startsWith('PROMO_APP_')) || hasFiles(host)) return undefined
  return 'New here? No account needed: promo vouchers list --profile sandbox --limit 3'
}

function hasFiles({ env, platform, home }: Home): boolean {
  try {
    const { config, state } = folders(env, platform, home)
    // Compiled code is kept from the first start on, this one.
    return existsSync(config) || (existsSync(state) && readdirSync(state).some((name) => name !== 'compiled'))
  } catch {
    // No home, or no access: help needs neither.
    return true
  }
}
