// What promo keeps belongs to one user: files and folders that others can change, or may have put there, are refused before they
// are used, as ssh refuses a private key that others can read.
import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PromoError } from '../../errors.ts'
import { moveCommand, recopyCommand, shellWord } from '../shell-word.ts'

export interface PrivacyRules {
  /** Accepts any owner and any mode, for file systems that have none (PROMO_ALLOW_INSECURE_CONFIG=1). */
  allowInsecure?: boolean
  /** The user who must own the file; undefined on platforms without user ids, where owner and mode are not checked. */
  uid?: number | undefined
  /** True: the file is about to be replaced with mode 0600, so only its owner matters. */
  repairing?: boolean
}

/** Returns the rules for this process: its user, and the variable that accepts a file system without owners or modes. */
export function ownRules(env: Record<string, string | undefined> = process.env): PrivacyRules {
  return { uid: process.getuid?.(), allowInsecure: env.PROMO_ALLOW_INSECURE_CONFIG === '1' }
}

/**
 * Refuses a file that another user owns, or that the group or others have any access to.
 *
 * Throws `config` (exit 4), with a command that repairs what is promo's own.
 */
export function refuseExposedFile(path: string, stat: Stats, rules: PrivacyRules): void {
  if (rules.uid === undefined || rules.allowInsecure) return
  if (stat.uid !== rules.uid) throw foreign(path, stat.uid)
  if (!rules.repairing && (stat.mode & 0o077) !== 0) throw exposedFile(path, stat.mode, '600')
}

/**
 * Refuses a folder in which others can replace files; a symbolic link counts as the folder it leads to, and one that does not
 * exist is accepted. Throws `config` (exit 4), with a command that repairs what is promo's own.
 */
export function refuseExposedFolder(dir: string, rules: PrivacyRules): void {
  if (rules.uid === undefined || rules.allowInsecure) return
  const stat = statSync(dir, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (stat.uid !== rules.uid) throw foreign(dir, stat.uid)
  if ((stat.mode & 0o022) !== 0) throw exposedFile(dir, stat.mode, '700')
}

/**
 * Refuses a file of the state folder that is not this user's alone: one that others own or have access to, a link, one with a
 * second name, and what is no file, in a folder that others can change. A file that does not exist is accepted.
 *
 * `companions` are endings of files that belong to it. Throws `config` (exit 4), with a command that repairs what is promo's own.
 */
export function refuseSharedState(path: string, companions: readonly string[] = [], rules = ownRules()): void {
  refuseExposedFolder(dirname(path), rules)
  // The state folder may be on another disk; what promo makes in it is a folder.
  if (keptFolder.test(basename(dirname(path))) && lstatSync(dirname(path), { throwIfNoEntry: false })?.isSymbolicLink())
    throw symbolicLink(dirname(path))
  for (const ending of ['', ...companions]) {
    const stat = lstatSync(`${path}${ending}`, { throwIfNoEntry: false })
    if (stat !== undefined) refuseSharedFile(`${path}${ending}`, stat, { rules })
  }
}

/**
 * Refuses such a file by what is known of it, wherever its folder is. With `readable`, others may read it, but not change it.
 *
 * Throws `config` (exit 4) as `refuseSharedState`.
 */
export function refuseSharedFile(path: string, stat: Stats, { readable = false, rules = ownRules() } = {}): void {
  if (stat.isSymbolicLink()) throw symbolicLink(path)
  // A device is the computer's: to move it would be worse than anything it could be used for here.
  if (stat.isCharacterDevice() || stat.isBlockDevice())
    throw notOurs(path, 'is a device, not a file', 'name another place')
  if (!stat.isFile()) throw notOurs(path, 'is not a file', movedAside(path))
  refuseExposedFile(path, stat, { ...rules, repairing: readable && (stat.mode & 0o022) === 0 })
  if (stat.nlink > 1 && !rules.allowInsecure) {
    throw notOurs(path, 'has a second name (a hard link), under which it can be changed', recopied(path))
  }
}

function symbolicLink(path: string): PromoError {
  return notOurs(path, 'is a symbolic link, and promo keeps its files where they are named', movedAside(path))
}

function exposedFile(path: string, mode: number, wanted: string): PromoError {
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  const what = `other users of this computer have access to "${path}" (mode ${shown})${unlessWithout('modes')}`
  const repair = `chmod ${wanted} ${shellWord(path)}`
  return new PromoError('config', what, {
    hint: isKept(path) ? repair : `name another place, or give it the mode ${wanted} if nothing else uses it`,
  })
}

function foreign(path: string, uid: number): PromoError {
  return notOurs(path, `belongs to another user (uid ${uid})${unlessWithout('owners')}`, movedAside(path))
}

/** Not in the next step, which is pasted. */
function unlessWithout(what: string): string {
  return `; PROMO_ALLOW_INSECURE_CONFIG=1 accepts a file system without ${what}`
}

/** What is not ours is neither trusted nor deleted, and a link is moved without what it leads to. */
function movedAside(path: string): string {
  const aside = `${path}.aside`
  return isKept(path) && !isThere(aside) ? moveCommand(path, aside) : 'name another place'
}

/** A copy in its place has one name. */
function recopied(path: string): string {
  return isKept(path) && !isThere(`${path}.copy`) ? recopyCommand(path) : 'name another place'
}

function notOurs(path: string, what: string, hint: string): PromoError {
  return new PromoError('config', `"${path}" ${what}`, { hint })
}

/** The folders that promo makes in its state folder. */
const keptFolder = /^(?:config|history|jobs|ledger|.+\.snapshots)$/
const keptFile =
  /^(?:(?:config|credentials)\.json|settings\.lock|index\.sqlite|sandbox\.db|[\w.-]+\.snapshot\.db|(?:job|shard-\d+-of-\d+)\.(?:lock|sqlite)|(?:draft|lock)-[\da-f]{12}(?:\.sqlite)?|\d{8}-\w{6}\.[\w.]+|[\da-f]{12,64}\.(?:db|lock|json|steps)|proj_\w+\.(?:db|lock)|\d{4}-\d\d-\d\d\.jsonl|\.promo-.*)(?:-wal|-shm|-journal|-commits|\.lock|\.copy|\.damaged|\.tmp-\w+)*$/

/**
 * Says whether a path is promo's own to repair: a folder, or what is in one, that holds nothing but what promo keeps. What a user, a
 * variable or a link named may be anything, and a command that changes it must not be pasted.
 */
function isKept(path: string): boolean {
  try {
    return holdsOnlyKept(lstatSync(path).isDirectory() ? path : dirname(path))
  } catch {
    return false
  }
}

function holdsOnlyKept(folder: string): boolean {
  const entries = readdirSync(folder, { withFileTypes: true })
  const isOwn = (entry: Dirent) => {
    const name = entry.name.replace(/\.aside$/, '')
    if (entry.isDirectory()) return keptFolder.test(name) && holdsOnlyKept(join(folder, entry.name))
    return keptFile.test(name) || (entry.isSymbolicLink() && keptFolder.test(name))
  }
  return entries.length > 0 && entries.every(isOwn)
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
