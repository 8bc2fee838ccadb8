// Vouchers whose code the service makes. Source: docs/service/vouchers.md#create-with-a-generated-code.
import type { z } from 'zod'
import type { generateVoucher as endpoint } from '../../../contract/new-voucher.ts'
import type { Context } from '../../http/route.ts'
import { checkedCodeConfig } from '../campaigns/new-campaign.ts'
import { invalidCampaign } from '../campaigns/programs.ts'
import { formOf, freeCode } from '../campaigns/vouchers.ts'
import { createVoucher } from './create.ts'
import { findReferencedCampaign } from './references.ts'
import type { StoredVoucher } from './store.ts'

/** Creates a voucher under the `code` of the body, or a generated one. Throws 400, 404 or 409. */
export function generateVoucher(
  { code, code_config, ...body }: z.output<NonNullable<(typeof endpoint)['body']>>,
  context: Context,
): StoredVoucher {
  if (code !== undefined) return createVoucher(code, body, context)
  const campaign = findReferencedCampaign(body, context)
  if (campaign?.type === 'STANDALONE') throw invalidCampaign('A campaign of type STANDALONE does not generate codes')
  const form = code_config ? checkedCodeConfig(code_config) : campaign ? formOf(campaign, undefined) : {}
  return createVoucher(freeCode(form, context), body, context)
}
