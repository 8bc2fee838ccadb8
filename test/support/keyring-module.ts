// Replaces the keyring's native module in a child process: keeps passwords in the file that
// KEYRING_FILE names, and fails as KEYRING_FAULT says.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const { KEYRING_FILE = '', KEYRING_FAULT } = process.env

export class Entry {
  key: string

  constructor(service: string, user: string, options: { linux: { store: string } }) {
    if (KEYRING_FAULT === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    if (KEYRING_FAULT === 'crash') process.kill(process.pid, 'SIGSEGV')
    this.key = `${service}/${user}/${options.linux.store}`
  }

  setPassword(password: string): void {
    if (KEYRING_FAULT === 'refuse') throw new Error(`cannot store ${password}`)
    if (KEYRING_FAULT === 'long') throw new Error("Attribute 'password' is longer than platform limit of 2560 chars")
    if (KEYRING_FAULT === 'locked') throw new Error('the collection is locked')
    if (KEYRING_FAULT !== 'forget') save({ ...passwords(), [this.key]: password })
  }

  getPassword(): string | null {
    return passwords()[this.key] ?? null
  }

  deletePassword(): boolean {
    const { [this.key]: found, ...others } = passwords()
    if (KEYRING_FAULT !== 'keep') save(others)
    return found !== undefined
  }
}

function passwords(): Record<string, string> {
  return existsSync(KEYRING_FILE) ? JSON.parse(readFileSync(KEYRING_FILE, 'utf8')) : {}
}

function save(all: Record<string, string>): void {
  writeFileSync(KEYRING_FILE, JSON.stringify(all))
}
