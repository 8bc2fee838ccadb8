import { argumentWords, shellWord } from '../../base/shell-word.ts'
import type { Placed } from '../../check/ignores.ts'
import { PromoCommand } from '../../cli/command.ts'
import { groupFlags, outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { choiceFlag, switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { addedFindings, planReport } from '../../cli/topics/check/added.ts'
import { writeReport } from '../../cli/topics/check/show.ts'
import { stepRows } from '../../cli/topics/config/changes.ts'
import { dirArg, pruneFlag, readCalls, replaceFlag } from '../../cli/topics/config/declared.ts'
import { makePlan } from '../../cli/topics/config/make-plan.ts'
import { openProject } from '../../cli/topics/config/open.ts'
import { forgetting, unfinishedApply } from '../../cli/topics/config/unfinished.ts'
import { prunableKinds } from '../../config/plan.ts'
import { folderOfPlan, planText } from '../../config/plan-file.ts'
import { dataCalls } from '../../config/referrers.ts'
import { listBinEntries } from '../../contract/trash-bin.ts'
import { EXIT } from '../../errors.ts'
import { stepColumns } from '../../output/columns/plan.ts'
import { mustBeNamedFor, mustBeReplaceable, outFile } from '../../output/out-file.ts'
import { formats } from '../../output/shape.ts'

const { out: _, ...shapeFlags } = outputFlags

export default class Plan extends PromoCommand {
  static override summary = 'Plan the calls that make the project of the profile like the files'
  static override description =
    'Nothing is changed. The plan of --out holds each call, the values before and after, and fingerprints of what was read. `config apply` makes exactly these calls, or none if the project has changed since. Objects without a file are left alone unless --prune names their kind.'
  static override examples = [
    'promo config pull ~/shop --profile sandbox | tail -1; promo config plan ~/shop --exit-code --profile sandbox',
    'promo config pull ~/shop --profile sandbox | tail -1; promo config plan ~/shop --out ~/plan.json --profile sandbox',
  ]
  static override calls = [...readCalls, listBinEntries, ...dataCalls]
  static override columns = stepColumns
  static override exits = [EXIT.no]
  static override args = dirArg
  static override flags = {
    ...serviceFlags,
    ...shapeFlags,
    ...groupFlags('OUTPUT', {
      format: choiceFlag(String(outputFlags.format.description), [...formats, 'markdown'], {
        exclusive: ['json', 'jsonl', 'csv', 'excel'],
      }),
    }),
    out: textFlag('write the plan to this file', 'FILE', { char: 'o' }),
    prune: pruneFlag(prunableKinds),
    replace: replaceFlag,
    'exit-code': switchFlag('exit with 12 if there is something to do'),
  }

  async run() {
    const { args, flags } = await this.input(Plan)
    if (flags.out !== undefined) {
      mustBeNamedFor(flags.out, 'file')
      await mustBeReplaceable(flags.out)
    }
    const { show: messages } = this
    const client = await this.connect()
    const opened = await openProject(args.dir, { client, host: this.host, messages }, { replaced: flags.replace })
    const { out, prune = [], format } = flags
    const path = out ?? 'plan.json'
    const left = await unfinishedApply(args.dir, opened.projectId, this.host)
    let found: Placed[] = []
    const facts = {
      folder: folderOfPlan(path, args.dir),
      prune,
      now: this.host.now(),
      version: this.config.version,
      find: (...about: Parameters<typeof addedFindings>) => {
        found = addedFindings(...about)
        return found
      },
      generations: left?.generations,
    }
    const plan = await makePlan(opened, facts, { client, messages })
    const forgotten = forgetting(left, plan, opened)
    if (forgotten !== undefined) messages.warn(`warning: ${forgotten.message} (${forgotten.facts.hint})`)
    if (out !== undefined) {
      const file = await outFile(out, this.host.stop)
      await file.write(planText(plan))
      await file.finish()
    }
    if (format === 'markdown') await writeReport(format, planReport(plan.steps, found), this.show)
    else
      await this.show.rows(stepRows(plan.steps), stepColumns, {
        nothing: 'nothing to do: the project is what the files say',
      })
    if (out !== undefined) {
      const profile = flags.profile === undefined ? '' : ` --profile ${shellWord(flags.profile)}`
      messages.say(`plan written; apply it with: promo config apply${profile} ${argumentWords(out)}`)
    }
    if (flags['exit-code'] && plan.steps.length > 0) this.exitCode = EXIT.no
  }
}
