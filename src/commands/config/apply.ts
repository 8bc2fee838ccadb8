import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathBelow } from '../../base/files/path-below.ts'
import { refuseSharedState } from '../../base/files/privacy.ts'
import { listNames, mostNamed } from '../../base/name-list.ts'
import { formatCount } from '../../base/numbers.ts'
import { shellWord } from '../../base/shell-word.ts'
import { unlocked } from '../../cli/bulk/job-place.ts'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags, paceFlags, writeFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { projectOf } from '../../cli/session/project.ts'
import { addedFindings } from '../../cli/topics/check/added.ts'
import { beginPlan, jobOfPlan, openPlan } from '../../cli/topics/config/apply.ts'
import { shownMembers } from '../../cli/topics/config/changes.ts'
import { pruneFlag, replaceFlag } from '../../cli/topics/config/declared.ts'
import { makePlan } from '../../cli/topics/config/make-plan.ts'
import { openProject } from '../../cli/topics/config/open.ts'
import { configState, lockProject } from '../../cli/topics/config/state.ts'
import { forgetting, undecidedError, unfinishedApply } from '../../cli/topics/config/unfinished.ts'
import { prunableKinds } from '../../config/plan.ts'
import { planAgain, planText, readPlan } from '../../config/plan-file.ts'
import { writeWhole } from '../../config/records.ts'
import { usageError } from '../../errors.ts'
import { stepOutcomeColumns } from '../../output/columns/plan.ts'

const { concurrency: _, ...pace } = paceFlags

export default class Apply extends PromoCommand {
  static override summary = 'Apply a plan to its project, or plan a folder and apply that'
  static override description =
    'The steps are a job, sent one after the other; `jobs resume` continues it. The project is read again first; if anything changed since the plan was made, nothing is sent (exit 9). A step that fails stops only those that depend on it. A second apply of the same folder has nothing to do.'
  static override examples = [
    'promo config pull ~/shop --profile sandbox | tail -1; promo config apply ~/shop --dry-run --profile sandbox',
    'promo config pull ~/shop --profile sandbox | tail -1; promo config plan ~/shop --out ~/plan.json --profile sandbox; promo config apply ~/plan.json --yes --profile sandbox',
  ]
  static override effect = 'write' as const
  static override byHand = 'how the project was is in the files as they were before, which can be applied again'
  static override instead = 'promo config apply --help'
  // The plan says which.
  static override calls = 'any' as const
  static override columns = stepOutcomeColumns
  static override args = { source: argument('the file of a plan, or the folder of the files') }
  static override fileArgs = ['source']
  static override flags = {
    ...callFlags,
    prune: pruneFlag(prunableKinds),
    replace: replaceFlag,
    ...pace,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Apply)
    const { host } = this
    const { show: messages } = this
    const client = await this.connect()
    const projectId = projectOf(undefined, client.profile)
    const isFolder = statSync(args.source, { throwIfNoEntry: false })?.isDirectory() ?? false
    if (!isFolder && (flags.prune ?? flags.replace)) {
      const named = Object.entries({ prune: flags.prune, replace: flags.replace }).map(([name, values]) =>
        values === undefined ? '' : ` --${name} ${shellWord(values.join(','))}`,
      )
      throw usageError(
        '--prune and --replace belong to a folder; a plan says what it deletes and replaces',
        planAgain(args.source, await readPlan(args.source, host.stop), named.join('')),
      )
    }
    const isDry = flags['dry-run'] ?? false
    const lock = isDry ? unlocked : await lockProject(projectId, host)
    try {
      const path = isFolder ? await this.planOf(args.source, flags, client) : resolve(args.source)
      // Looked at again, but for what somebody was asked about.
      const resends = this.replay?.again?.includes('unknown') === true && !flags.yes
      const open = await openPlan(path, projectId, host, resends)
      const { steps } = open.plan
      if (steps.length === 0) {
        if (!isDry) beginPlan(open)
        await this.show.rows([], stepOutcomeColumns, { nothing: 'nothing to do: the project is what the files say' })
        return
      }
      if (isFolder)
        for (const step of steps) messages.say(`${step.step}. ${step.act} ${step.object} (${shownMembers(step)})`)
      const deleted = steps.filter(({ act }) => act === 'delete').map(({ object }) => object)
      if (deleted.length > 0 && !isDry && !this.replay) {
        const action = `delete ${formatCount(deleted.length, 'object')} that no file has: ${listNames(deleted, mostNamed)}`
        await client.agree({ action, deletes: true, isFinal: true })
      }
      const { findings = [] } = open.plan
      if (findings.length > 0 && !isDry && !this.replay) {
        if (!isFolder) for (const finding of findings) messages.warn(`error ${finding}`)
        const action = `apply a plan with ${formatCount(findings.length, 'error')} that promo check finds`
        await client.agree({ action })
      }
      // The job is that of the plan, wherever it is resumed from.
      this.line = { ...this.line, args: { source: path }, flags: { ...flags, prune: undefined, replace: undefined } }
      await this.runBulk(undefined, jobOfPlan(open, host), { concurrency: 1 })
    } finally {
      lock.release()
    }
  }

  /** Plans a folder; the plan is kept with promo's own files, so that its job can be resumed. */
  private async planOf(
    dir: string,
    flags: { prune?: string[] | undefined; replace?: string[] | undefined; quiet?: boolean },
    client: Awaited<ReturnType<PromoCommand['connect']>>,
  ) {
    const { host } = this
    const { show: messages } = this
    const opened = await openProject(dir, { client, host, messages }, { replaced: flags.replace })
    const left = await unfinishedApply(dir, opened.projectId, host)
    const open = undecidedError(left, opened)
    if (open !== undefined) throw open
    const facts = {
      folder: resolve(dir),
      prune: flags.prune ?? [],
      now: host.now(),
      version: this.config.version,
      find: addedFindings,
      generations: left?.generations,
    }
    const plan = await makePlan(opened, facts, { client, messages })
    const forgotten = forgetting(left, plan, opened)
    if (forgotten !== undefined) throw forgotten
    const path = pathBelow(configState(host), `${plan.checksum.slice(0, 32)}.json`)
    refuseSharedState(path)
    writeWhole([[path, planText(plan)]], 0o600)
    return path
  }
}
