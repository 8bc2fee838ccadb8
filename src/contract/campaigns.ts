// Campaigns. Their qualification is in qualifications.ts, loyalty programs are in loyalty-programs.ts.
// Source: docs/service/campaigns.md#generate-codes; docs/service/campaigns.md#calls.
import { z } from 'zod'
import { startedAction } from './async-actions.ts'
import {
  activityListing,
  bothWays,
  byPage,
  callsAbout,
  filteredListing,
  filters,
  listing,
  pages,
} from './calls-about.ts'
import { endpoint } from './endpoint.ts'
import { transactionsExport } from './exports.ts'
import { dateTime, forcible } from './fields.ts'
import { campaignTypes, newCampaign, newCampaignVoucher } from './new-campaign.ts'
import { getVoucher, voucher } from './vouchers.ts'

/** A campaign as the service returns it. */
export const campaign = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  campaign_type: z.string().optional(),
  creation_status: z.string().optional(),
})

/** Lists campaigns, newest first. */
export const listCampaigns = endpoint('campaigns.list', 'List campaigns', {
  ...listing,
  call: 'GET /v1/campaigns',
  query: z.strictObject({
    ...byPage,
    order: bothWays('created_at', 'updated_at').optional(),
    campaign_type: z.enum(campaignTypes).optional(),
    campaign_status: z.string().optional(),
    is_referral_code: z.boolean().optional(),
    expand: z.enum(['category']).optional(),
    filters: filters.optional(),
  }),
  paging: pages(100, { dates: { created_at: 'filters', updated_at: 'filters' } }),
  source: 'docs/service/campaigns.md#list',
})

const calls = callsAbout('campaigns', '/v1/campaigns/{campaignId}', {
  response: campaign,
  source: 'docs/service/campaigns.md',
})

/** Reads one campaign, by id or name. */
export const getCampaign = calls.get('Get a campaign', 'get')

/** Creates a campaign. With more than one code it is ready only when its `creation_status` is `DONE`. */
export const createCampaign = calls.create(
  newCampaign,
  { repeat: 'key', proof: { by: 'list', read: { call: () => listCampaigns } } },
  'Create a campaign',
  'create',
)

/** What an update may change; the other fields stay. */
export const updatedCampaign = newCampaign
  .omit({ name: true, campaign_type: true, vouchers_count: true })
  .extend({
    // As published: beside `voucher`, where creations have them.
    ...newCampaign.shape.voucher.unwrap().pick({ discount: true, gift: true, loyalty_card: true }).shape,
    unset_metadata_fields: z.array(z.string().min(1)).optional(),
  })
  .partial()

/** Changes a campaign; its vouchers follow in the background. */
export const updateCampaign = calls.update(updatedCampaign, 'Update a campaign', 'update')

/** Removes a campaign and its vouchers, in the background. */
export const deleteCampaign = calls.delete('Delete a campaign', 'delete', { ...forcible, response: startedAction })

const switches = callsAbout('campaigns', '/v1/campaigns/{campaignId}', {
  response: z.strictObject({}),
  source: 'docs/service/campaigns.md#enable-and-disable',
})

/** Enables a campaign. The answer is an empty object. */
export const enableCampaign = switches.enable('Enable a campaign', undefined, 'costly')

/** Disables a campaign. The answer is an empty object. */
export const disableCampaign = switches.disable('Disable a campaign', undefined, 'costly')

/** Reads the summary of a campaign between two days. */
export const getCampaignSummary = endpoint('campaigns.summary', 'Get the summary of a campaign', {
  call: 'GET /v1/campaigns/{campaignId}/summary',
  query: z.strictObject({ start_date: dateTime.optional(), end_date: dateTime.optional() }),
  response: z.looseObject({}),
  source: 'docs/service/campaigns.md#summary',
})

/** Lists what happened to a campaign and in it, newest first: the events that name it. */
export const listCampaignActivity = calls.listOf('activity', activityListing, 'List the activity of a campaign')

/** Lists the transactions of the gift or loyalty cards of a campaign. */
export const listCampaignTransactions = calls.listOf(
  'transactions',
  filteredListing,
  'List the transactions of a campaign',
  'transactions-of-a-campaign',
)

/** Starts an export of the transactions of a campaign. */
export const exportCampaignTransactions = transactionsExport(
  'campaigns.transactions.export',
  '/v1/campaigns/{campaignId}',
  'docs/service/campaigns.md#transactions-of-a-campaign',
  'Export the transactions of a campaign',
)

/** Adds generated codes: answers with the voucher for one code, with a background job for more. */
export const generateCampaignVouchers = calls.act(
  'vouchers.generate',
  'Generate vouchers in a campaign',
  'generate-codes',
  {
    at: 'vouchers',
    query: z.strictObject({ vouchers_count: z.int().min(1).optional() }),
    body: newCampaignVoucher,
    response: z.union([startedAction, voucher]),
    repeat: 'once',
    unproved: 'codes have no id of who asked for them; config apply counts them',
  },
)

export const addCampaignVoucher = calls.act(
  'vouchers.add',
  'Add a voucher with a given code to a campaign',
  'add-a-voucher',
  {
    at: 'vouchers/{code}',
    body: newCampaignVoucher,
    response: voucher,
    repeat: 'key',
    proof: {
      by: 'object',
      read: { call: () => getVoucher },
      also: { code: 'path.code', campaign: 'path.campaignId' },
    },
  },
)
