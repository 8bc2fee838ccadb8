import { argumentWords } from '../../../base/shell-word.ts'
import { bulkCommand } from '../../../cli/declared/bulk.ts'
import { argument, argumentList, namingFlag } from '../../../cli/flags/kinds.ts'
import { choosingReferees } from '../../../cli/topics/referrals/filters.ts'
import { removeCampaignHolder, removeHolder } from '../../../contract/referrals.ts'

export default bulkCommand('Remove referees from a referral code: one, many, or a whole file', {
  description:
    'Holders are named by the ids that `referrals holders list` shows. The owner of the code cannot be removed. Asks for confirmation even for a single holder.',
  examples: [
    'promo referrals holders remove FRIEND-001 rh_1a2b3c --dry-run --profile sandbox',
    'promo referrals holders list FRIEND-001 --role REFEREE --csv --profile sandbox | promo referrals holders remove FRIEND-001 --from - --yes --profile sandbox',
  ],
  calls: [removeHolder, removeCampaignHolder],
  instead: (_, args) => `promo referrals holders add --help ${argumentWords(String(args.member))}`,
  args: { member: argument('a referral code or its id'), holder: argumentList('the ids of holders') },
  asks: { holder: { unless: ['from'], question: 'the id of a holder:' } },
  flags: { campaign: namingFlag('campaign', 'the campaign of the code, by id or name') },
  words: { noun: 'holder', verb: 'remove', done: 'removed', unchanged: 'already gone', key: 'id' },
  onDuplicate: 'fold',
  choosing: choosingReferees,
  rows: ({ args, flags: { campaign } }) => ({
    endpoint: campaign === undefined ? removeHolder : removeCampaignHolder,
    request: ({ key }) => ({
      path: { memberId: args.member, ...(campaign !== undefined && { campaignId: campaign }), holderId: key },
    }),
  }),
})
