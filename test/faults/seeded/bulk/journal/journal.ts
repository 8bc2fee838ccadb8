// Seam: which records are written, and when.
import * as sound from '../../../../../src/bulk/journal/journal.ts'
import { has } from '../../../seeded-bug.ts'

export * from '../../../../../src/bulk/journal/journal.ts'

export const openJournal: typeof sound.openJournal = (database, options) => {
  if (has('the start is only in the log')) {
    const exec = database.exec.bind(database)
    database.exec = (sql) => (sql.includes('wal_checkpoint') ? undefined : exec(sql))
  }
  const journal = sound.openJournal(database, options)
  if (has('no intent')) return { ...journal, begin: () => undefined }
  if (has('outcome before answer')) return foretelling(journal)
  return has('late intent') ? dawdling(journal) : journal
}

/** Records a success as soon as a row begins. */
function foretelling(journal: sound.Journal): sound.Journal {
  return {
    ...journal,
    begin(rows) {
      const durable = journal.begin(rows)
      for (const row of rows) journal.record(row, { state: 'ok', lost: false, attempts: 1 })
      return durable
    },
  }
}

/** Reports an intent as durable at once, and writes everything half a second later. */
function dawdling(journal: sound.Journal): sound.Journal {
  let held: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    const writes = held
    held = []
    for (const each of writes) each()
  }
  const hold = (each: () => void) => {
    held.push(each)
    timer ??= setTimeout(write, 500)
  }
  return {
    ...journal,
    begin(rows) {
      hold(() => void journal.begin(rows))
      return undefined
    },
    record: (row, outcome) => hold(() => journal.record(row, outcome)),
    flushed: () => undefined,
    end(by) {
      write()
      journal.end(by)
    },
  }
}
