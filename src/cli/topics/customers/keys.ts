// The arguments of the commands that work on several customers.

import type { Row } from '../../../bulk/input/row.ts'
import { argumentList } from '../../flags/kinds.ts'
import { customerOf } from '../../request/row-body.ts'

/** Customers; none when they come from a file. */
export const customerKeys = {
  customer: argumentList(
    'customers, by source id or id, e-mail address or phone number; one that starts with - goes after --',
  ),
}

/** The path of a call about the customer of a row. */
export function customerPath(row: Row): { customerId: string } {
  const [customerId] = Object.values(customerOf(row)) as [string]
  return { customerId }
}
