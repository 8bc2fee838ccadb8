// The folders of promo's files. Nothing is ever read from or written to the current folder.
import { isAbsolute, join, win32 } from 'node:path'
import { ownRules, refuseExposedFolder } from '../base/files/privacy.ts'
import { makeFolder } from '../base/folder.ts'
import { reasonOf } from '../base/sqlite.ts'
import { PromoError } from '../errors.ts'

export type Env = Record<string, string | undefined>

export interface Folders {
  /** Settings, and the secrets when there is no keyring. */
  config: string
  /** Bulk journals and the sandbox's data. */
  state: string
}

/**
 * Returns promo's folders: PROMO_CONFIG_DIR and PROMO_STATE_DIR, then XDG, then the platform's convention.
 *
 * Creates nothing. Throws `config` (exit 4) for a variable that is empty or not absolute, and when no home folder is known.
 */
export function folders(env: Env, platform: NodeJS.Platform, home: string): Folders {
  const defaults = platform === 'win32' ? windowsFolders(env, home) : xdgFolders(env, home)
  return {
    config: folderFrom('PROMO_CONFIG_DIR', env, platform) ?? requireFolder(defaults.config, platform),
    state: folderFrom('PROMO_STATE_DIR', env, platform) ?? requireFolder(defaults.state, platform),
  }
}

/**
 * Returns the state folder, if others cannot change what is in it: without its journal a job would be sent again.
 *
 * Creates nothing. Throws `config` (exit 4) as `folders` does, and for a folder that others can change.
 */
export function stateFolder({ env, platform, home }: { env: Env; platform: NodeJS.Platform; home: string }): string {
  const { state } = folders(env, platform, home)
  refuseExposedFolder(state, ownRules(env))
  return state
}

/** Creates the folder and its missing parents, accessible only to the owner (0700). Throws `io` (exit 10). */
export function createFolder(dir: string): void {
  try {
    makeFolder(dir)
  } catch (cause) {
    throw new PromoError('io', `the folder "${dir}" cannot be created: ${reasonOf(cause)}`, {
      hint: 'set PROMO_CONFIG_DIR and PROMO_STATE_DIR to folders you can write to',
      cause,
    })
  }
}

type Found = Record<keyof Folders, string | undefined>

// ASSUMED A-P2: macOS follows XDG as well, as in gh and stripe, so that a dotfile set-up works on both.
function xdgFolders(env: Env, home: string): Found {
  const below = (variable: string, ...fallback: string[]): string | undefined => {
    // The XDG specification requires that a relative path is ignored.
    const root = env[variable]
    if (root !== undefined && isAbsolute(root)) return join(root, 'promo')
    return isAbsolute(home) ? join(home, ...fallback, 'promo') : undefined
  }
  return { config: below('XDG_CONFIG_HOME', '.config'), state: below('XDG_STATE_HOME', '.local', 'state') }
}

function windowsFolders({ APPDATA, LOCALAPPDATA }: Env, home: string): Found {
  // As a relative variable of XDG, a relative one is ignored: it would name another folder in each folder promo is called in.
  const below = (root: string | undefined, name: string): string | undefined => {
    if (root !== undefined && win32.isAbsolute(root)) return root
    return win32.isAbsolute(home) ? win32.join(home, 'AppData', name) : undefined
  }
  const [roaming, local] = [below(APPDATA, 'Roaming'), below(LOCALAPPDATA, 'Local')]
  return { config: roaming && win32.join(roaming, 'promo'), state: local && win32.join(local, 'promo', 'state') }
}

function folderFrom(variable: string, env: Env, platform: NodeJS.Platform): string | undefined {
  const path = env[variable]
  if (path === undefined) return undefined
  const isWindows = platform === 'win32'
  if (path !== '' && (isWindows ? win32.isAbsolute(path) : isAbsolute(path))) return path
  throw new PromoError('config', `${variable} is ${path === '' ? 'empty' : 'not an absolute path'}`, {
    hint: `unset ${variable}, or set it to a folder such as "${isWindows ? '%USERPROFILE%\\promo' : '$HOME/promo'}"`,
  })
}

function requireFolder(path: string | undefined, platform: NodeJS.Platform): string {
  if (path !== undefined) return path
  throw new PromoError('config', 'no home folder is known, so promo has no folder for its files', {
    hint: `set ${platform === 'win32' ? 'USERPROFILE' : 'HOME'}, or PROMO_CONFIG_DIR and PROMO_STATE_DIR`,
  })
}
