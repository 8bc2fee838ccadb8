// The commands of loyalty programs.
import { callsOf } from '../../contract/calls-about.ts'
import * as programs from '../../contract/loyalty-programs.ts'
import { loyaltyProgramColumns } from '../../output/columns/campaigns.ts'
import { resourceCommands } from '../resource.ts'
import { validityFlags } from '../topics/vouchers/members.ts'

/** The commands of loyalty programs. */
export const programCommands = resourceCommands('loyalty programs', 'loyalty program', {
  columns: loyaltyProgramColumns,
  calls: callsOf(programs, 'loyalty.programs'),
  named: { name: 'campaign', about: 'a loyalty program, by id or name', example: '"Bean Club"' },
  members: {
    name: { about: 'the name', isNeeded: true, isFixed: true },
    description: { about: 'the description' },
    points: {
      about: 'points on a new card (default 0)',
      path: 'voucher.loyalty_card.points',
      value: 'N',
      implies: ['voucher.type=LOYALTY_CARD'],
      isFixed: true,
    },
    'auto-join': { about: 'customers get a card automatically', takes: 'switch' },
    category: {
      about: 'the category, by id or name',
      path: 'category_id',
      value: 'ID',
      names: 'category',
      mayBeNone: true,
    },
    ...validityFlags,
  },
  defaults: { voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } } },
  unique: 'name',
  texts: {
    list: { summary: 'List loyalty programs, newest first' },
    create: {
      examples: [
        '--name "Tea Club" --points 10',
        '{"name":"Tea Club","voucher":{"type":"LOYALTY_CARD","loyalty_card":{"points":0}}}',
      ],
    },
    update: { examples: ['--description "For regulars"', '{"metadata":{"owner":"ada"}}'] },
    delete: {
      summary: 'Delete a loyalty program and its cards',
      description:
        'It goes to the bin, where its name stays taken; with --force it is deleted permanently. Asks for confirmation.',
    },
  },
})
