import { Flags } from '@oclif/core'
import { listCommand } from '../../cli/declared.ts'
import { timeRangeFrom } from '../../cli/flags/time.ts'
import { listCustomers } from '../../contract/customers.ts'
import { customerColumns } from '../../output/columns/resources/customers.ts'

const orders = ['created_at', '-created_at', 'updated_at', '-updated_at', 'source_id', '-source_id'] as const
const time = (description: string) => Flags.string({ description, helpValue: 'TIME' })

export default listCommand({
  summary: 'List customers, newest first',
  description:
    'A table shows one page and says if there is more; the other formats are complete unless --limit is given. Times are written like 2026-01-05, 2026-01-05T12:00:00Z or 7d (ago); e-mail address, name and city must be equal.',
  examples: [
    'promo customers list --profile sandbox',
    'promo customers list --city Berlin --created-after 30d --csv --profile sandbox',
  ],
  endpoint: listCustomers,
  columns: customerColumns,
  noun: 'customers',
  flags: {
    email: Flags.string({ description: 'only customers with this e-mail address' }),
    name: Flags.string({ description: 'only customers with this name' }),
    city: Flags.string({ description: 'only customers in this city' }),
    segment: Flags.string({ description: 'only customers of this segment, by id' }),
    'created-after': time('only customers created after this time'),
    'created-before': time('only customers created before this time'),
    'updated-after': time('only customers changed after this time'),
    'updated-before': time('only customers changed before this time'),
    order: Flags.option({ description: 'the order of the rows; a leading - means descending', options: orders })(),
  },
  request: ({ flags, now }) => {
    const { email, name, city, order } = flags
    const created_at = period(flags['created-after'], flags['created-before'], now)
    const updated_at = period(flags['updated-after'], flags['updated-before'], now)
    return { query: { email, name, city, order, segment_id: flags.segment, created_at, updated_at } }
  },
})

/** After an entire day is after its last millisecond, before it is before its first. */
function period(after: string | undefined, before: string | undefined, nowMs: number) {
  if (after === undefined && before === undefined) return undefined
  return {
    ...(after !== undefined && { after: instant(timeRangeFrom(after, nowMs).untilMs) }),
    ...(before !== undefined && { before: instant(timeRangeFrom(before, nowMs).fromMs) }),
  }
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}
