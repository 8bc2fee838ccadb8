// What a publication listing may be restricted by. Source: docs/service/publications.md#list.
import type { z } from 'zod'
import type { listPublications } from '../../../contract/publications.ts'
import type { Context } from '../../http/route.ts'
import { type Condition, is } from '../../storage/conditions.ts'
import { compileFilters } from '../../storage/filters.ts'
import { campaigns } from '../campaigns/store.ts'
import { customerNamed } from '../customers/upsert.ts'
import { vouchers } from '../vouchers/store.ts'
import { publications } from './store.ts'

type Query = z.output<NonNullable<(typeof listPublications)['query']>>

/** Turns the query of a listing into conditions, all of which must hold. Throws BadFilter. */
export function restrictionsOf(query: Query, context: Context): Condition[] {
  const { campaign, customer, voucher, result, filters } = query
  const conditions: Condition[] = []
  // What does not exist was never published: an empty list, as in the listing of vouchers (A119).
  if (campaign !== undefined)
    conditions.push(is(publications, 'campaign_id', context.in(campaigns).find(campaign)?.id ?? campaign))
  if (customer !== undefined)
    conditions.push(is(publications, 'customer_id', customerNamed(customer, context)?.id ?? customer))
  if (voucher !== undefined) {
    const id = context.in(vouchers).find(voucher)?.id ?? voucher
    conditions.push({ sql: "? IN (SELECT value FROM json_each(doc, '$.vouchers_id'))", values: [id] })
  }
  if (result !== undefined) conditions.push(is(publications, 'result', result))
  if (filters) conditions.push(compileFilters(publications, filters, context.now))
  return conditions
}
