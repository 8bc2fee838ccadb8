// The publication calls. Source: docs/service/publications.md#list; docs/service/publications.md#calls.
import * as contract from '../../../contract/publications.ts'
import { refused } from '../../http/refusal.ts'
import { ok, type Resource, route } from '../../http/route.ts'
import { redeemableHolders } from '../referrals/holder-store.ts'
import { publicationAnswer, publicationAnswers } from './answer.ts'
import { restrictionsOf } from './list.ts'
import { loadPublication } from './load.ts'
import { publish } from './publish.ts'
import { publications } from './store.ts'

/** Publications; those of referral codes make the first of their holders. */
export const publicationResource: Resource = {
  collections: [publications, redeemableHolders],
  load: { publications: loadPublication },
  routes: [
    route(contract.publish, ({ body }, context) => ok(publicationAnswer(publish(body, context).publication, context))),
    route(contract.listPublications, ({ query }, context) => {
      const { order = '-created_at', limit = 10, page = 1 } = query
      if (page > contract.lastPublicationsPage) throw pageOverLimit()
      const { items, total } = context.in(publications).page(restrictionsOf(query, context), order, limit, page)
      return ok({
        object: 'list',
        data_ref: 'publications',
        publications: publicationAnswers(items, context),
        total,
      })
    }),
  ],
}

function pageOverLimit() {
  const message = `Listing resource above ${contract.lastPublicationsPage} page is not supported`
  return refused('page_over_limit', message)
}
