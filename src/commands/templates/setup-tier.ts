import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { calledWith } from '../../cli/declared.ts'
import { allowUnknownFlag, bodyFlags, callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { bodyFrom } from '../../cli/request/body.ts'
import { setUpTier, tierSetup } from '../../contract/templates.ts'
import { tierSetupColumns } from '../../output/columns/templates.ts'

export default class SetupTier extends PromoCommand {
  static override summary = 'Create a promotion tier from a template'
  static override description =
    '--body and --set override the template. Shows the tier and everything else that was created. If the answer is lost, the request is not sent again, because that would create a second tier.'
  static override examples = [
    'promo templates setup-tier camp_tpl_19b8d627a800000001 --campaign camp_19b8d627a800000006 --name "Spring tier" --profile sandbox',
    'promo templates setup-tier camp_tpl_19b8d627a800000001 --campaign camp_19b8d627a800000006 --name Low --set hierarchy=9 --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [setUpTier]
  static override columns = tierSetupColumns
  static override args = { id: argument('the id of the template') }
  static override flags = {
    ...callFlags,
    campaign: Flags.string({
      description: 'the id of the promotion campaign the tier belongs to',
      helpValue: 'ID',
      required: true,
    }),
    name: Flags.string({ description: 'the name of the tier', required: true }),
    ...bodyFlags,
    ...allowUnknownFlag,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(SetupTier)
    const overrides = await bodyFrom(flags, tierSetup, this.host)
    const { name, campaign: campaign_id } = flags
    await this.writeOne(flags, {
      endpoint: await calledWith(setUpTier, flags),
      request: { path: { campaignTemplateId: args.id }, body: { ...overrides, name, campaign_id } },
      columns: SetupTier.columns,
    })
  }
}
