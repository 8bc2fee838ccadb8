// The columns of publications. Source: docs/service/publications.md#fields.
import { publication } from '../../../contract/answers/evaluations.ts'
import { columnsOf } from '../../columns-of.ts'

/** A publication: which code went to whom, when and where. */
export const publicationColumns = columnsOf(publication, {
  first: {
    id: false,
    created_at: true,
    customer_id: false,
    'customer.source_id': 'customer',
    'customer.name': false,
    'customer.email': 'email',
    'voucher.code': 'code',
    'voucher.campaign': 'campaign',
    channel: true,
    result: true,
  },
  inside: ['voucher.type'],
  kinds: { result: 'state', tracking_id: 'identifier' },
})
