import { PromoCommand } from '../../cli/command.ts'
import { calledWith } from '../../cli/declared.ts'
import {
  allowUnknownFlag,
  bodyFlags,
  confirmFlags,
  dryRunFlag,
  outputFlags,
  serviceFlags,
} from '../../cli/flags/flags.ts'
import { bodyFrom } from '../../cli/request/body.ts'
import { ifExistsFlag, membersIn, unlessMissing } from '../../cli/request/if-exists.ts'
import { createCampaign, getCampaign, updateCampaign, updatedCampaign } from '../../contract/campaigns.ts'
import { newCampaign } from '../../contract/new-campaign.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

export default class Create extends PromoCommand {
  static override summary = 'Create a campaign from a JSON document or single fields'
  static override description =
    'With more than one code it is ready only when its creation_status is DONE. A name that is taken is refused unless --if-exists says otherwise.'
  static override examples = [
    'promo campaigns create --set name=Spring --set type=STATIC --set voucher.type=DISCOUNT_VOUCHER --set voucher.discount.type=PERCENT --set voucher.discount.percent_off=10 --dry-run --profile sandbox',
    'promo campaigns create --body @campaign.json --if-exists reuse --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [createCampaign, getCampaign, updateCampaign]
  static override columns = campaignColumns
  static override asks = { body: { or: ['set'], question: 'the campaign as JSON, or @FILE:' } }
  static override flags = {
    ...serviceFlags,
    ...outputFlags,
    ...bodyFlags,
    ...allowUnknownFlag,
    ...ifExistsFlag,
    ...confirmFlags,
    ...dryRunFlag,
  }

  async run() {
    const { flags } = await this.input(Create)
    const body = (await bodyFrom(flags, newCampaign, this.host)) as { name: string }
    const change = await calledWith(updateCampaign, flags)
    await this.writeOne(flags, {
      endpoint: await calledWith(createCampaign, flags),
      request: { body },
      columns: Create.columns,
      existing: {
        choice: flags['if-exists'],
        named: `campaign "${body.name}"`,
        find: (client) => unlessMissing(client.call(getCampaign, { path: { campaignId: body.name } })),
        update: (client, { id }) =>
          client.call(change, { path: { campaignId: id }, body: membersIn(body, updatedCampaign.shape) }),
      },
    })
  }
}
