// Assigns codes to a customer.
// Source: docs/service/publications.md#errors; docs/service/publications.md#create; docs/service/publications.md#duration-after-publication; docs/service/publications.md#effects; docs/service/webhooks.md#what-emits-what.
import type { z } from 'zod'
import { addDuration } from '../../../base/time/calendar-duration.ts'
import { timeZoneOf } from '../../../base/time/time-zone.ts'
import type { newPublication } from '../../../contract/publications.ts'
import { campaignFacts } from '../../answers/campaign-facts.ts'
import { customerFacts } from '../../answers/customers.ts'
import { findOr404 } from '../../answers/existing.ts'
import { publicationAnswer } from '../../answers/publications.ts'
import { voucherAnswer } from '../../answers/vouchers.ts'
import { Refusal, refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { parseDuration } from '../../rules/calendar/duration.ts'
import { is } from '../../storage/conditions.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import type { StoredCustomer } from '../../stores/customers.ts'
import { publications, type StoredPublication } from '../../stores/publications.ts'
import { redeemableHolders } from '../../stores/referrals.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { upsertCustomer } from '../customers/upsert.ts'
import { checkMetadata } from '../metadata/check.ts'
import { checkIsFree, freeVouchers, type SelectedVouchers, voucherToPublish } from './select-vouchers.ts'

export type NewPublication = z.output<typeof newPublication>

/** What a request says about this one publication. */
export interface PublishOptions {
  /** Overrides `join_once` of the campaign. */
  join_once?: boolean | undefined
}

/** A publication, and its vouchers as they are stored now. */
export interface Published {
  publication: StoredPublication
  vouchers: StoredVoucher[]
  customer: StoredCustomer
}

/**
 * Assigns a named voucher, or free ones of a campaign, to a customer. The customer is stored or changed.
 *
 * A customer who may join a campaign only once, and has, receives the earlier publication again; nothing else happens.
 * Records `publication.succeeded`, and `voucher.published` for each voucher. Throws 400 or 404.
 */
export function publish(body: NewPublication, context: Context, options: PublishOptions = {}): Published {
  if (body.campaign === undefined && body.voucher === undefined)
    throw refused('missing_vouchers', 'Either Campaign or Voucher is required')
  const customer = upsertCustomer(body.customer, context)
  const { campaign, named, count, joinsOnce } = wantedOf(body, options, context)
  const earlier = campaign && joinsOnce ? findPublished(campaign, named, customer, context) : undefined
  if (earlier) return { ...earlier, customer }
  if (body.source_id !== undefined && context.in(publications).holdsKey(body.source_id))
    throw refused('duplicate_source_id', body.source_id)
  checkMetadata(context, 'publication', body.metadata)
  if (named) checkIsFree(named, campaign, context)
  const chosen: SelectedVouchers = {
    campaign,
    vouchers: named ? [named] : campaign ? freeVouchers(campaign, count, context) : [],
  }

  const given = chosen.vouchers.map((voucher) => give(voucher, chosen.campaign, customer, body.metadata ?? {}, context))
  const publication = publicationOf(body, { ...chosen, vouchers: given }, customer, context)
  context.in(publications).insert(publication)
  recordEvent({ publication, vouchers: given, customer }, campaign, context)
  return { publication, vouchers: given, customer }
}

/** Assigns a card of a campaign to a customer; returns undefined when none is available. */
export function issueCard(campaign: StoredCampaign, customerId: string, context: Context): StoredVoucher | undefined {
  try {
    return context.store.savepoint(
      () => publish({ customer: { id: customerId }, campaign: campaign.id }, context).vouchers[0],
    )
  } catch (error) {
    // No request asked for the card, so there is no caller to refuse.
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function wantedOf(body: NewPublication, { join_once }: PublishOptions, context: Context) {
  const asked = typeof body.campaign === 'string' ? { name: body.campaign } : body.campaign
  const inCampaign = asked && findOr404(campaigns, asked.name, context)
  const named = body.voucher === undefined ? undefined : voucherToPublish(body.voucher, inCampaign, context)
  const own = named?.campaign_id ? context.in(campaigns).get(named.campaign_id) : undefined
  const campaign = inCampaign ?? own
  const joinsOnce = join_once ?? campaign?.join_once ?? false
  const count = asked?.count ?? 1
  // ASSUMED A244: several codes at once are refused where a customer may have only one, or names one.
  if (count > 1 && (named || (campaign && joinsOnce)))
    throw refused(
      'invalid_publish_params',
      named ? 'A count cannot be combined with a voucher' : `Customers can join campaign ${campaign?.name} only once`,
    )
  return { campaign, named, count, joinsOnce }
}

/** What the customer already has of a campaign. Throws 400 when that is not the requested voucher. */
function findPublished(
  campaign: StoredCampaign,
  named: StoredVoucher | undefined,
  customer: StoredCustomer,
  context: Context,
): Omit<Published, 'customer'> | undefined {
  const [held] = context
    .in(vouchers)
    .all([is(vouchers, 'holder_id', customer.id), is(vouchers, 'campaign_id', campaign.id)])
  if (!held) return undefined
  const [publication] = context
    .in(publications)
    .all([is(publications, 'customer_id', customer.id), is(publications, 'campaign_id', campaign.id)])
  // ASSUMED A245: joining again returns the earlier publication; requesting another code is refused.
  if (!publication || (named && named.id !== held.id)) throw refused('voucher_already_published', held.code)
  return { publication, vouchers: [held] }
}

function give(
  voucher: StoredVoucher,
  campaign: StoredCampaign | undefined,
  customer: StoredCustomer,
  metadata: Record<string, unknown>,
  context: Context,
): StoredVoucher {
  const isFirst = voucher.publish.count === 0
  const given: StoredVoucher = {
    ...voucher,
    holder_id: voucher.holder_id ?? customer.id,
    ...(voucher.is_referral_code && { referrer_id: customer.id }),
    // ASSUMED A246: a code that is published more than once expires the same time after its first publication.
    ...(isFirst && endOf(campaign, context)),
    publish: { count: voucher.publish.count + 1 },
    updated_at: context.now,
  }
  context.in(vouchers).update(given)
  if (given.is_referral_code)
    context.in(redeemableHolders).insert({
      id: context.id(redeemableHolders.prefix),
      redeemable_id: given.id,
      redeemable_object: 'voucher',
      campaign_id: given.campaign_id,
      campaign_type: 'REFERRAL_PROGRAM',
      voucher_type: given.type,
      customer_id: customer.id,
      holder_role: 'REFERRER',
      metadata,
      created_at: context.now,
      object: 'redeemable_holder',
    })
  return given
}

function endOf(campaign: StoredCampaign | undefined, context: Context): { expiration_date?: string } {
  const duration = parseDuration(campaign?.activity_duration_after_publishing ?? '')
  if (!duration) return {}
  const end = addDuration(Date.parse(context.now), duration, timeZoneOf(context.project.timezone))
  return { expiration_date: new Date(end).toISOString() }
}

function publicationOf(
  body: NewPublication,
  { vouchers: given, campaign }: SelectedVouchers,
  customer: StoredCustomer,
  context: Context,
): StoredPublication {
  return {
    id: context.id(publications.prefix),
    source_id: body.source_id ?? null,
    customer_id: customer.id,
    tracking_id: customer.source_id,
    campaign_id: campaign?.id ?? null,
    channel: body.channel ?? 'API',
    metadata: body.metadata ?? {},
    vouchers_id: given.map(({ id }) => id),
    voucher_code: given[0]?.code ?? '',
    result: 'SUCCESS',
    created_at: context.now,
    object: 'publication',
  }
}

function recordEvent(published: Published, campaign: StoredCampaign | undefined, context: Context): void {
  const { publication, vouchers: given, customer } = published
  const shown = publicationAnswer(publication, context)
  const about = {
    customer: customerFacts(customer),
    ...(campaign && { campaign: campaignFacts(campaign) }),
    publication: shown,
    created_at: publication.created_at,
  }
  const first = given[0] && { voucher: voucherAnswer(given[0], context) }
  context.emit('publication.succeeded', publication.id, { ...about, ...(given.length === 1 && first) })
  for (const voucher of given)
    context.emit('voucher.published', voucher.id, { ...about, voucher: voucherAnswer(voucher, context) })
}
