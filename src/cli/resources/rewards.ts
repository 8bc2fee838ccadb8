// The commands of rewards, and of their offers in loyalty programs.
import { callsOf } from '../../contract/calls-about.ts'
import * as rewards from '../../contract/rewards.ts'
import { rewardColumns } from '../../output/columns/resources/loyalty.ts'
import { resourceCommands } from '../resource.ts'
import { metadataFlag } from '../topics/vouchers/members.ts'

/** The commands of rewards. */
export const rewardCommands = resourceCommands('rewards', 'reward', {
  columns: rewardColumns,
  calls: callsOf(rewards, 'rewards'),
  named: { name: 'reward', about: 'a reward, by id or name', example: '"Enamel mug"', names: 'reward' },
  members: {
    name: { about: 'the name', isNeeded: true },
    type: {
      about: 'what it is: goods, points as money, or something of a campaign',
      takes: ['MATERIAL', 'COIN', 'CAMPAIGN'],
      isNeeded: { unless: ['campaign', 'points-ratio', 'exchange-ratio'] },
      isFixed: true,
    },
    description: { about: 'the description', path: 'attributes.description' },
    image: { about: 'the address of a picture', path: 'attributes.image_url', value: 'URL' },
    'points-ratio': {
      about: 'coin reward: how many points are worth --exchange-ratio (default 1)',
      path: 'parameters.coin.points_ratio',
      value: 'N',
    },
    'exchange-ratio': {
      about: 'coin reward: what --points-ratio points are worth, in major units',
      path: 'parameters.coin.exchange_ratio',
      value: 'N',
    },
    campaign: {
      about: 'the campaign whose code it gives, by id or name',
      path: 'parameters.campaign.id',
      value: 'ID',
      names: 'campaign',
    },
    ...metadataFlag,
  },
  defaults: { parameters: {} },
  texts: {
    create: {
      summary: 'Create a reward, which no program offers yet',
      description: 'promo loyalty rewards offer puts it into a program, for a number of points.',
      examples: [
        '--name "Enamel mug" --type MATERIAL --description "White, 300 ml"',
        '{"name":"Pay with points","parameters":{"coin":{"exchange_ratio":0.05,"points_ratio":1}}}',
      ],
    },
    update: { examples: ['--name "Enamel mug, blue"', '{"metadata":{"colour":"blue"}}'] },
    delete: { summary: 'Delete a reward that no program offers' },
  },
})
