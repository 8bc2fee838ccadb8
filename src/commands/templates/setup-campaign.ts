import { Flags } from '@oclif/core'
import { ofMissing } from '../../api/outcome/call-error.ts'
import { calledWith } from '../../cli/declared/command.ts'
import { writeCommand } from '../../cli/declared/write.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { ifExistsFlag, membersIn } from '../../cli/request/if-exists.ts'
import { flagsOfMembers, type MemberFlags } from '../../cli/request/member-flags.ts'
import { listedMembers } from '../../cli/topics/campaigns/listed-members.ts'
import { codeFlags, usesFlag, validityFlags, worthFlags } from '../../cli/topics/vouchers/members.ts'
import { getCampaign, listCampaigns, updateCampaign, updatedCampaign } from '../../contract/campaigns.ts'
import { setUpCampaign } from '../../contract/templates.ts'
import { campaignSetupColumns } from '../../output/columns/templates.ts'

const members: MemberFlags = {
  ...worthFlags({ prefix: 'voucher.', isNew: false }),
  ...usesFlag('voucher.'),
  ...codeFlags,
  active: { about: 'switched on from the start', takes: 'switch' },
  ...validityFlags,
}

export default writeCommand('Create a campaign, with its rules and products, from a template', {
  description:
    'Flags, --body and --set override the template. A name that is taken is refused unless --if-exists says otherwise; an update changes only what these name. Shows the campaign and everything else that was created.',
  examples: [
    'promo templates setup-campaign camp_tpl_19b8d627a800000001 --name "Spring 2027" --profile sandbox',
    'promo templates setup-campaign camp_tpl_19b8d627a800000001 --name "Spring 2028" --count 10 --no-active --dry-run --profile sandbox',
  ],
  calls: [setUpCampaign, getCampaign, updateCampaign, listCampaigns],
  instead: 'promo campaigns delete --help',
  made: {
    asked: ({ flags: { name }, body }) => ({ ...listedMembers(body), name }),
    listedBy: () => 'promo campaigns list',
  },
  columns: campaignSetupColumns,
  args: { template: argument('a template, by id or name', 'template') },
  flags: {
    name: Flags.string({ description: 'the name, unique in the project', required: true }),
    ...flagsOfMembers(members),
    ...ifExistsFlag,
  },
  body: { takes: 'any', members },
  request: ({ args, flags, body }) => ({
    path: { campaignTemplateId: args.template },
    body: { ...(body as object), name: flags.name },
  }),
  existing: ({ flags, body }) => ({
    choice: flags['if-exists'],
    isBinned: true,
    named: `campaign "${flags.name}"`,
    async find(client) {
      const found = await client.call(getCampaign, { path: { campaignId: flags.name } }).catch(ofMissing)
      return found && asSetUp(found)
    },
    async update(client, { campaign: { id } }) {
      const request = { path: { campaignId: id }, body: membersIn(body, updatedCampaign.shape) }
      return asSetUp(await client.call(await calledWith(updateCampaign, flags as object), request))
    },
  }),
})

function asSetUp(campaign: { id: string }) {
  return { object: 'campaign_setup' as const, campaign, created_resources: [] }
}
