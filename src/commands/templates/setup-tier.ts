import { Flags } from '@oclif/core'
import { writeCommand } from '../../cli/declared/write.ts'
import { argument, naming } from '../../cli/flags/kinds.ts'
import { flagsOfMembers, type MemberFlags } from '../../cli/request/member-flags.ts'
import { discountFlags, validityFlags } from '../../cli/topics/vouchers/members.ts'
import { listCampaignTiers } from '../../contract/promotions.ts'
import { setUpTier } from '../../contract/templates.ts'
import { tierSetupColumns } from '../../output/columns/templates.ts'

const members: MemberFlags = {
  ...discountFlags('action.'),
  active: { about: 'switched on from the start', takes: 'switch' },
  ...validityFlags,
}

export default writeCommand('Create a promotion tier from a template', {
  description:
    'Flags, --body and --set override the template. Shows the tier and everything else that was created. If the answer is lost, the request is not sent again, because that would create a second tier.',
  examples: [
    'promo templates setup-tier camp_tpl_19b8d627a800000001 --campaign camp_19b8d627a800000006 --name "Spring tier" --profile sandbox',
    'promo templates setup-tier camp_tpl_19b8d627a800000001 --campaign camp_19b8d627a800000006 --name Low --set hierarchy=9 --dry-run --profile sandbox',
  ],
  calls: [setUpTier, listCampaignTiers],
  instead: 'promo promotions tiers delete --help',
  columns: tierSetupColumns,
  args: { template: argument('a template, by id or name', 'template') },
  flags: {
    campaign: Flags.string({
      description: 'the promotion campaign of the tier, by id or name',
      helpValue: 'ID',
      required: true,
      ...naming('campaign'),
    }),
    name: Flags.string({ description: 'the name', required: true }),
    ...flagsOfMembers(members),
  },
  made: {
    asked: ({ flags: { name }, body }) => ({ ...(body as object), name }),
    listedBy: () => 'promo promotions list',
  },
  body: { takes: 'any', members },
  request: ({ args, flags: { name, campaign: campaign_id }, body }) => ({
    path: { campaignTemplateId: args.template },
    body: { ...(body as object), name, campaign_id },
  }),
})
