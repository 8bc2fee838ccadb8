// All resources of the sandbox. A new resource is a store declaration, a routes file, and a line here.
import type { Resource } from './http/route.ts'
import { assetResource } from './resources/assets/routes.ts'
import { asyncActionResource } from './resources/async-actions/routes.ts'
import { balanceResource, loyaltyTransactionResource } from './resources/balances/routes.ts'
import { campaignImportResource } from './resources/campaigns/import.ts'
import { campaignResource } from './resources/campaigns/routes.ts'
import { categoryResource } from './resources/categories/routes.ts'
import { clientSideResource } from './resources/client-side/routes.ts'
import { customerBulkResource } from './resources/customers/bulk.ts'
import { customerResource } from './resources/customers/routes.ts'
import { segmentResource } from './resources/customers/segment.ts'
import { qualificationResource } from './resources/evaluation/qualify.ts'
import { validationResource } from './resources/evaluation/validation-routes.ts'
import { eventResource } from './resources/events/routes.ts'
import { exportResource } from './resources/exports/routes.ts'
import { earningRuleResource } from './resources/loyalty/earning-rule-routes.ts'
import { rewardResource } from './resources/loyalty/reward-routes.ts'
import { loyaltyProgramResource } from './resources/loyalty/routes.ts'
import { loyaltyTierResource } from './resources/loyalty-tiers/routes.ts'
import { metadataSchemaResource } from './resources/metadata/routes.ts'
import { orderResource } from './resources/orders/routes.ts'
import { pendingPointsResource } from './resources/pending-points/routes.ts'
import { productCollectionResource } from './resources/product-collections/routes.ts'
import { productBulkResource } from './resources/products/bulk.ts'
import { productResource, skuResource } from './resources/products/routes.ts'
import { locationResource, projectResource } from './resources/projects/routes.ts'
import { stackingRulesResource } from './resources/projects/stacking-rules.ts'
import { projects } from './resources/projects/store.ts'
import { promotionResource } from './resources/promotions/routes.ts'
import { promotionStackResource } from './resources/promotions/stack-routes.ts'
import { publicationResource } from './resources/publications/routes.ts'
import { redemptionResource } from './resources/redemptions/routes.ts'
import { referralResource } from './resources/referrals/routes.ts'
import { templateResource } from './resources/templates/routes.ts'
import { oauthResource } from './resources/tokens/routes.ts'
import { binResource } from './resources/trash-bin/routes.ts'
import { assignmentResource, validationRuleResource } from './resources/validation-rules/routes.ts'
import { voucherBulkResource } from './resources/vouchers/bulk.ts'
import { voucherResource } from './resources/vouchers/routes.ts'
import { webhookResource } from './resources/webhooks/routes.ts'

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
