import { listCommand } from '../../cli/declared/list.ts'
import { listMetadataSchemas } from '../../contract/metadata-schemas.ts'
import { metadataSchemaColumns } from '../../output/columns/resources/rules.ts'

export default listCommand('List the metadata schemas: which metadata each kind of object may have', {
  examples: ['promo metadata schemas --profile sandbox', 'promo metadata schemas --format yaml --profile sandbox'],
  calls: [listMetadataSchemas],
  columns: metadataSchemaColumns,
  noun: 'metadata schemas',
  request: () => ({}),
})
