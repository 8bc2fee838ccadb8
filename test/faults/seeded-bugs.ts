// Bugs that the crash loop must notice. Source: docs/reliability.md#crash-loop.
import type { LoopOptions } from './crash-loop.ts'
import type { RowClass, ViolationKind } from './oracle.ts'
import type { Bug } from './seeded-bug.ts'

export interface SeededBug {
  name: string
  bug: Bug
  /** The work it affects. */
  rowClass: RowClass
  /** The violation the oracle reports. */
  seenAs: ViolationKind
  /** How often the process must be killed to expose it; by default a fault is enough. */
  kills?: number
  /** What else the loop must do to expose it. A bug that only one kind of fault exposes meets no other: some of them are certain to. */
  loop?: Partial<LoopOptions>
}

export const seededBugs: readonly SeededBug[] = [
  {
    name: 'a reset connection counts as a request that was never sent',
    bug: 'reset is not sent',
    rowClass: 'events',
    seenAs: 'applied twice',
    loop: { faultKinds: ['apply-reset'] },
  },
  {
    name: 'a create after a reset connection does not remember it',
    bug: 'reset is not sent',
    rowClass: 'create',
    seenAs: 'recorded as not applied, but applied',
    loop: { faultKinds: ['apply-reset'] },
  },
  {
    name: 'rows that a killed run left in flight are sent as if they were new',
    bug: 'open rows stay open',
    rowClass: 'events',
    seenAs: 'applied twice',
    kills: 3,
  },
  { name: 'no intent is recorded', bug: 'no intent', rowClass: 'events', seenAs: 'applied twice', kills: 3 },
  {
    name: 'the outcome is recorded before the answer',
    bug: 'outcome before answer',
    rowClass: 'create',
    seenAs: 'recorded as ok, but not applied',
    kills: 3,
  },
  {
    name: 'an event whose answer was lost is sent again',
    bug: 'everything is repeatable',
    rowClass: 'events',
    seenAs: 'applied twice',
  },
  {
    name: 'any answer with status 200 is a success',
    bug: 'any 200 is a success',
    rowClass: 'create',
    seenAs: 'recorded as ok, but not applied',
  },
  {
    name: 'an intent counts as durable before it is',
    bug: 'late intent',
    rowClass: 'events',
    seenAs: 'applied twice',
    kills: 3,
  },
  {
    name: 'a taken code counts as created after a lost answer, even if another client took it',
    bug: 'a taken code is ours',
    rowClass: 'create',
    seenAs: 'recorded as ok, but not applied',
  },
  {
    name: 'an answer about another voucher counts as a success',
    bug: 'any answer is about the row',
    rowClass: 'create',
    seenAs: 'recorded as ok, but not applied',
    loop: { faultKinds: ['other'] },
  },
  {
    name: 'an answer about another event counts as a success',
    bug: 'any answer is about the row',
    rowClass: 'events',
    seenAs: 'recorded as ok, but not applied',
    loop: { faultKinds: ['other'] },
  },
  {
    name: 'a create that is refused after a lost answer is not looked up',
    bug: 'refusals are final',
    rowClass: 'create',
    seenAs: 'unknown, though it could be known',
    loop: { costly: { 'status-400': 10 } },
  },
  {
    name: 'intents are recorded before the wait for the pace',
    bug: 'intent before the turn',
    rowClass: 'events',
    seenAs: 'more unknown than doubtful requests',
    kills: 1,
    loop: { rows: 120, share: 0, concurrency: 64, flags: ['--rate', '40/s'], unseen: 8 },
  },
  {
    name: 'a source id that several rows share proves each of them',
    bug: 'equal evidence proves',
    rowClass: 'points',
    seenAs: 'recorded as ok, but not applied',
  },
  {
    name: 'the start of a run is recorded only in the log of the journal',
    bug: 'the start is only in the log',
    rowClass: 'events',
    seenAs: 'applied twice',
    kills: 1,
    loop: { journal: 'journal' },
  },
]
