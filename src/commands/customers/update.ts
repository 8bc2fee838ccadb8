import { bulkCommand } from '../../cli/declared/bulk.ts'
import { asSourceIdFlag } from '../../cli/flags/flags.ts'
import { bodyFrom, readerAt } from '../../cli/request/body.ts'
import { customerCalls } from '../../cli/request/customers/flag.ts'
import { flagsOfMembers } from '../../cli/request/member-flags.ts'
import { bodiesOfRows, changing, listedChanges } from '../../cli/request/row-body.ts'
import type { Asker, Keeper } from '../../cli/run/host.ts'
import { choosingCustomers } from '../../cli/topics/customers/filters.ts'
import { customerKeys, customerPath } from '../../cli/topics/customers/keys.ts'
import { customerMembers as members } from '../../cli/topics/customers/members.ts'
import { changedCustomer, updateCustomer } from '../../contract/customers.ts'

const checkField = (text: string, host: Asker & Keeper) => bodyFrom({ set: [text] }, changedCustomer, readerAt(host))

export default bulkCommand('Change customers: one, many, or a whole file', {
  description:
    'Fields that are not named keep their value; metadata is added name by name. In a file, each column other than the source id is a wire path, such as phone or metadata.tier.',
  examples: [
    'promo customers update shop-1001 --phone "+49 30 1234567" --profile sandbox',
    'promo customers update shop-1001 shop-1002 --metadata tier=gold --yes --profile sandbox',
  ],
  calls: [updateCustomer, ...customerCalls],
  instead: (job) =>
    `promo jobs report ${job} --only ok --csv --out before.csv; promo customers update --from before.csv --dry-run`,
  args: customerKeys,
  asks: {
    customer: { unless: ['from'] },
    set: {
      unless: ['body', 'from', ...Object.keys(members)],
      question: 'a field and its value, like name=Ann:',
      check: checkField,
    },
  },
  flags: { ...flagsOfMembers(members), ...asSourceIdFlag },
  body: { takes: 'known', members },
  words: { noun: 'customer', verb: 'update', done: 'updated', unchanged: 'already up to date', key: 'source_id' },
  customers: 'key',
  onDuplicate: 'fold-identical',
  choosing: choosingCustomers,
  async rows({ flags, body, run }) {
    const bodyOf = await bodiesOfRows(changedCustomer, body, { flags, run, key: 'source_id', members })
    return {
      request: (row) => ({ path: customerPath(row), body: changing(bodyOf(row)) }),
      inputColumns: listedChanges(body),
    }
  },
})
