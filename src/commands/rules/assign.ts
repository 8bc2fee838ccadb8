import { shellWord } from '../../base/shell-word.ts'
import { writeCommand } from '../../cli/declared/write.ts'
import { argument, namingFlag, switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { assignValidationRule, listRuleAssignments } from '../../contract/validation-rules.ts'
import { assignmentColumns } from '../../output/columns/resources/rules.ts'

const targets = ['campaign', 'voucher', 'tier', 'earning-rule', 'offer'] as const

/** What the service calls what a flag names. */
const types = {
  campaign: 'campaign',
  voucher: 'voucher',
  tier: 'promotion_tier',
  'earning-rule': 'earning_rule',
  offer: 'reward_assignment',
} as const

const one = { exactlyOne: [...targets] }

export default writeCommand('Assign a validation rule to something, which is then restricted by it', {
  description:
    'A rule of a campaign holds for all of its codes, those that were published too. With --force an assignment that exists is replaced by a new one.',
  examples: [
    'promo rules assign val_19b8d627a800000001 --campaign camp_19b8d627a800000003 --dry-run --profile sandbox',
    'promo rules assign val_19b8d627a800000001 --tier promo_19b8d627a800000001 --dry-run --profile sandbox',
  ],
  calls: [assignValidationRule, listRuleAssignments],
  columns: assignmentColumns,
  args: { rule: argument('a validation rule, by id or name', 'rule') },
  flags: {
    campaign: namingFlag('campaign', 'a campaign, by id or name', one),
    voucher: textFlag('a voucher, by code or id', 'CODE', one),
    tier: namingFlag('tier', 'a promotion tier, by id or name', one),
    'earning-rule': namingFlag('earning rule', 'an earning rule, by id or banner', one),
    offer: namingFlag('offer', 'an offer of a program, by its id, or by id or name of the reward', one),
    force: switchFlag('replace an assignment that exists'),
  },
  made: { listedBy: ({ args }) => `promo rules assignments list --rule ${shellWord(args.rule)}` },
  request: ({ args, flags }) => {
    const named = targets.find((name) => flags[name] !== undefined) ?? 'campaign'
    return {
      path: { validationRuleId: args.rule },
      query: flags.force ? { force: true } : {},
      body: { related_object_type: types[named], related_object_id: flags[named] },
    }
  },
})
