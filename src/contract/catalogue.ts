// All declared calls of the service in one list, which documents, `promo api` and tests are generated from.
// Each file has one line in each of the two lists; a test walks the folder and names the file that is missing.
import * as asyncActions from './async-actions.ts'
import * as bulk from './bulk.ts'
import * as campaigns from './campaigns.ts'
import * as categories from './categories.ts'
import * as clientSide from './client-side.ts'
import * as customers from './customers.ts'
import * as earningRules from './earning-rules.ts'
import type { Endpoint } from './endpoint.ts'
import * as eventSchemas from './event-schemas.ts'
import * as events from './events.ts'
import * as exports from './exports.ts'
import * as locations from './locations.ts'
import * as loyalty from './loyalty.ts'
import * as loyaltyPrograms from './loyalty-programs.ts'
import * as loyaltyTiers from './loyalty-tiers.ts'
import * as metadataSchemas from './metadata-schemas.ts'
import * as newVoucher from './new-voucher.ts'
import * as oauth from './oauth.ts'
import * as orders from './orders.ts'
import * as pendingPoints from './pending-points.ts'
import * as productCollections from './product-collections.ts'
import * as products from './products.ts'
import * as projects from './projects.ts'
import * as promotionStacks from './promotion-stacks.ts'
import * as promotions from './promotions.ts'
import * as publications from './publications.ts'
import * as qualifications from './qualifications.ts'
import * as redemptions from './redemptions.ts'
import * as referrals from './referrals.ts'
import * as rewards from './rewards.ts'
import * as segments from './segments.ts'
import * as session from './session.ts'
import * as skus from './skus.ts'
import * as stackingRules from './stacking-rules.ts'
import * as templates from './templates.ts'
import * as trashBin from './trash-bin.ts'
import * as validationRules from './validation-rules.ts'
import * as validations from './validations.ts'
import * as voucherLists from './voucher-lists.ts'
import * as voucherTransactions from './voucher-transactions.ts'
import * as vouchers from './vouchers.ts'
import * as webhooks from './webhooks.ts'

const files: readonly Readonly<Record<string, unknown>>[] = [
  oauth,
  newVoucher,
  vouchers,
  voucherLists,
  voucherTransactions,
  session,
  validations,
  redemptions,
  qualifications,
  promotions,
  promotionStacks,
  campaigns,
  templates,
  loyalty,
  loyaltyPrograms,
  loyaltyTiers,
  pendingPoints,
  earningRules,
  rewards,
  referrals,
  publications,
  events,
  customers,
  segments,
  orders,
  products,
  skus,
  productCollections,
  categories,
  validationRules,
  exports,
  asyncActions,
  bulk,
  trashBin,
  webhooks,
  eventSchemas,
  locations,
  metadataSchemas,
  stackingRules,
  projects,
  clientSide,
]

/** Every declared endpoint; `id` is unique. */
export const endpoints: readonly Endpoint[] = files.flatMap((file) => Object.values(file).filter(isEndpoint))

/**
 * Says whether a value is a declared endpoint.
 *
 * Recognised by its members, which a schema or a list in the same file does not have.
 */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'id' in value && 'method' in value && 'repeat' in value
}
