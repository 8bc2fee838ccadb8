import { Flags } from '@oclif/core'
import { listCommand } from '../../../cli/declared.ts'
import { listPrograms } from '../../../contract/loyalty-programs.ts'
import { loyaltyProgramColumns } from '../../../output/columns/campaigns.ts'

export default listCommand({
  summary: 'List loyalty programs, newest first',
  examples: [
    'promo loyalty programs list --profile sandbox',
    "promo loyalty programs list --json --query '[].name' --profile sandbox",
  ],
  endpoint: listPrograms,
  columns: loyaltyProgramColumns,
  noun: 'loyalty programs',
  flags: {
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: ['created_at', '-created_at', 'updated_at', '-updated_at'] as const,
    })(),
  },
  request: ({ flags }) => ({ query: { order: flags.order } }),
})
