import { writeCommand } from '../../cli/declared/write.ts'
import { argument, namingFlag, textFlag } from '../../cli/flags/kinds.ts'
import { ifExistsFlag, namedAmong } from '../../cli/request/if-exists.ts'
import { createTemplate, getTemplate, listTemplates, type Template, updateTemplate } from '../../contract/templates.ts'
import { templateColumns } from '../../output/columns/templates.ts'

const either = { exactlyOne: ['campaign', 'tier'] }

export default writeCommand('Create a template from a campaign or a promotion tier', {
  description:
    'Discount and gift card campaigns can become templates; a promotion tier becomes a template of discount coupons. A name that is taken is refused unless --if-exists says otherwise; an update changes the description.',
  examples: [
    'promo templates create "Spring, again" --campaign camp_19b8d627a800000001 --profile sandbox',
    'promo templates create "Big orders" --tier promo_19b8d627a800000001 --description "20 off" --dry-run --profile sandbox',
  ],
  calls: [createTemplate, listTemplates, getTemplate, updateTemplate],
  columns: templateColumns,
  args: { name: argument('the name of the template, unique in its project') },
  flags: {
    campaign: namingFlag('campaign', 'the campaign to create it from, by id or name', either),
    tier: namingFlag('tier', 'the promotion tier to create it from, by id or name', either),
    description: textFlag('the description'),
    ...ifExistsFlag,
  },
  made: {
    asked: ({ args: { name }, flags: { description } }) => ({
      name,
      ...(description !== undefined && { description }),
    }),
    listedBy: () => 'promo templates list',
  },
  request: ({ args, flags: { campaign: campaign_id, tier: promotion_tier_id, description } }) => ({
    body: { name: args.name, campaign_id, promotion_tier_id, description },
  }),
  existing: ({ args, flags: { 'if-exists': choice, description } }) => ({
    choice,
    named: `template "${args.name}"`,
    find: (client) => namedAmong<Template>(client.items(listTemplates, {}), args.name),
    update: (client, found) =>
      client.call(updateTemplate, { path: { campaignTemplateId: found.id }, body: { description } }),
  }),
})
