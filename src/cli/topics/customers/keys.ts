// The arguments of the commands that work on several customers.

import { argumentList } from '../../flags/kinds.ts'
/** Source ids or ids; none when they come from a file. */
export const customerKeys = {
  customer: argumentList('customers, by source id or id; one that starts with - goes after --'),
}
