import { writeCommand } from '../../cli/declared/write.ts'
import { flagsOfMembers, type MemberFlags } from '../../cli/request/member-flags.ts'
import { withoutSecrets } from '../../cli/topics/projects/shown.ts'
import { getProject, updateProject } from '../../contract/projects.ts'
import { projectColumns } from '../../output/columns/resources/project.ts'

const members: MemberFlags = {
  name: { about: 'the name' },
  description: { about: 'the description' },
  timezone: { about: 'the time zone of the project, like Europe/Warsaw', value: 'ZONE' },
  currency: { about: 'the currency, like EUR', value: 'CODE' },
}

export default writeCommand('Change the settings of a project; what is not named stays', {
  examples: [
    'promo projects update --timezone Europe/Warsaw --currency EUR --dry-run --profile sandbox',
    `promo projects update --body '{"default_code_config":{"length":6}}' --dry-run --profile sandbox`,
  ],
  calls: [updateProject, getProject],
  columns: projectColumns,
  flags: flagsOfMembers(members),
  asks: { body: { or: ['set', ...Object.keys(members)], question: 'the changes as JSON, or @FILE:' } },
  body: { takes: 'any', members },
  shown: withoutSecrets,
  request: ({ projectId, body }) => ({ path: { projectId }, body }),
})
