import type { Item } from '../../api/list-answer.ts'
import { listCommand } from '../../cli/declared/list.ts'
import { asSourceIdFlag } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { customerCalls, idOfCustomer, isContact } from '../../cli/request/customers/flag.ts'
import { happening } from '../../cli/topics/events/sources.ts'
import { listCustomerActivity } from '../../contract/customers.ts'
import { activityColumns } from '../../output/columns/resources/customers.ts'

export default listCommand('List what happened to a customer: redemptions, points, orders, publications', {
  description: 'Newest first. `events tail` follows what happens from now on.',
  examples: [
    'promo customers activity shop-1001 --profile sandbox',
    'promo customers activity customer1@example.com --all --csv --profile sandbox',
  ],
  calls: [listCustomerActivity, ...customerCalls],
  columns: activityColumns,
  noun: 'activity',
  told: () => (entry) => {
    const { data = {}, type } = entry as { data?: Item; type: string }
    const { about, detail } = happening(data, type)
    return { about, detail }
  },
  args: { customer: argument('a customer, by id or source id, e-mail address or phone number') },
  flags: { ...orderFlag(listCustomerActivity), ...asSourceIdFlag },
  async request({ args: { customer }, flags }, client, warn) {
    const isFound = flags['as-source-id'] || !isContact(customer)
    const customerId = isFound ? customer : await idOfCustomer(client, customer, warn)
    return { path: { customerId }, query: { order: flags.order } }
  },
})
