// The arguments of the commands that work on several customers.
import { Args } from '@oclif/core'

/** Source ids or ids; none when they come from a file. */
export const customerKeys = {
  customer: Args.string({
    description: 'customers, by source id or id; one that starts with - goes after --',
    ignoreStdin: true,
    multiple: true,
  }),
}
