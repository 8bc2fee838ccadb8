// Loads node:sqlite at the moment of use, quietly.

/**
 * Gives the SQLite module of Node.
 *
 * Node 22 calls it experimental on stderr; the part used here is the same in the releases that do not.
 */
export function loadSqlite(): typeof import('node:sqlite') {
  // oxlint-disable-next-line typescript/unbound-method -- it is only put back, never called
  const emitWarning = process.emitWarning
  // Loading is synchronous, so that nobody else's warning, and no second load, can fall into the gap.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
