// Runs one job from the queue to its end: each step in the transaction of the caller.
import { type ContextParts, contextOf } from '../http/context.ts'
import { Refusal } from '../http/refusal.ts'
import type { Job, JobContext, JobOutcome, LocalJob, RemoteJob } from '../http/route.ts'
import type { DeliveryPolicy } from '../resources/webhooks/target.ts'
import type { QueuedJob } from '../storage/job-queue.ts'
import { installation, projects } from '../stores/projects.ts'

export interface JobParts extends ContextParts {
  jobs: Readonly<Record<string, Job>>
  now: () => string
  reach: DeliveryPolicy
  /** Called with failures and the id of the request that queued the job. */
  report: (error: unknown, requestId: string) => void
}

/** How often a job may fail before it is abandoned. */
const attemptsLimit = 5
const firstBackoffMs = 1_000

/** Returns the context of a job; undefined when its project was deleted. `attempt` includes the run about to start. */
export function jobContext(parts: JobParts, queued: QueuedJob, attempt: number): JobContext | undefined {
  const project = parts.store.in(projects, installation).get(queued.project_id)
  if (!project) return undefined
  const caller = { project, channel: queued.channel }
  const source = { now: parts.now(), requestId: queued.request_id, headers: {}, caller }
  return { ...contextOf(parts, source), attempt, timeScale: parts.timeScale, reach: parts.reach }
}

/** Runs one slice of a local job, then removes, reschedules or fails the job. Returns whether more slices follow at once. */
export function runLocalJob(parts: JobParts, declared: LocalJob, queued: QueuedJob): boolean {
  return runStep(parts, declared, queued, queued.attempts + 1, (context) => declared.run(queued.payload, context))
}

/** Stores the result of a job's network call. `result` is what `act` returned, or the reason why it failed. */
export function settleRemoteJob(
  parts: JobParts,
  declared: RemoteJob,
  queued: QueuedJob,
  attempt: number,
  result: { value: unknown } | { reason: unknown },
): void {
  runStep(parts, declared, queued, attempt, (context) => {
    if ('reason' in result) throw result.reason
    return declared.settle(result.value, queued.payload, context)
  })
}

function runStep(
  parts: JobParts,
  declared: Job,
  queued: QueuedJob,
  attempt: number,
  step: (context: JobContext) => JobOutcome,
): boolean {
  const context = jobContext(parts, queued, attempt)
  if (!context) {
    parts.store.jobs.done(queued.n)
    return false
  }
  try {
    return concludeJob(
      parts,
      queued,
      parts.store.savepoint(() => step(context)),
    )
  } catch (error) {
    failJob(parts, declared, queued, attempt, error)
    return false
  }
}

/** Fails a job that was started too often without ending, because it crashes every process that runs it. */
export function giveUpIfExhausted(parts: JobParts, declared: Job, queued: QueuedJob): boolean {
  if (queued.attempts < attemptsLimit) return false
  failJob(
    parts,
    declared,
    queued,
    queued.attempts,
    new Error(`job ${queued.kind} was started too often and never ended`),
  )
  return true
}

function concludeJob(parts: JobParts, queued: QueuedJob, outcome: JobOutcome): boolean {
  const { jobs } = parts.store
  if (!outcome) {
    jobs.done(queued.n)
    return false
  }
  const nowMs = Date.parse(parts.now())
  const dueMs = 'at' in outcome ? Date.parse(outcome.at) : nowMs + Math.round(outcome.again / parts.timeScale)
  jobs.again(queued.n, dueMs, 'payload' in outcome ? outcome.payload : queued.payload, 0)
  return dueMs <= nowMs
}

function failJob(parts: JobParts, declared: Job, queued: QueuedJob, attempt: number, error: unknown): void {
  const { store } = parts
  if (attempt < attemptsLimit && !(error instanceof Refusal)) {
    const backoffMs = (firstBackoffMs * 2 ** (attempt - 1)) / parts.timeScale
    store.jobs.again(queued.n, Date.parse(parts.now()) + Math.round(backoffMs), queued.payload, attempt)
    return
  }
  store.jobs.fail(queued.n, parts.now(), error instanceof Error ? error.message : String(error))
  parts.report(error, queued.request_id)
  const context = jobContext(parts, queued, attempt)
  if (!context) return
  try {
    store.savepoint(() => declared.failed(queued.payload, context))
  } catch (second) {
    parts.report(second, queued.request_id)
  }
}
