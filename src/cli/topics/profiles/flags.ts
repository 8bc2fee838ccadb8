// The settings of a profile as flags; the same when it is added and when it is changed.
import { Flags } from '@oclif/core'
import { timeZone } from '../../flags/values.ts'

/** Every setting but `--protected`, which is removed only when a profile is changed. */
export const settingFlags = {
  region: Flags.option({
    description: 'the shared cluster',
    exclusive: ['base-url'],
    options: ['eu', 'us', 'as'] as const,
  })(),
  'base-url': Flags.string({ description: 'the address of a dedicated cluster', helpValue: 'URL' }),
  'project-id': Flags.string({ description: 'the id of the project, for management calls', helpValue: 'ID' }),
  'app-id': Flags.string({ description: 'the application id (its token is asked for)', helpValue: 'ID' }),
  'management-id': Flags.string({ description: 'the management id (its token is asked for)', helpValue: 'ID' }),
  'api-version': Flags.string({ description: "the API version to use instead of the project's own" }),
  timezone: Flags.custom<string>({ parse: async (text) => timeZone(text) })({
    description: 'the time zone of the project, in which a day such as 2026-12-31 begins and ends (default: UTC)',
    helpValue: 'ZONE',
  }),
  rate: Flags.string({
    description: 'the maximum request rate, unless a command sets another',
    helpValue: 'N/s|N/m|N/h',
  }),
}
