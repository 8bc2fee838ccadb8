import { Flags } from '@oclif/core'
import { shellWord } from '../../../base/shell-word.ts'
import { PromoCommand } from '../../../cli/command.ts'
import { bulkFlags, callFlags, writeFlags } from '../../../cli/flags/flags.ts'
import { argument, argumentList } from '../../../cli/flags/kinds.ts'
import type { JobUndo } from '../../../cli/undo.ts'
import { removeCampaignHolder, removeHolder } from '../../../contract/referrals.ts'

export default class Remove extends PromoCommand {
  static override summary = 'Remove referees from a referral code: one, many, or a whole file'
  static override description =
    'Holders are named by the ids that `referrals holders list` shows. The owner of the code cannot be removed. Asks for confirmation even for a single holder.'
  static override examples = [
    'promo referrals holders remove FRIEND-001 rh_1a2b3c --dry-run --profile sandbox',
    'promo referrals holders list FRIEND-001 --role REFEREE --csv --profile sandbox | promo referrals holders remove FRIEND-001 --from - --yes --profile sandbox',
  ]
  static override effect = 'write' as const
  static override undo: JobUndo = {
    because: 'its journal has the ids of the holders that are gone, not their customers',
    instead: (_, { args }) => `promo referrals holders add ${shellWord(String(args.member))} --help`,
  }
  static override calls = [removeHolder, removeCampaignHolder]
  static override args = { member: argument('a referral code or its id'), holder: argumentList('the ids of holders') }
  static override asks = { holder: { unless: ['from'], question: 'the id of a holder:' } }
  static override flags = {
    ...callFlags,
    campaign: Flags.string({ description: 'the campaign the code must belong to, by id' }),
    ...bulkFlags,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Remove)
    const { campaign } = flags
    const code = { memberId: args.member, ...(campaign !== undefined && { campaignId: campaign }) }
    await this.runBulk(args.holder, flags, {
      words: { noun: 'holder', verb: 'remove', done: 'removed', unchanged: 'already gone', key: 'id' },
      endpoint: campaign === undefined ? removeHolder : removeCampaignHolder,
      request: ({ key }) => ({ path: { ...code, holderId: key } }),
      asksForOne: true,
    })
  }
}
