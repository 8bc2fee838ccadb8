// Rows of a journal, read a page at a time.

/** How many rows are read at once. */
export const pageRows = 500

/**
 * Reads pages of rows in the order of their positions, from the one after `after` on.
 *
 * No statement is left open between two pages: it would block the journal's own writes.
 */
export function* readPages<Found extends { position: number }>(
  fetch: (after: number, limit: number) => readonly Found[],
  after = 0,
): Generator<readonly Found[], void, undefined> {
  let page = fetch(after, pageRows)
  while (page.length > 0) {
    yield page
    const last = page.at(-1)
    page = last === undefined || page.length < pageRows ? [] : fetch(last.position, pageRows)
  }
}
