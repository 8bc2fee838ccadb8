// The columns of publications. Source: docs/service/publications.md#fields.
import { publication } from '../../../contract/answers/evaluations.ts'
import { columnsOf } from '../../columns-of.ts'

/** A publication: which code went to whom, when and where. */
export const publicationColumns = columnsOf(publication, {
  first: `
    id created_at* customer_id customer.source_id=customer* customer.name customer.email=email* voucher.code=code*
    voucher.campaign=campaign* channel* result:state*
  `,
  inside: 'voucher.type tracking_id:identifier',
})
