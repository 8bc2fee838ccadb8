import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { calledWith } from '../../cli/declared.ts'
import { allowUnknownFlag, bodyFlags, callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { bodyFrom } from '../../cli/request/body.ts'
import { ifExistsFlag, membersIn, unlessMissing } from '../../cli/request/if-exists.ts'
import { getCampaign, updateCampaign, updatedCampaign } from '../../contract/campaigns.ts'
import { campaignSetup, setUpCampaign } from '../../contract/templates.ts'
import { campaignSetupColumns } from '../../output/columns/templates.ts'

export default class SetupCampaign extends PromoCommand {
  static override summary = 'Create a campaign, with its rules and products, from a template'
  static override description =
    '--body and --set override the template. A name that is taken is refused unless --if-exists says otherwise; an update changes only what --body and --set name. Shows the campaign and everything else that was created.'
  static override examples = [
    'promo templates setup-campaign camp_tpl_19b8d627a800000001 --name "Spring 2027" --profile sandbox',
    'promo templates setup-campaign camp_tpl_19b8d627a800000001 --name "Spring 2028" --set vouchers_count=10 --set active=false --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [setUpCampaign, getCampaign, updateCampaign]
  static override columns = campaignSetupColumns
  static override args = { id: argument('the id of the template') }
  static override flags = {
    ...callFlags,
    name: Flags.string({ description: 'the name of the campaign, unique in its project', required: true }),
    ...bodyFlags,
    ...allowUnknownFlag,
    ...ifExistsFlag,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(SetupCampaign)
    const overrides = await bodyFrom(flags, campaignSetup, this.host)
    const change = await calledWith(updateCampaign, flags)
    const asSetUp = (campaign: { id: string }) => ({
      object: 'campaign_setup' as const,
      campaign,
      created_resources: [],
    })
    await this.writeOne(flags, {
      endpoint: await calledWith(setUpCampaign, flags),
      request: { path: { campaignTemplateId: args.id }, body: { ...overrides, name: flags.name } },
      columns: SetupCampaign.columns,
      existing: {
        choice: flags['if-exists'],
        named: `campaign "${flags.name}"`,
        async find(client) {
          const found = await unlessMissing(client.call(getCampaign, { path: { campaignId: flags.name } }))
          return found && asSetUp(found)
        },
        update: async (client, { campaign }) =>
          asSetUp(
            await client.call(change, {
              path: { campaignId: campaign.id },
              body: membersIn(overrides, updatedCampaign.shape),
            }),
          ),
      },
    })
  }
}
