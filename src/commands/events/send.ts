import { bulkCommand } from '../../cli/declared/bulk.ts'
import { typeOfFlag } from '../../cli/flags/flags.ts'
import { choiceFlag, optionalArgument } from '../../cli/flags/kinds.ts'
import { readerAt } from '../../cli/request/body.ts'
import type { Asker, Keeper } from '../../cli/run/host.ts'
import { eventFlags, newEventsFrom } from '../../cli/topics/events/new-events.ts'
import { sendEvent } from '../../contract/events.ts'
import { eventColumns } from '../../output/columns/events.ts'

const words = {
  noun: 'event',
  verb: 'send',
  done: 'sent',
  unchanged: 'already sent',
  key: 'event',
  member: 'answer',
}
const customerColumn = 'customer.source_id'

export default bulkCommand('Send custom events of customers: one, or a whole file', {
  description:
    'An event may earn points or convert a referral, and the service cannot be asked whether it arrived. If an answer is lost, the outcome is unknown (exit 6) and the event is not sent again. --on-ambiguous retry accepts that it may count twice. With --from, each row is an event, also where rows are equal. NAME applies to rows without an event of their own.',
  examples: [
    'promo events send cupping_attended --customer source_id=shop-1001 --metadata cups=3 --profile sandbox',
    'promo events send newsletter_subscribed --customer source_id=guest-7,name=Ann --profile sandbox --dry-run',
    `echo '{"event":"cupping_attended","customer":{"source_id":"shop-1001"}}' | promo events send --from - --yes --profile sandbox`,
  ],
  calls: [sendEvent],
  columns: eventColumns,
  instead: 'promo loyalty points remove --help',
  args: { event: optionalArgument('the name of the event, as the project defines it') },
  asks: {
    event: { unless: ['from'] },
    customer: {
      unless: ['from'],
      question: 'the customer of the event, like source_id=shop-1001:',
      check: (text: string, host: Asker & Keeper) => newEventsFrom({ customer: [text] }, readerAt(host)),
    },
  },
  flags: {
    ...eventFlags,
    'on-ambiguous': choiceFlag(
      'if an answer is lost: leave the outcome unknown, or risk a duplicate',
      ['unknown', 'retry'],
      { default: 'unknown' },
    ),
    ...typeOfFlag,
  },
  words,
  results: { customer_id: 'customer.id' },
  onDuplicate: 'each',
  async rows({ args: { event }, flags, run }) {
    const { one, ofRow, ofCustomer } = await newEventsFrom(flags, run)
    const repeat = flags['on-ambiguous'] === 'retry' ? 'duplicate' : sendEvent.repeat
    return {
      endpoint: { ...sendEvent, repeat },
      request: (row) => ({ body: event === undefined ? ofRow(row) : ofCustomer(row, event) }),
      // With a name for all of them, the rows are customers.
      ...(event !== undefined &&
        flags.from !== undefined && {
          items: undefined,
          customers: 'key' as const,
          words: { ...words, key: customerColumn, fallbackKey: 'customer' },
        }),
      ...(repeat !== sendEvent.repeat && { write: () => ({ repeat }) }),
      ...(event !== undefined && flags.from === undefined && { one: { request: { body: one(event) }, repeat } }),
    }
  },
})
