// Seam: the syncs around the rename that turns a draft into a job.
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as sound from '../../../../../src/bulk/journal/journal-file.ts'
import { has } from '../../../seeded-bug.ts'

export * from '../../../../../src/bulk/journal/journal-file.ts'

export const publishJournalFile: typeof sound.publishJournalFile = async (from, to) => {
  if (has('rows are not synced')) {
    await rename(from, to)
    await synced(dirname(to))
  } else if (has('name is not synced')) {
    await synced(from)
    await rename(from, to)
  } else {
    await sound.publishJournalFile(from, to)
  }
}

async function synced(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}
