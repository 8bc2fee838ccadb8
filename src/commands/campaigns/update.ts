import { writeCommand } from '../../cli/declared/write.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { flagsOfMembers, type MemberFlags } from '../../cli/request/member-flags.ts'
import { rulesFlag, usesFlag, validityFlags, worthFlags } from '../../cli/topics/vouchers/members.ts'
import { getCampaign, updateCampaign } from '../../contract/campaigns.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

const members: MemberFlags = {
  description: { about: 'the description' },
  ...worthFlags({ isNew: false }),
  ...usesFlag('voucher.'),
  ...rulesFlag,
  category: { about: 'the category, by name' },
  ...validityFlags,
}

export default writeCommand('Change a campaign; what is not named stays', {
  description:
    'Its vouchers follow in the background. Rules are added to those assigned; promo rules unassign takes one off.',
  examples: [
    'promo campaigns update "Bean Club" --description "For regulars" --expires 2027-12-31 --dry-run --profile sandbox',
    'promo campaigns update "Bean Club" --body \'{"metadata":{"owner":"ada"}}\' --dry-run --profile sandbox',
  ],
  calls: [updateCampaign, getCampaign],
  columns: campaignColumns,
  args: { campaign: argument('a campaign, by id or name') },
  flags: flagsOfMembers(members),
  asks: { body: { or: ['set', ...Object.keys(members)], question: 'the changes as JSON, or @FILE:' } },
  body: { takes: 'any', members },
  request: ({ args, body }) => ({ path: { campaignId: args.campaign }, body }),
})
