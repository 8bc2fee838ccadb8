// What is written under a temporary name beside its target, and gets the target's name when it is complete. A writer that is killed
// leaves its temporary file: the next writer in the folder removes it.
import { randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

// SQLite has companions beside a database.
const form = /^\.promo-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp(-wal|-shm|-journal)?$/
const dayMs = 86_400_000

/** Returns a name beside a file that nobody knows, so that nobody can have put a link there; its dot hides it from readers of folders. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.promo-${randomUUID()}.tmp`)
}

/** Removes promo's temporary files from a folder that nothing was written to for a day: their writers are gone. Never throws. */
export function removeLeftovers(folder: string): void {
  for (const name of namesIn(folder)) {
    if (!form.test(name)) continue
    const path = join(folder, name)
    try {
      const facts = lstatSync(path)
      if (facts.isFile() && Date.now() - facts.mtimeMs > dayMs) rmSync(path)
    } catch {
      // Another process was faster, or may remove it and this one may not.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // The writer says what is wrong with the folder.
    return []
  }
}
