// The files of jobs as crashes, damage and full disks leave them. All SQL that tests run on a journal is here.
import { DatabaseSync } from 'node:sqlite'
import { checksumOf } from '../../src/bulk/journal/checksum.ts'
import { type OutcomeStore, outcomesIn } from '../../src/bulk/journal/outcome-store.ts'

/** Leaves a job as a kill between its last outcome and the end of its run leaves it. */
export function killBeforeEnd(path: string, startedAt = '2026-05-06T07:08:09Z'): void {
  withOutcomes(path, (store) => store.start(Date.parse(startedAt)))
}

/** Removes from an outcome whether the row changed anything. */
export function forgetChange(path: string, position: number): void {
  withOutcomes(path, (store) => {
    const outcome = store.report(position - 1, 1)[0]?.outcome
    if (outcome) store.put(position, { state: outcome.state, lost: false, attempts: outcome.attempts })
  })
}

/** Removes the outcome of a row, as if the process had been killed before recording it. */
export function loseOutcome(path: string, position: number): void {
  withDatabase(path, (database) => database.exec(`DELETE FROM outcome WHERE position = ${position}`))
}

/** Removes a row, which promo never does. */
export function loseRow(path: string, position: number): void {
  withDatabase(path, (database) => database.exec(`DELETE FROM row WHERE position = ${position}`))
}

/** Marks a row as failed without updating its checksum. */
export function forgeFailure(path: string, position: number): void {
  withDatabase(path, (database) => database.exec(`UPDATE outcome SET state = 'failed' WHERE position = ${position}`))
}

/** Removes the line that says how far a job is. */
export function forgetProgress(path: string): void {
  withDatabase(path, (database) => database.exec('DELETE FROM progress'))
}

/** Sets back how far a job is, with a valid checksum. */
export function forgetBegun(path: string): void {
  withOutcomes(path, (store) => store.setBegun(0))
}

/** Changes the header of a job, with a valid checksum. */
export function forgeHeader(path: string, changes: object): void {
  withDatabase(path, (database) => {
    const { header } = database.prepare('SELECT header FROM job').get() as { header: string }
    const forged = JSON.stringify({ ...JSON.parse(header), ...changes })
    database.prepare('UPDATE job SET header = ?, sum = ?').run(forged, checksumOf(forged))
  })
}

/** Stops an open journal from growing, as on a full disk. Returns a function that makes room again. */
export function fillDisk(database: DatabaseSync): () => void {
  const { page_count } = database.prepare('PRAGMA page_count').get() as { page_count: number }
  database.exec(`PRAGMA max_page_count = ${page_count}`)
  return () => database.exec('PRAGMA max_page_count = 1000000')
}

/** Closes an open journal so that all its content is in one file. */
export function closeWhole(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = DELETE')
  database.close()
}

/** Which rows changed something, by line; uncertain ones are absent. No report shows it; `jobs undo` depends on it. */
export function changesIn(path: string): Map<number, boolean> {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('SELECT line, changed FROM row JOIN outcome USING (position)').all()
  database.close()
  const known = rows.filter(({ changed }) => changed !== null)
  return new Map(known.map(({ line, changed }) => [Number(line), changed === 1]))
}

/** The page of the table with the begun mark. */
export function pageOfMark(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  const found = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'progress'").get()
  database.close()
  return Number(found?.rootpage)
}

function withOutcomes(path: string, work: (store: OutcomeStore) => void): void {
  withDatabase(path, (database) => work(outcomesIn(database)))
}

function withDatabase(path: string, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path)
  try {
    work(database)
  } finally {
    database.close()
  }
}
