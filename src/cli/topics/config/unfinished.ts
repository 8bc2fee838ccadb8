// What the last job of a folder left undone, and a new plan cannot see: it is not about what differs between files and project.
import { resolve } from 'node:path'
import { isRepeatable } from '../../../api/outcome/retry.ts'
import { formatCount } from '../../../base/numbers.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import { readJournal } from '../../../bulk/journal/job.ts'
import { outcomesIn, type RecordedState } from '../../../bulk/journal/outcome-store.ts'
import { type Plan, readPlan, resolvedFolder } from '../../../config/plan-file.ts'
import type { Step } from '../../../config/steps.ts'
import { PromoError } from '../../../errors.ts'
import { jobsIn } from '../../bulk/known-jobs.ts'
import type { Keeper } from '../../run/host.ts'
import type { OpenProject } from './open.ts'
import { callOfStep, stepOf } from './step.ts'

/** A step that was not applied, or may not have been. */
interface LeftStep {
  step: Step
  state: RecordedState | undefined
  /** Whether it may have been applied. */
  lost: boolean
  /** Whether it deletes an object in place of which another was made. */
  isReplaced: boolean
  /** Whether an object was made, if not as asked. */
  isMade: boolean
}

/** What the last job of a folder left. */
export interface Unfinished {
  /** What users call the job. */
  job: string
  /** Absent where its file is gone. */
  plan: Plan | undefined
  steps: readonly LeftStep[]
  /** The campaigns whose codes certainly were not asked for. */
  generations: ReadonlySet<string>
}

/** Finds what the last apply of a folder to a project left; undefined: nothing, or no journal says so. */
export async function unfinishedApply(dir: string, projectId: string, host: Keeper): Promise<Unfinished | undefined> {
  for (const { file, header } of await jobsIn(host)) {
    if (header?.command !== 'config:apply' || header.project_id !== projectId) continue
    const plan = await planOf(String(header.args.source), dir, host)
    if (plan === undefined && header.place !== resolve(dir)) continue
    const steps = readJournal(file.path, (database) => {
      const store = outcomesIn(database)
      // Of a step whose run was killed the journal may know only that it was begun.
      const begun = store.begun()
      const all = store.all()
      const created = new Set(all.flatMap(({ row }) => (stepOf(row).act === 'create' ? [stepOf(row).object] : [])))
      return all.flatMap(({ row, position, outcome }): LeftStep[] => {
        const step = stepOf(row)
        const state = outcome?.state
        if (state === 'ok' || state === 'ok_inferred') return []
        const lost = outcome === null ? position <= begun : outcome.lost || state === 'open'
        const made = step.act === 'delete' ? step.object.replace(/-replaced(-\d+)?$/, '') : step.object
        const isReplaced = made !== step.object && created.has(made)
        return [{ step, state, lost, isReplaced, isMade: lost || outcome?.results?.id !== undefined }]
      })
    })
    const generations = new Set(
      steps.flatMap(({ step, lost }) => (step.act === 'generate' && !lost ? [step.object] : [])),
    )
    // A campaign that somebody else made does not get the codes of the one that was refused.
    for (const { step, isMade } of steps) if (step.act === 'create' && !isMade) generations.delete(step.object)
    return { job: file.name, plan, steps, generations }
  }
  return undefined
}

/** The plan of a job, if it is of this folder; what cannot be read is no plan of it. */
async function planOf(path: string, dir: string, { stop }: Keeper): Promise<Plan | undefined> {
  try {
    const plan = await readPlan(path, stop)
    return resolvedFolder(path, plan) === resolve(dir) ? plan : undefined
  } catch (error) {
    if (error instanceof PromoError) return undefined
    throw error
  }
}

/**
 * Returns the error (`journal`, exit 9) of a new plan that would forget what the last job of its folder left: codes that may have been
 * generated, an object that was replaced and is still there, an object that may have been created and would be created again.
 */
export function forgetting(left: Unfinished | undefined, next: Plan, { project }: OpenProject): PromoError | undefined {
  if (left === undefined) return undefined
  const { plan, steps } = left
  const has = (act: Step['act'], object: string) => next.steps.some((one) => one.act === act && one.object === object)
  const forgotten = steps.filter(({ step, lost, isReplaced }) => {
    const { act, object } = step
    if (act === 'create') return lost && mayDouble(step) && has('create', object)
    if (act === 'generate') {
      const count = Number(project.objects.get(object)?.wire.vouchers_count ?? 0)
      return lost && !has('generate', object) && count < Number(step.changes[0]?.after)
    }
    if (act !== 'delete' || !isReplaced) return false
    // Without its plan, nothing says which object it was.
    if (plan === undefined) return true
    const id = plan.read[object]?.id
    const there = [...project.objects.values()].find((one) => one.id === id)
    return there !== undefined && !has('delete', there.address)
  })
  return unendedError(left, forgotten)
}

/** Returns the same error where it is the job that keeps names from saying which object a file is: what it may have created has no id yet. */
export function undecidedError(left: Unfinished | undefined, { project }: OpenProject): PromoError | undefined {
  if (left === undefined || project.ambiguous.length === 0) return undefined
  return unendedError(
    left,
    left.steps.filter(({ step, lost }) => lost && mayDouble(step)),
  )
}

/** Whether a step creates what one more identical call would create once more. */
function mayDouble(step: Step): boolean {
  return step.act === 'create' && !isRepeatable(callOfStep(step).repeat)
}

function unendedError({ job, plan }: Unfinished, forgotten: readonly LeftStep[]): PromoError | undefined {
  const [first] = forgotten
  if (first === undefined) return undefined
  const { step, state, lost } = first
  const more = forgotten.length === 1 ? '' : `, and ${formatCount(forgotten.length - 1, 'more step')}`
  const what = lost ? 'may have been applied' : 'is left'
  const word = argumentWords(job)
  const rest = state === 'failed' ? `promo jobs retry --only failed ${word}` : `promo jobs resume ${word}`
  const hint =
    plan === undefined
      ? `its plan is gone, so it cannot be resumed: look at the project; after promo jobs discard ${word}, this command line plans again`
      : `${rest} does what is left; after that, or after promo jobs discard ${word}, this command line plans again`
  return new PromoError(
    'journal',
    `job ${job} of this folder did not end: step ${step.step} (${step.act} ${step.object}) ${what}${more}; nothing was sent`,
    { hint },
  )
}
