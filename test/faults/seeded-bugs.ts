// Bugs that the crash loop must notice. Source: docs/reliability.md#crash-loop.
import type { RowClass, ViolationKind } from './oracle.ts'
import type { Replacement } from './seeded-build.ts'

export interface SeededBug extends Replacement {
  name: string
  /** The work that suffers from it. */
  rowClass: RowClass
  /** What the oracle says of it. */
  seenAs: ViolationKind
}

export const seededBugs: readonly SeededBug[] = [
  {
    name: 'a reset connection counts as a request that was never sent',
    file: 'src/api/request/transport.ts',
    find: 'this.#end({ code: codeOf(error), sent: this.hasLeft() })',
    replace: "this.#end({ code: codeOf(error), sent: codeOf(error) !== 'ECONNRESET' })",
    rowClass: 'events',
    seenAs: 'applied twice',
  },
  {
    name: 'a create after a reset connection does not remember it',
    file: 'src/api/request/transport.ts',
    find: 'this.#end({ code: codeOf(error), sent: this.hasLeft() })',
    replace: "this.#end({ code: codeOf(error), sent: codeOf(error) !== 'ECONNRESET' })",
    rowClass: 'create',
    seenAs: 'not applied, it says, but it was',
  },
  {
    name: 'rows that a killed run left open are sent as if they were new',
    file: 'src/bulk/journal/journal.ts',
    find: 'if (!onOpen.again) store.settleOpen(onOpen.error)',
    replace: '',
    rowClass: 'events',
    seenAs: 'applied twice',
  },
  {
    name: 'no intent is written down',
    file: 'src/bulk/journal/journal.ts',
    find: 'for (const row of taken) {',
    replace: 'for (const row of [] as typeof taken) {',
    rowClass: 'events',
    seenAs: 'applied twice',
  },
  {
    name: 'the outcome is written down before the answer',
    file: 'src/bulk/run.ts',
    find: 'const durable = journal?.begin(batch)',
    replace: "const durable = journal?.begin(batch)\n    for (const row of batch) record(row, { state: 'ok' })",
    rowClass: 'create',
    seenAs: 'ok, but not applied',
  },
  {
    name: 'an event whose answer was lost is sent again',
    file: 'src/api/outcome/retry.ts',
    find: "return repeat !== 'reconcile' && repeat !== 'once'",
    replace: 'return true',
    rowClass: 'events',
    seenAs: 'applied twice',
  },
  {
    name: 'whatever comes with a 200 is a success',
    file: 'src/api/outcome/outcome.ts',
    find: 'if (doubt !== undefined) return',
    replace: "if (doubt !== undefined && content.kind === 'json') return",
    rowClass: 'create',
    seenAs: 'ok, but not applied',
  },
  {
    name: 'an intent counts as durable before it is',
    file: 'src/bulk/journal/journal.ts',
    find: 'soon()\n    return new Promise((done, fail) => gathered.waiting.push({ done, fail }))',
    replace: 'timer ??= setTimeout(() => commit(), 500)\n    return Promise.resolve()',
    rowClass: 'events',
    seenAs: 'applied twice',
  },
  {
    name: 'a taken code counts as created after a lost answer, whoever took it',
    file: 'src/cli/topics/vouchers/created.ts',
    find: 'if (different.length === 0) return',
    replace: 'if (different.length >= 0) return',
    rowClass: 'create',
    seenAs: 'ok, but not applied',
  },
]
