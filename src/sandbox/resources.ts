// The one list: what the sandbox consists of. A new resource is a store declaration, a routes file, and a line here.
import type { Resource } from './route.ts'
import { balanceResource } from './routes/balances.ts'
import { customerResource } from './routes/customers.ts'
import { oauthResource } from './routes/oauth.ts'
import { productResource, skuResource } from './routes/products.ts'
import { segmentResource } from './routes/segments.ts'
import { validationResource } from './routes/validations.ts'
import { voucherResource } from './routes/vouchers.ts'
import { webhookResource } from './routes/webhooks.ts'
import { binEntries } from './store/bin.ts'
import { campaigns } from './store/campaigns.ts'
import { categories } from './store/categories.ts'
import { loyaltyTransactions } from './store/loyalty-transactions.ts'
import { projects } from './store/projects.ts'
import { redeemableHolders } from './store/redeemable-holders.ts'
import { assignments, validationRules } from './store/validation-rules.ts'

/**
 * Every resource of the sandbox. Fixtures are loaded in this order, so what others refer to stands first.
 *
 * Collections whose calls are not served yet stand in the first line, because vouchers refer to them.
 */
export const resources: readonly Resource[] = [
  { collections: [projects, categories, campaigns, validationRules, assignments, binEntries] },
  customerResource,
  segmentResource,
  productResource,
  skuResource,
  voucherResource,
  { collections: [loyaltyTransactions, redeemableHolders] },
  balanceResource,
  validationResource,
  webhookResource,
  oauthResource,
]
