// How customers are chosen: the filters of their list, which choose the rows of what writes them, too.
import { customerColumn } from '../../../bulk/input/report-columns.ts'
import { listCustomers } from '../../../contract/customers.ts'
import { getSegment } from '../../../contract/segments.ts'
import { listFilters } from '../../declared/list.ts'
import { namingFlag, textFlag } from '../../flags/kinds.ts'
import { orderFlag } from '../../flags/order.ts'
import { namedSegment } from '../../result/named.ts'

/** The filters of customers. */
export const customerFilters = listFilters({
  calls: [listCustomers, getSegment],
  named: { segment: namedSegment },
  flags: {
    email: textFlag('only with this e-mail address'),
    name: textFlag('only with this name'),
    city: textFlag('only in this city'),
    segment: namingFlag('segment', 'only customers of this segment, by id or name'),
    ...orderFlag(listCustomers),
  },
  request: ({ flags: { email, name, city, segment, order } }) => ({
    query: { email, name, city, order, segment_id: segment },
  }),
})

/** The same for what writes customers, each of whom is named by id. */
export const choosingCustomers = {
  ...customerFilters,
  rowOf: ({ id, source_id }: Record<string, unknown>) => ({ source_id: source_id ?? id, [customerColumn]: id }),
}
