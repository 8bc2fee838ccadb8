// The commands of metadata schemas and of schemas of custom events.
import { callsOf } from '../../contract/calls-about.ts'
import * as events from '../../contract/event-schemas.ts'
import * as schemas from '../../contract/metadata-schemas.ts'
import { eventSchemaColumns } from '../../output/columns/resources/project.ts'
import { metadataSchemaColumns } from '../../output/columns/resources/rules.ts'
import { resourceCommands } from '../resource.ts'

const deleted = '"deleted": true in a definition removes it. Definitions that are not named stay.'

/** The commands of metadata schemas. */
export const metadataSchemaCommands = resourceCommands('metadata schemas', 'metadata schema', {
  columns: metadataSchemaColumns,
  calls: callsOf(schemas, 'project-metadata-schemas', ['get', 'create', 'update', 'delete']),
  elsewhere: {
    list: schemas.listProjectMetadataSchemas,
    get: schemas.getProjectMetadataSchema,
    words: () => 'metadata schemas',
  },
  named: {
    name: 'schema',
    about: 'a metadata schema, by id or what it is about: voucher, customer …',
    example: 'ms_1',
    names: 'metadata schema',
  },
  members: {
    object: {
      about: 'the kind of object: voucher, customer, order …',
      path: 'related_object',
      isNeeded: true,
      isFixed: true,
    },
    'defined-only': {
      about: 'refuse keys that the schema does not define',
      path: 'allow_defined_only',
      takes: 'switch',
    },
  },
  unique: 'related_object',
  texts: {
    get: {
      examples: [
        'promo metadata schemas --csv --columns id --no-header --profile sandbox | xargs -r -I ID promo metadata schemas get ID --profile sandbox',
        'promo metadata schemas --csv --columns id --no-header --profile sandbox | xargs -r -I ID promo metadata schemas get ID --json --profile sandbox',
      ],
    },
    create: {
      examples: [
        '--object voucher --defined-only',
        '{"related_object":"voucher","properties":{"channel":{"type":"string","optional":true}}}',
      ],
    },
    update: {
      description: deleted,
      examples: ['--no-defined-only', '{"properties":{"weight":{"type":"number","optional":true}}}'],
    },
    delete: { description: 'Its definitions are gone for good; the metadata stays. Asks for confirmation.' },
  },
})

/** The commands of schemas of custom events. */
export const eventSchemaCommands = resourceCommands('events schemas', 'schema of a custom event', {
  columns: eventSchemaColumns,
  calls: callsOf(events, 'event-schemas'),
  named: {
    name: 'schema',
    about: 'a schema, by id or the name of its event',
    example: 'cupping_attended',
    names: 'event schema',
  },
  members: { name: { about: 'the name, as `promo events send` sends it', isNeeded: true, isFixed: true } },
  unique: 'name',
  texts: {
    create: {
      examples: [
        '--name page_read',
        '{"name":"page_read","schema":{"properties":{"minutes":{"type":"number","optional":true}}}}',
      ],
    },
    update: {
      description: deleted,
      examples: [
        `--set 'schema.properties.minutes={"type":"number","optional":true}'`,
        '{"schema":{"properties":{"minutes":{"type":"number","deleted":true}}}}',
      ],
    },
    delete: { description: 'Earning rules that name the event stay. Asks for confirmation.' },
  },
})
