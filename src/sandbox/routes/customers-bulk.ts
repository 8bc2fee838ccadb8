// Customers, many at once: updates in bulk and CSV files. Source: docs/service/customers.md#many-at-once.
import * as contract from '../../contract/bulk.ts'
import { customer } from '../../contract/customer.ts'
import { checkBody } from '../http/check-input.ts'
import { type Context, type Resource, route } from '../http/route.ts'
import type { CsvRow } from '../resources/async-actions/csv.ts'
import { answerStarted } from '../resources/async-actions/progress.ts'
import { rowWork, sourcedUpdates } from '../resources/async-actions/row-work.ts'
import { anyMetadata, anyRows, metadataReader } from '../resources/async-actions/rows.ts'
import { upsertCustomer } from '../resources/customers/upsert.ts'
import { customers } from '../stores/customers.ts'

const { update, metadataUpdate } = sourcedUpdates('CUSTOMERS', 'customer', {
  declared: customers,
  schema: contract.bulkCustomer,
  upsert: (facts, context) => upsertCustomer(facts, quietly(context)),
})

const members = {
  Id: 'id',
  Source_id: 'source_id',
  Name: 'name',
  Email: 'email',
  Phone: 'phone',
  Birthdate: 'birthdate',
  Description: 'description',
} as const
const addressMembers = {
  Address_line_1: 'line_1',
  Address_line_2: 'line_2',
  Address_Postal_Code: 'postal_code',
  Address_City: 'city',
  Address_State: 'state',
  Address_Country: 'country',
} as const
const columns = [...Object.keys(members), ...Object.keys(addressMembers)]

// ASSUMED A1157: a file of customers needs one of the known columns; which of them is required is not published.
const layout = { columns, required: [columns] }

const csvImport = rowWork<CsvRow, null>('CUSTOMERS.IMPORT_CSV', 'customer', {
  key: { name: 'source_id', of: ({ cells }) => cells.Source_id },
  begin: (_, context) => {
    const metadataIn = metadataReader('customer', context)
    return (row) => {
      const address = renameCells(row, addressMembers)
      const metadata = metadataIn(row)
      const body = {
        ...renameCells(row, members),
        ...(Object.keys(address).length > 0 && { address }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      }
      upsertCustomer(checkBody(customer, body), quietly(context))
      return undefined
    }
  },
})

function renameCells({ cells }: CsvRow, names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([column, name]) => (cells[column] === undefined ? [] : [[name, cells[column]]])),
  )
}

/** Changes of many customers at once are not announced one by one. Source: docs/service/webhooks.md#what-emits-what. */
function quietly(context: Context): Context {
  const emit: Context['emit'] = (type, id, data) => {
    if (type !== 'customer.updated') context.emit(type, id, data)
  }
  return { ...context, emit }
}

/** Updates and imports of customers; each is an asynchronous action. */
export const customerBulkResource: Resource = {
  jobs: Object.fromEntries([update, metadataUpdate, csvImport].map(({ kind, job }) => [kind, job])),
  routes: [
    route({ ...contract.updateCustomers, body: anyRows }, ({ body }, context) =>
      answerStarted(update.start(body ?? [], null, context)),
    ),
    route({ ...contract.updateCustomersMetadata, body: anyMetadata('source_ids') }, ({ body }, context) =>
      answerStarted(metadataUpdate.start(body?.source_ids ?? [], { metadata: body?.metadata ?? {} }, context)),
    ),
    route(contract.importCustomers, ({ body: { file } }, context) =>
      answerStarted(csvImport.startCsv(file, layout, null, context)),
    ),
  ],
}
