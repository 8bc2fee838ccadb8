// A plan of one write or several: shown with --dry-run; otherwise announced, agreed to, sent, and shown.
import type { Client, PlannedRequest } from '../../api/client.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ColumnSet } from '../../output/column.ts'
import { planColumns } from '../../output/columns/plan.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import { announceWrite, type Question } from '../prompt/confirm.ts'
import type { Showing } from '../result/output.ts'
import type { Host } from '../run/host.ts'
import type { Run } from '../session/run.ts'
import { afterGrace } from '../stop.ts'

/** What is ready to be sent. */
interface Ready<Result> {
  /** What is agreed to; undefined: there is nothing to send. */
  question: Question | undefined
  /** Sends, and shows the result. */
  send: () => Promise<Result>
}

/**
 * What a command writes: the requests, as far as they are known before anything is read. Where the question depends on what is read,
 * `prepare` reads it, and throws where nothing may be sent.
 */
type Plan<Result> = { requests: PlannedRequest[] } & (Ready<Result> | { prepare: () => Promise<Ready<Result>> })

/** The part of a run that carries out what it writes. */
export type Writing = Pick<Run, 'show' | 'isDryRun' | 'openSession'> & { host: Pick<Host, 'stop'> }

/**
 * Carries a plan out; returns its result, or undefined where nothing may be sent. Everything that is wrong with flags and requests
 * is found before the question, and an impossible shape before anything is opened.
 */
export async function carryOut<Result>(
  { show, isDryRun: planOnly, openSession, host: { stop } }: Writing,
  { columns, endpoint }: { columns: ColumnSet; endpoint: Pick<Endpoint, 'path'> },
  planned: (session: { client: Client; profile: Resolved }) => Plan<Result>,
): Promise<Result | undefined> {
  await show.check(planOnly ? planColumns : columns)
  const needsProject = endpoint.path.includes('{projectId}')
  const session = await openSession({ signal: afterGrace(stop), planOnly, needsProject })
  try {
    announceWrite(session.profile, show)
    const plan = planned(session)
    if (planOnly) {
      await showPlan(plan.requests, show)
      return undefined
    }
    const { question, send } = 'prepare' in plan ? await plan.prepare() : plan
    const deletes = plan.requests.some(({ method }) => method === 'DELETE')
    if (question !== undefined) await session.agree({ deletes, ...question })
    return await send()
  } finally {
    await session.close()
  }
}

/** Shows the planned requests, and says that nothing was sent. */
export async function showPlan(plans: readonly PlannedRequest[], show: Showing): Promise<void> {
  await show.rows(plans, planColumns)
  show.say('dry run: nothing was sent')
}
