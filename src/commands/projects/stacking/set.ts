import { CallError } from '../../../api/outcome/call-error.ts'
import { PromoCommand } from '../../../cli/command.ts'
import { bodyFlags, outputFlags, serviceFlags, writeFlags } from '../../../cli/flags/flags.ts'
import { bodyFrom } from '../../../cli/request/body.ts'
import { carryOut } from '../../../cli/request/carry-out.ts'
import { flagsOfMembers, type MemberFlags, withMembers } from '../../../cli/request/member-flags.ts'
import { actionOf, recordsUndo } from '../../../cli/request/write.ts'
import { projectFlag, projectOf } from '../../../cli/session/project.ts'
import { rulesOfProject } from '../../../cli/topics/projects/stacking.ts'
import {
  createStackingRules,
  listStackingRules,
  stackingRules,
  updateStackingRules,
} from '../../../contract/stacking-rules.ts'
import { stackingRulesColumns } from '../../../output/columns/resources/project.ts'

const members: MemberFlags = {
  limit: { about: 'how many redeemables a request may have', path: 'redeemables_limit', value: 'N' },
  applicable: { about: 'how many redeemables apply together', path: 'applicable_redeemables_limit', value: 'N' },
  exclusive: {
    about: 'categories of which only one redeemable applies, by id or name',
    path: 'exclusive_categories',
    takes: 'many',
    names: 'category',
  },
  joint: {
    about: 'categories that apply together with others, by id or name',
    path: 'joint_categories',
    takes: 'many',
    names: 'category',
  },
  application: {
    about: 'whether all redeemables must apply, or only those that can',
    path: 'redeemables_application_mode',
    takes: ['ALL', 'PARTIAL'],
  },
  sorting: {
    about: 'the order in which redeemables apply',
    path: 'redeemables_sorting_rule',
    takes: ['REQUESTED_ORDER', 'CATEGORY_HIERARCHY'],
  },
}

export default class StackingSet extends PromoCommand {
  static override summary = 'Change the stacking rules of a project; what is not named stays'
  static override description =
    "The rules are read first. A project without rules of its own gets some; what is not named has the service's defaults."
  static override examples = [
    'promo projects stacking set --limit 10 --application PARTIAL --dry-run --profile sandbox',
    `promo projects stacking set --body '{"redeemables_no_effect_rule":"SKIP"}' --dry-run --profile sandbox`,
  ]
  static override effect = 'write' as const
  static override calls = [listStackingRules, createStackingRules, updateStackingRules]
  static override columns = stackingRulesColumns
  static override asks = { body: { or: ['set', ...Object.keys(members)], question: 'the rules as JSON, or @FILE:' } }
  static override flags = {
    ...serviceFlags,
    ...projectFlag,
    ...outputFlags,
    ...flagsOfMembers(members),
    ...bodyFlags,
    ...writeFlags,
  }

  async run() {
    const { flags } = await this.inputWithIds(StackingSet)
    const set = withMembers(members, { ...flags })
    const body = await bodyFrom({ ...flags, set }, stackingRules, this)
    const { show } = this
    const about = { columns: stackingRulesColumns, endpoint: updateStackingRules }
    await carryOut(this, about, ({ client, profile }) => {
      const path = { projectId: projectOf(flags, profile) }
      const request = { path, body }
      const update = async (stackingRulesId: string) => {
        const changing = { path: { ...path, stackingRulesId }, body }
        const changed = await recordsUndo(client, updateStackingRules, changing)
        return await client.call(updateStackingRules, changing, { changed })
      }
      const create = async () => {
        const changed = await recordsUndo(client, createStackingRules, request)
        return await client.call(createStackingRules, request, { changed }).catch(async (error: unknown) => {
          // Another client set some meanwhile: the others of its settings stay.
          const isTaken = error instanceof CallError && error.status === 409
          const theirs = isTaken ? await rulesOfProject(client, path.projectId) : undefined
          if (theirs?.id === undefined) throw error
          return await update(theirs.id)
        })
      }
      return {
        requests: [client.plan(listStackingRules, { path }), client.plan(createStackingRules, request)],
        question: { action: actionOf(updateStackingRules), asks: false },
        async send() {
          const now = await rulesOfProject(client, path.projectId)
          const changed = now?.id === undefined ? await create() : await update(now.id)
          await show.afterWrite.one(changed, stackingRulesColumns)
        },
      }
    })
  }
}
