// All resources of the sandbox. A new resource is a store declaration, a routes file, and a line here.
import type { Resource } from './http/route.ts'
import { assetResource } from './routes/assets.ts'
import { asyncActionResource } from './routes/async-actions.ts'
import { balanceResource, loyaltyTransactionResource, pendingPointsResource } from './routes/balances.ts'
import { campaignImportResource } from './routes/campaign-imports.ts'
import { campaignResource } from './routes/campaigns.ts'
import { categoryResource } from './routes/categories.ts'
import { clientSideResource } from './routes/client-side.ts'
import { customerBulkResource, customerResource } from './routes/customers.ts'
import { earningRuleResource } from './routes/earning-rules.ts'
import { eventResource } from './routes/events.ts'
import { exportResource } from './routes/exports.ts'
import { loyaltyProgramResource } from './routes/loyalty-programs.ts'
import { loyaltyTierResource } from './routes/loyalty-tiers.ts'
import { metadataSchemaResource } from './routes/metadata-schemas.ts'
import { orderResource } from './routes/orders.ts'
import { productCollectionResource } from './routes/product-collections.ts'
import { productBulkResource, productResource, skuResource } from './routes/products.ts'
import { locationResource, projectResource, stackingRulesResource } from './routes/projects.ts'
import { promotionStackResource } from './routes/promotion-stacks.ts'
import { promotionResource } from './routes/promotions.ts'
import { publicationResource } from './routes/publications.ts'
import { qualificationResource } from './routes/qualifications.ts'
import { redemptionResource } from './routes/redemptions.ts'
import { referralResource } from './routes/referrals.ts'
import { rewardResource } from './routes/rewards.ts'
import { segmentResource } from './routes/segments.ts'
import { templateResource } from './routes/templates.ts'
import { oauthResource } from './routes/tokens.ts'
import { binResource } from './routes/trash-bin.ts'
import { assignmentResource, validationRuleResource } from './routes/validation-rules.ts'
import { validationResource } from './routes/validations.ts'
import { voucherBulkResource, voucherResource } from './routes/vouchers.ts'
import { webhookResource } from './routes/webhooks.ts'
import { projects } from './stores/projects.ts'

/** Every resource of the sandbox. Fixtures are loaded in this order, so referenced resources come first. */
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
  balanceResource,
  publicationResource,
  loyaltyTransactionResource,
  loyaltyProgramResource,
  exportResource,
  referralResource,
  promotionResource,
  promotionStackResource,
  validationResource,
  orderResource,
  redemptionResource,
  qualificationResource,
  clientSideResource,
  webhookResource,
  metadataSchemaResource,
  eventResource,
  locationResource,
  earningRuleResource,
  rewardResource,
  loyaltyTierResource,
  pendingPointsResource,
  assignmentResource,
  oauthResource,
  projectResource,
  stackingRulesResource,
  asyncActionResource,
  productBulkResource,
  customerBulkResource,
  voucherBulkResource,
  campaignImportResource,
  templateResource,
]
