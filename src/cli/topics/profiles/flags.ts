// The settings of a profile as flags; the same when it is added and when it is changed.

import { Flags } from '@oclif/core'
import { choiceFlag, textFlag } from '../../flags/kinds.ts'
import { timeZone } from '../../flags/values.ts'

/** Every setting but `--protected`, which is removed only when a profile is changed. */
export const settingFlags = {
  region: choiceFlag('the region of the shared cluster', ['eu', 'us', 'as'], { exclusive: ['base-url'] }),
  'base-url': textFlag('the address of a dedicated cluster', 'URL'),
  'project-id': textFlag('the id of the project, for management calls', 'ID'),
  'app-id': textFlag('the application id; promo asks for its token', 'ID'),
  'management-id': textFlag('the management id; promo asks for its token', 'ID'),
  'api-version': textFlag("the API version, instead of the project's own"),
  timezone: Flags.custom<string>({ parse: async (text) => timeZone(text) })({
    description: 'the time zone of the project, like Europe/Warsaw',
    helpValue: 'ZONE',
  }),
  rate: textFlag('the most requests, unless a command sets another --rate', 'N/s|N/m|N/h'),
}
