// Moves what is due at midnight on loyalty cards, when their project gets another time zone.
// Source: docs/service/loyalty-tiers.md#at-night.
import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { is } from '../../storage/conditions.ts'
import type { Project } from '../../stores/projects.ts'
import { vouchers } from '../../stores/vouchers.ts'
import { withBucketsFrom } from './buckets.ts'
import { withNextDue } from './next-due.ts'

interface Work {
  /** The time zone that the project had. */
  from: string
  after?: string
}

/** The job that does it. */
export const midnightKind = 'loyalty.cards.midnight'

const sliceSize = 500

/** Queues the work where a project changed its time zone. */
export function moveMidnight({ timezone: from }: Project, to: Project, { at, now }: Pick<Context, 'at' | 'now'>): void {
  const work: Work = { from }
  if (to.timezone !== from) at(midnightKind, work, now)
}

// ASSUMED A1830: days stay the same days, and end at the midnight of the new time zone; the bucket of points keeps an instant, and no
// source says what a change does to it.
/** Moves a slice of the cards of a project. */
export const midnightJob = job<Work>((work, context) => {
  const cards = context.in(vouchers)
  const all = [is(vouchers, 'type', 'LOYALTY_CARD')]
  const { items, more_starting_after } = cards.cursor(all, 'id', sliceSize, work.after)
  for (const { night_at: _, ...card } of items)
    cards.update(withNextDue(withBucketsFrom(work.from, card, context), context))
  return more_starting_after === undefined ? undefined : { again: 0, payload: { ...work, after: more_starting_after } }
})
