import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags, serviceFlags, writeFlags } from '../../../cli/flags/flags.ts'
import { argument, namingFlag, switchFlag } from '../../../cli/flags/kinds.ts'
import { moveTier } from '../../../cli/topics/promotions/move.ts'
import { getPromotionTier, listCampaignTiers, updatePromotionTier } from '../../../contract/promotions.ts'
import { tierColumns } from '../../../output/columns/resources/promotions.ts'

const exactlyOne = ['before', 'after', 'first', 'last']

export default class Move extends PromoCommand {
  static override summary = 'Move a promotion tier to another place among those of its campaign'
  static override description =
    'Only tiers whose number changes are sent, one call each; then all tiers of the campaign are shown in their new order.'
  static override examples = [
    'promo promotions tiers move promo_19b8d627a800000002 --first --profile sandbox',
    'promo promotions tiers move promo_19b8d627a800000001 --after promo_19b8d627a800000002 --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [getPromotionTier, listCampaignTiers, updatePromotionTier]
  static override columns = tierColumns
  static override args = { tier: argument('a promotion tier, by id or name', 'tier') }
  static override flags = {
    ...serviceFlags,
    before: namingFlag('tier', 'the tier that comes next, by id or name', { exactlyOne }),
    after: namingFlag('tier', 'the tier that comes before it, by id or name', { exactlyOne }),
    first: switchFlag('before all others', { exactlyOne }),
    last: switchFlag('after all others', { exactlyOne }),
    ...outputFlags,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.inputWithIds(Move)
    await moveTier(args.tier, flags, this)
  }
}
