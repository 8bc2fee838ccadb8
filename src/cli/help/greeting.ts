// What `promo` alone says first to a new user. A file of its own, because help needs no settings.
import { existsSync } from 'node:fs'
import { folders } from '../../profiles/folders.ts'
import type { Host } from '../run/host.ts'

/** What someone who has never used promo on this computer wants to know first; undefined for anyone else. */
export function greeting(host: Host): string | undefined {
  if (Object.keys(host.env).some((name) => name.startsWith('PROMO_APP_')) || hasFiles(host)) return undefined
  return `New here? This needs no account: promo vouchers list --profile sandbox --limit 3
Your own project after that:     promo profiles add live
A word of it explained:          promo help vouchers disable

`
}

function hasFiles({ env, platform, home }: Host): boolean {
  try {
    return Object.values(folders(env, platform, home)).some((path) => existsSync(path))
  } catch {
    // No home: help needs none.
    return true
  }
}
