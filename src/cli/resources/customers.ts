// The commands of segments of customers.
import { callsOf } from '../../contract/calls-about.ts'
import * as segments from '../../contract/segments.ts'
import { segmentColumns } from '../../output/columns/resources/rules.ts'
import { resourceCommands } from '../resource.ts'

/** The commands of segments. */
export const segmentCommands = resourceCommands('segments', 'segment', {
  columns: segmentColumns,
  calls: callsOf(segments, 'segments', ['list', 'get', 'create', 'delete']),
  named: { name: 'segment', about: 'a segment, by id or name', example: 'seg_1', names: 'segment' },
  members: {
    name: { about: 'the name', isNeeded: true },
    type: {
      about: 'the kind: a fixed list, a live filter, or one that is applied when read',
      takes: ['static', 'auto-update', 'passive'],
    },
    customers: {
      about: 'the customers of a fixed list: ids, source ids, e-mails or phones',
      takes: 'many',
      value: 'WHO,…',
      names: 'person',
    },
  },
  texts: {
    list: { summary: 'List the segments of customers' },
    get: {
      examples: [
        'promo segments list --csv --columns id --no-header --profile sandbox | xargs -r -I ID promo segments get ID --profile sandbox',
        'promo segments list --csv --columns id --no-header --profile sandbox | xargs -r -I ID promo segments get ID --json --profile sandbox',
      ],
    },
    create: {
      description: 'It cannot be changed: create another one, and delete this one when nothing refers to it.',
      examples: [
        `--name Readers --type auto-update --set 'filter={"junction":"AND","metadata.newsletter":{"conditions":{"$is":[true]}}}'`,
        '{"name":"Guests","type":"static","customers":["cust_1"]}',
      ],
    },
    delete: { description: 'Its customers stay, and so do rules that name it. Asks for confirmation.' },
  },
})
