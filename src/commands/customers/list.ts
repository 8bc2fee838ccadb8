import { listCommand } from '../../cli/declared.ts'
import { namingFlag, textFlag } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { namedSegment } from '../../cli/result/named.ts'
import { listCustomers } from '../../contract/customers.ts'
import { getSegment } from '../../contract/segments.ts'
import { customerColumns } from '../../output/columns/resources/customers.ts'

export default listCommand('List customers, newest first', {
  description:
    'A table shows one page and says if there is more; the other formats are complete unless --limit is given. E-mail address, name and city must be equal.',
  examples: [
    'promo customers list --profile sandbox',
    'promo customers list --city Berlin --created-after 30d --csv --profile sandbox',
  ],
  endpoint: listCustomers,
  columns: customerColumns,
  noun: 'customers',
  looks: [getSegment],
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
