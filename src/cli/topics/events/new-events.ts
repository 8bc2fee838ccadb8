// The events to send: one from flags, or one per row of a file, overlaid on what the flags say about all of them.
import type { z } from 'zod'
import type { Row } from '../../../bulk/input/row.ts'
import { newEvent } from '../../../contract/events.ts'
import { usageError } from '../../../errors.ts'
import { asSourceIdFlag, type bulkFlags } from '../../flags/flags.ts'
import { naming, repeatable, setting, textFlag, type ValuesOf } from '../../flags/kinds.ts'
import { assign, assignmentsIn } from '../../request/assignments.ts'
import { fieldReader, type Reader, type ValueFlags } from '../../request/body.ts'
import { membersSetBy } from '../../request/member-flags.ts'
import { customerOf, rowBodies } from '../../request/row-body.ts'
import type { WrittenForms } from '../../request/written-values.ts'

/** What an event says, as flags. */
export const eventFlags = {
  customer: repeatable(
    'the customer: an id, source id, e-mail, phone, or fields like name=Ann',
    'WHO|source_id=ID,…',
    naming('customer'),
  ),
  ...asSourceIdFlag,
  metadata: repeatable('one metadata field', 'name=value'),
  loyalty: textFlag('the loyalty card that the event counts for', 'CODE', setting('loyalty.code')),
  referral: textFlag('the referral code that the event may convert', 'CODE', setting('referral.code')),
  referrer: textFlag('the referring customer: an id, source id, e-mail or phone', 'WHO', {
    ...naming('person'),
    ...setting('referral.referrer_id'),
  }),
}

type EventFlags = ValueFlags & WrittenForms & ValuesOf<typeof eventFlags & Pick<typeof bulkFlags, 'column'>>

type NewEvent = z.input<typeof newEvent>

export interface NewEvents {
  /** The body of the one event of this name. */
  one: (event: string) => NewEvent
  /** The body of a row, whose cells override the flags. Throws `usage` for a cell that the contract does not allow. */
  ofRow: (row: Row) => NewEvent
  /** The body of a row of this event, unless the row names its own. Throws like `ofRow`. */
  ofCustomer: (row: Row, event: string) => NewEvent
}

/** The column, or JSON member, that contains the name of a row's event. */
const nameColumn = 'event'

/** Reads the flags about events. Throws `usage`. */
export async function newEventsFrom(flags: EventFlags, run: Reader): Promise<NewEvents> {
  const { loyalty, referral, referrer, column = nameColumn } = flags
  if (referrer !== undefined && referral === undefined) throw usageError('--referrer needs --referral CODE')
  const reader = await fieldReader(newEvent, flags, run)
  const customer = assign((flags.customer ?? []).flatMap(assignmentsIn), '--customer', reader, ['customer'])
  const metadata = assign(flags.metadata ?? [], '--metadata', reader, ['metadata'])
  const shared = {
    ...(flags.customer && { customer }),
    ...(flags.metadata && { metadata }),
    ...(loyalty !== undefined && { loyalty: { code: loyalty } }),
    ...(referral !== undefined && { referral: { code: referral, ...(referrer && { referrer_id: referrer }) } }),
  }
  const ofFile = await fieldReader(newEvent, flags, run, flags)
  const named = { members: membersSetBy(eventFlags) }
  const bodyOf = rowBodies(shared, ofFile, column, undefined, named)
  const bodyOfCustomer = rowBodies(shared, ofFile, nameColumn, ({ [flags.column ?? '']: _, ...row }) => row, named)
  return {
    one: (event) => ({ event, ...shared }) as NewEvent,
    // The contract checks the finished body, so the type asserted here is proved there.
    ofRow: (row) => ({ ...bodyOf(row), event: row.key }) as unknown as NewEvent,
    ofCustomer(row, event) {
      const body: Record<string, unknown> = bodyOfCustomer(row)
      const { source_id, id, ...rest } = (body.customer ?? {}) as Record<string, unknown>
      const named = { ...body, customer: { ...rest, ...customerOf(row) }, event: row.fields[nameColumn] || event }
      return named as unknown as NewEvent
    },
  }
}
