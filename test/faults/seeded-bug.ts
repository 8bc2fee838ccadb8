// Which bug a promo with seams has: the one that SEEDED_BUG names, or none.

/** Every bug that can be switched on, by the module whose behaviour it changes (test/faults/seeded). */
export type Bug =
  | 'reset is not sent'
  | 'open rows stay open'
  | 'no intent'
  | 'outcome before answer'
  | 'late intent'
  | 'everything is repeatable'
  | 'any 200 is a success'
  | 'a taken code is ours'
  | 'any answer is about the row'
  | 'refusals are final'
  | 'intent before the turn'
  | 'the start is only in the log'
  | 'equal evidence proves'
  | 'clocks are trusted'
  | 'one request a second too many'
  | 'totals are not compared'
  | 'any text is a file'
  | 'changes are not pulled'
  | 'no wait for the disk'
  | 'rows are not synced'
  | 'name is not synced'

/** Tells whether this process has the bug. */
export function has(bug: Bug): boolean {
  return process.env.SEEDED_BUG === bug
}
