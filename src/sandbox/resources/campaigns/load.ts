// A campaign from a fixture: checked like a new one, but with its own id, dates and states.
import { isRecord, withoutNull } from '../../../base/record.ts'
import { newCampaign } from '../../../contract/new-campaign.ts'
import { identityOf, requestOf } from '../../http/fixture-object.ts'
import { duplicate, invalidPayload } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/route.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import { buildCampaign, campaignTypeOf, campaignVoucherOf } from './new-campaign.ts'

/** Reads a campaign as the service shows it. Throws a refusal that names the problem. */
export function loadCampaign(wire: Record<string, unknown>, loading: FixtureContext): StoredCampaign {
  const { referral_program, voucher, ...members } = wire
  const body = requestOf(newCampaign, {
    ...members,
    ...(voucher ? { voucher: isRecord(voucher) ? withoutNull(voucher) : voucher } : {}),
  })
  if (typeof body.name !== 'string') throw invalidPayload("Payload must have required property 'name'")
  if (loading.in(campaigns).holdsKey(body.name)) throw duplicate('campaign', body.name, 'name')
  const campaign_type = campaignTypeOf(body)
  const typed = { ...body, campaign_type }
  const made = buildCampaign(typed, body.voucher && campaignVoucherOf(typed), loading)
  return {
    ...made,
    // A program may reward with cards of a campaign that comes later in the file, so it is accepted unchecked.
    ...(referral_program != null && { referral_program: completeProgram(referral_program as Program) }),
    ...statesOf(wire),
    ...identityOf(campaigns, wire, loading),
  }
}

type Program = Record<string, { related_object_parent?: object } | undefined>

/** Says of the campaigns that the rewards come from what they are, as the service does. */
function completeProgram(program: Program): Program {
  const completed = { ...program }
  for (const name of ['referee_reward', 'referrer_reward']) {
    const { related_object_parent: parent, ...reward } = program[name] ?? {}
    if (parent) completed[name] = { related_object_parent: { ...parent, object: 'campaign' }, ...reward } as object
  }
  return completed
}

function statesOf(wire: Record<string, unknown>): Partial<StoredCampaign> {
  const names = ['creation_status', 'vouchers_generation_status', 'protected'] as const
  return Object.fromEntries(names.filter((name) => wire[name] != null).map((name) => [name, wire[name]]))
}
