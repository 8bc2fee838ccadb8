// The one list: what the sandbox consists of. A new resource is a store declaration, a routes file, and a line here.
import type { Resource } from './route.ts'
import { assetResource } from './routes/assets.ts'
import { asyncActionResource } from './routes/async-actions.ts'
import { balanceResource } from './routes/balances.ts'
import { campaignResource } from './routes/campaigns.ts'
import { categoryResource } from './routes/categories.ts'
import { clientSideResource } from './routes/client-side.ts'
import { customerResource } from './routes/customers.ts'
import { earningRuleResource } from './routes/earning-rules.ts'
import { eventSchemaResource } from './routes/event-schemas.ts'
import { eventResource } from './routes/events.ts'
import { exportResource } from './routes/exports.ts'
import { loyaltyProgramResource } from './routes/loyalty-programs.ts'
import { loyaltyTransactionResource } from './routes/loyalty-transactions.ts'
import { metadataSchemaResource } from './routes/metadata-schemas.ts'
import { oauthResource } from './routes/oauth.ts'
import { productCollectionResource } from './routes/product-collections.ts'
import { productResource, skuResource } from './routes/products.ts'
import { projectResource } from './routes/projects.ts'
import { promotionStackResource } from './routes/promotion-stacks.ts'
import { promotionResource } from './routes/promotions.ts'
import { publicationResource } from './routes/publications.ts'
import { qualificationResource } from './routes/qualifications.ts'
import { redemptionResource } from './routes/redemptions.ts'
import { referralResource } from './routes/referrals.ts'
import { rewardResource } from './routes/rewards.ts'
import { segmentResource } from './routes/segments.ts'
import { stackingRulesResource } from './routes/stacking-rules.ts'
import { templateResource } from './routes/templates.ts'
import { binResource } from './routes/trash-bin.ts'
import { assignmentResource, validationRuleResource } from './routes/validation-rules.ts'
import { validationResource } from './routes/validations.ts'
import { voucherResource } from './routes/vouchers.ts'
import { webhookResource } from './routes/webhooks.ts'
import { loyaltyTransactions } from './store/loyalty-transactions.ts'
import { projects } from './store/projects.ts'

/**
 * Every resource of the sandbox. Fixtures are loaded in this order, so what others refer to stands first.
 *
 * Collections whose calls are not served yet stand in the first line, because vouchers refer to them.
 */
export const resources: readonly Resource[] = [
  { collections: [projects] },
  categoryResource,
  campaignResource,
  customerResource,
  segmentResource,
  validationRuleResource,
  productResource,
  skuResource,
  productCollectionResource,
  voucherResource,
  assetResource,
  binResource,
  { collections: [loyaltyTransactions] },
  balanceResource,
  publicationResource,
  loyaltyTransactionResource,
  loyaltyProgramResource,
  exportResource,
  referralResource,
  promotionResource,
  promotionStackResource,
  assignmentResource,
  validationResource,
  redemptionResource,
  qualificationResource,
  clientSideResource,
  webhookResource,
  metadataSchemaResource,
  eventSchemaResource,
  earningRuleResource,
  eventResource,
  rewardResource,
  oauthResource,
  projectResource,
  stackingRulesResource,
  asyncActionResource,
  templateResource,
]
