import { listCommand } from '../../cli/declared/list.ts'
import { customerFilters } from '../../cli/topics/customers/filters.ts'
import { customerColumns } from '../../output/columns/resources/customers.ts'

export default listCommand('List customers, newest first', {
  description:
    'A table shows one page and says if there is more; the other formats are complete unless --limit is given. E-mail address, name and city must be equal.',
  examples: [
    'promo customers list --profile sandbox',
    'promo customers list --city Berlin --created-after 30d --csv --profile sandbox',
  ],
  ...customerFilters,
  columns: customerColumns,
  noun: 'customers',
})
