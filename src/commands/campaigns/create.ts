import { ofMissing } from '../../api/outcome/call-error.ts'
import { calledWith } from '../../cli/declared/command.ts'
import { writeCommand } from '../../cli/declared/write.ts'
import { ifExistsFlag, membersIn } from '../../cli/request/if-exists.ts'
import { flagsOfMembers, type MemberFlags } from '../../cli/request/member-flags.ts'
import { listedMembers } from '../../cli/topics/campaigns/listed-members.ts'
import {
  amounts,
  codeFlags,
  partsOfAmounts,
  rulesFlag,
  usesFlag,
  validityFlags,
  worthFlags,
} from '../../cli/topics/vouchers/members.ts'
import {
  createCampaign,
  getCampaign,
  listCampaigns,
  updateCampaign,
  updatedCampaign,
} from '../../contract/campaigns.ts'
import { campaignTypes } from '../../contract/new-campaign.ts'
import { PromoError } from '../../errors.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'
import { valueAt } from '../../output/path.ts'

const members: MemberFlags = {
  name: { about: 'the name, unique in the project' },
  description: { about: 'the description' },
  type: { about: 'whether codes can be added later', takes: ['STATIC', 'AUTO_UPDATE'] },
  'campaign-type': { about: 'the kind (default: what its codes hold decides)', takes: campaignTypes },
  ...worthFlags({ prefix: 'voucher.', isNew: true }),
  ...usesFlag('voucher.'),
  ...rulesFlag,
  ...codeFlags,
  category: { about: 'the category, by name' },
  active: { about: 'switched on from the start', takes: 'switch' },
  ...validityFlags,
}

const [worth, ...others] = amounts

export default writeCommand('Create a campaign from flags, single fields or a JSON document', {
  description:
    'With more than one code, it is ready when its creation_status is DONE. To limit uses per customer, make a rule with `rules create --per-customer`, and name it with --rules. A name that is taken is refused; --if-exists says what else to do. An update changes every field that is named, but not the kind of the campaign.',
  examples: [
    'promo campaigns create --name Spring --percent-off 10 --count 100 --pattern SPRING-###### --expires 2027-05-31 --dry-run --profile sandbox',
    'promo campaigns create --set name=Summer --set type=AUTO_UPDATE --gift-amount 2500 --metadata owner=ada --dry-run --profile sandbox',
    `echo '{"name":"Spring","type":"STATIC","voucher":{"type":"GIFT_VOUCHER"}}' > campaign.json; promo campaigns create --body @campaign.json --if-exists reuse --dry-run --profile sandbox`,
  ],
  calls: [createCampaign, getCampaign, updateCampaign, listCampaigns],
  instead: (campaign) => `promo campaigns delete ${campaign} --dry-run`,
  made: { asked: ({ body }) => listedMembers(body), listedBy: () => 'promo campaigns list' },
  columns: campaignColumns,
  asks: {
    name: { unless: ['body', 'set'] },
    // A campaign of promotions has no codes, which alone are worth something.
    [worth]: { or: others, unless: ['body', 'set', 'campaign-type', ...partsOfAmounts] },
  },
  flags: { ...flagsOfMembers(members), ...ifExistsFlag },
  body: { takes: 'any', members },
  request: ({ body }) => ({ body }),
  existing({ flags, body }) {
    const { name } = body as { name: string }
    return {
      choice: flags['if-exists'],
      isBinned: true,
      named: `campaign "${name}"`,
      find: (client) => client.call(getCampaign, { path: { campaignId: name } }).catch(ofMissing),
      async update(client, found) {
        mustBeOfKind(found, body)
        const change = await calledWith(updateCampaign, flags as object)
        return client.call(change, { path: { campaignId: found.id }, body: membersIn(body, updatedCampaign.shape) })
      },
    }
  },
})

/** Throws `api` (exit 3) for a campaign that is of another kind than the one that was asked for, which no update changes. */
function mustBeOfKind(found: object, wanted: object): void {
  const different = ['campaign_type', 'voucher.type'].filter((path) => {
    const [is, asked] = [valueAt(found, path), valueAt(wanted, path)]
    return typeof is === 'string' && typeof asked === 'string' && is !== asked
  })
  if (different.length === 0) return
  const kinds = different.map((path) => `${path} ${String(valueAt(found, path))}`).join(' and ')
  throw new PromoError('api', `the name is taken by a campaign with ${kinds}, which no update changes`, {
    hint: 'choose another name, or --if-exists reuse to take that campaign as it is',
  })
}
