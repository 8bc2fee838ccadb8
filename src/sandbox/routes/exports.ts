// Exports: started from many calls; read, downloaded and deleted here.
// Source: docs/service/exports.md#export-card-transactions; docs/service/exports.md#calls; docs/service/exports.md#download; docs/reliability.md#secrets-hygiene.
import { z } from 'zod'
import { exportCampaignTransactions } from '../../contract/campaigns.ts'
import { endpoint } from '../../contract/endpoint.ts'
import * as contract from '../../contract/exports.ts'
import * as loyalty from '../../contract/loyalty.ts'
import { exportVoucherTransactions } from '../../contract/voucher-transactions.ts'
import { ownAddress } from '../answers/assets.ts'
import { existingById, findOr404, routesFor, routesOf } from '../answers/existing.ts'
import { findCard } from '../answers/loyalty.ts'
import { isSame } from '../http/auth.ts'
import { forbidden, notFound, unauthorized } from '../http/refusal.ts'
import { Answer, type Context, pageAnswer, type Resource, type Route, route, type Tables } from '../http/route.ts'
import { type ExportParameters, startExport } from '../resources/exports/start.ts'
import { exportJobs } from '../resources/exports/write.ts'
import { is } from '../storage/conditions.ts'
import { campaigns, type StoredCampaign } from '../stores/campaigns.ts'
import { exportAnywhere, exportParts, exports, type StoredExport } from '../stores/exports.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'

// The contract lists the fields; here any name passes, because the refusal has its own key and message.
const anyFields = z
  .strictObject({
    parameters: z
      .strictObject({
        order: z.string().optional(),
        fields: z.array(z.string()).optional(),
        filters: z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
  })
  .optional()

/** The file of a finished export. On the service it is on another host; the client takes the address from the export. */
const download = endpoint('exports.download', 'Download the file of an export', {
  call: 'GET /download/v1/exports/{exportId}',
  query: z.strictObject({ token: z.string().optional() }),
  response: z.string(),
  source: 'docs/service/exports.md#calls',
})

// ASSUMED A268: the token alone suffices, as in the published schema; the guide requires credentials as well.
const downloadRoute: Route = {
  ...route(
    download,
    ({ path, query }, context) =>
      new Answer(200, fileOf(path.exportId, query.token, context), { 'content-type': 'text/plain; charset=utf-8' }),
  ),
  isOpen: true,
}

const routeForExport = routesFor('exportId', (id, context) => existingById(exports, id, context))
const routeForCampaign = routesFor('campaignId', (id, context) => findOr404(campaigns, id, context))

/** Exports, by id. Their files are read through the address that a finished one shows. */
export const exportResource: Resource = {
  collections: [exports, exportParts],
  jobs: exportJobs,
  routes: [
    ...routesOf(findCard)(
      [
        { ...loyalty.exportCardTransactions, body: anyFields },
        { ...loyalty.exportCampaignCardTransactions, body: anyFields },
      ],
      (card, context, { body }) => ofCard(card, body?.parameters, context),
    ),
    routeForCampaign({ ...loyalty.exportLoyaltyTransactions, body: anyFields }, (campaign, context, { body }) =>
      // ASSUMED A269: only a loyalty program has point transactions; any other campaign is a 403 here.
      ofCampaign(campaign, ['LOYALTY_PROGRAM'], body?.parameters, context),
    ),
    routeForCampaign({ ...exportCampaignTransactions, body: anyFields }, (campaign, context, { body }) => {
      const types = ['LOYALTY_PROGRAM', 'GIFT_VOUCHERS']
      return ofCampaign(campaign, types, body?.parameters, context)
    }),
    route({ ...exportVoucherTransactions, body: anyFields }, ({ path, body }, context) =>
      ofCard(findOr404(vouchers, path.code, context), body?.parameters, context),
    ),
    routeForCampaign(contract.exportPointsExpiration, (campaign, context, { body }) => {
      if (campaign.campaign_type !== 'LOYALTY_PROGRAM') throw forbidden('Points expire only in loyalty campaigns')
      return answerStarted('points_expiration', body?.parameters, context, inCampaign(campaign))
    }),
    route(contract.exportOrders, ({ body }, context) => answerStarted('order', body?.parameters, context)),
    route(contract.createExport, ({ body }, context) => {
      const { campaign_id } = body.parameters ?? {}
      if (campaign_id !== undefined) findOr404(campaigns, campaign_id, context)
      return answerStarted(body.exported_object, body.parameters, context)
    }),
    // ASSUMED A270: exports are listed newest first.
    route(contract.listExports, ({ query }, context) =>
      pageAnswer(exports, query, context, {
        ref: 'exports',
        show: (items) => items.map((item) => exportAnswer(item, context)),
      }),
    ),
    routeForExport(contract.getExport, exportAnswer),
    routeForExport(contract.deleteExport, removeExport),
    downloadRoute,
  ],
}

function ofCard(card: StoredVoucher, parameters: ExportParameters | undefined, context: Context) {
  // The filter is called voucher_id but takes a code, as published.
  const forced = { voucher_id: { conditions: { $in: [card.code] } } }
  return answerStarted('voucher_transactions', parameters, context, { forced, scope: { voucher_id: card.id } })
}

function ofCampaign(
  campaign: StoredCampaign,
  types: readonly string[],
  parameters: ExportParameters | undefined,
  context: Context,
) {
  if (!types.includes(campaign.campaign_type))
    throw forbidden('Transactions are allowed only for loyalty or gift campaigns')
  return answerStarted('voucher_transactions', parameters, context, inCampaign(campaign))
}

function inCampaign({ id }: StoredCampaign) {
  return { forced: { campaign_id: { conditions: { $in: [id] } } }, scope: { campaign_id: id } }
}

function answerStarted(
  exportedObject: string,
  parameters: ExportParameters | undefined,
  context: Context,
  only: { forced?: Record<string, unknown>; scope?: StoredExport['scope'] } = {},
) {
  return exportAnswer(startExport(exportedObject, parameters, context, only), context)
}

/** Shows an export. Its address uses the host that the client called, so it stays valid after a restart on another port. */
function exportAnswer(stored: StoredExport, context: Pick<Context, 'headers' | 'store'>) {
  const { token, scope: _scope, updated_at: _updated, ...shown } = stored
  const path = `/download/v1/exports/${stored.id}?token=${token}`
  const result = stored.status === 'DONE' ? { url: `${ownAddress(context)}${path}` } : null
  return { ...shown, result }
}

/** Returns the text of an export's file in pieces. Throws 401 for a wrong token or export, 404 while there is no file. */
function fileOf(exportId: string, token: string | undefined, { store }: Pick<Context, 'store'>) {
  const holder = exportAnywhere(store, exportId)
  if (!holder || !isSame(token, holder.found.token)) throw unauthorized()
  if (holder.found.status !== 'DONE') throw notFound('export', exportId)
  const parts = store.in(exportParts, holder.projectId)
  return (function* pieces(): Generator<string> {
    let after: string | undefined
    for (;;) {
      const page = parts.cursor([is(exportParts, 'export_id', exportId)], 'id', 1, after)
      // Deleted during the download: ending without an error would look like the end of the file.
      if (page.items.length === 0) throw new Error(`the file of export ${exportId} is gone`)
      for (const part of page.items) yield part.text
      if (!page.has_more) return
      after = page.more_starting_after
    }
  })()
}

/** Removes an export and its file. */
function removeExport(stored: StoredExport, context: Tables): void {
  const parts = context.in(exportParts)
  for (;;) {
    const { items } = parts.cursor([is(exportParts, 'export_id', stored.id)], 'id', 50)
    if (items.length === 0) break
    for (const part of items) parts.remove(part.id)
  }
  context.in(exports).remove(stored.id)
}
