import { Flags } from '@oclif/core'
import { listCommand } from '../../cli/declared.ts'
import { listPublications } from '../../contract/publications.ts'
import { publicationColumns } from '../../output/columns/resources/publications.ts'

export default listCommand({
  summary: 'List publications: which code went to whom',
  examples: [
    'promo publications list --profile sandbox',
    'promo publications list --customer shop-1001 --csv --profile sandbox',
  ],
  endpoint: listPublications,
  columns: publicationColumns,
  noun: 'publications',
  flags: {
    campaign: Flags.string({ description: 'only publications of this campaign, by name' }),
    customer: Flags.string({ description: 'only to this customer, by id or source id' }),
    voucher: Flags.string({ description: 'only of this voucher, by code' }),
    'source-id': Flags.string({ description: 'only the one with this id of your own', helpValue: 'ID' }),
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: [
        'created_at',
        '-created_at',
        'id',
        '-id',
        'voucher_code',
        '-voucher_code',
        'channel',
        '-channel',
      ] as const,
    })(),
  },
  request: ({ flags: { campaign, customer, voucher, 'source-id': source_id, order } }) => ({
    query: { campaign, customer, voucher, source_id, order },
  }),
})
