// A plan of one write or several: shown with --dry-run; otherwise announced, agreed to, sent, and shown.
import type { Client, PlannedRequest } from '../../api/client.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ColumnSet } from '../../output/column.ts'
import { planColumns } from '../../output/columns/plan.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import type { writeFlags } from '../flags/flags.ts'
import type { ValuesOf } from '../flags/kinds.ts'
import { announceWrite, type Question } from '../prompt/confirm.ts'
import { type OutputFlags, showingOf } from '../result/output.ts'
import type { Host, ProgramConfig } from '../run/host.ts'
import { type ConnectFlags, connect } from '../session/connect.ts'
import { afterGrace } from '../stop.ts'

export type WriteFlags = ConnectFlags & OutputFlags & ValuesOf<typeof writeFlags>

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

/**
 * Carries a plan out; returns its result, or undefined where nothing may be sent. Everything that is wrong with flags and requests
 * is found before the question, and an impossible shape before anything is opened.
 */
export async function carryOut<Result>(
  flags: WriteFlags,
  { host, config }: { host: Host; config: ProgramConfig },
  { columns, endpoint }: { columns: ColumnSet; endpoint: Pick<Endpoint, 'path'> },
  planned: (session: { client: Client; profile: Resolved }) => Plan<Result>,
): Promise<Result | undefined> {
  const planOnly = flags['dry-run'] ?? false
  const show = showingOf(flags, host)
  await show.check(planOnly ? planColumns : columns)
  const needsProject = endpoint.path.includes('{projectId}')
  const session = await connect(flags, host, config, { signal: afterGrace(host.stop), planOnly, needsProject })
  try {
    announceWrite(session.profile, show)
    const plan = planned(session)
    if (planOnly) {
      await showPlan(plan.requests, flags, host)
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
export async function showPlan(
  plans: readonly PlannedRequest[],
  flags: OutputFlags & { quiet?: boolean },
  host: Host,
): Promise<void> {
  const show = showingOf(flags, host)
  await show.rows(plans, planColumns)
  show.say('dry run: nothing was sent')
}
