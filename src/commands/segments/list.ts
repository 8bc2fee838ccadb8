import { listCommand } from '../../cli/declared.ts'
import { listSegments } from '../../contract/segments.ts'
import { segmentColumns } from '../../output/columns/resources/rules.ts'

export default listCommand({
  summary: 'List the segments of customers',
  examples: ['promo segments list --profile sandbox', 'promo segments list --json --profile sandbox'],
  endpoint: listSegments,
  columns: segmentColumns,
  noun: 'segments',
  request: () => ({}),
})
