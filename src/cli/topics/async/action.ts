// Background jobs of the service: starting one, and waiting until it is over.
// Source: docs/service/async-actions.md#fields; docs/service/async-actions.md#triggers.

import type { z } from 'zod'
import type { Client } from '../../../api/client.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import { type AsyncAction, getAsyncAction, type startedAction } from '../../../contract/async-actions.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { EXIT, type ExitCode } from '../../../errors.ts'
import { asyncActionColumns, startedActionColumns } from '../../../output/columns/resources/project.ts'
import type { WaitFlags } from '../../flags/wait.ts'
import { type SingleRun, type SingleWrite, writeOne } from '../../request/write.ts'
import type { Showing } from '../../result/output.ts'
import { type Waiting, whenOver } from '../../result/polling.ts'

/** What a write answers that starts a background job. */
type Started = z.output<typeof startedAction>

/** Returns how a write goes on whose answer names a background job: with `--wait` until that is over. */
export function following(flags: WaitFlags, run: Waiting & { show: Pick<Showing, 'say'> }) {
  const { say } = run.show
  let over: AsyncAction | undefined
  return {
    columns: flags.wait ? asyncActionColumns : startedActionColumns,
    /** Returns what is shown. Throws like `whenOver`. */
    shown: async (started: Started, client: Client): Promise<object> => {
      if (!flags.wait) return started
      say(`started background job ${started.async_action_id}`)
      over = await endedAction(client, started.async_action_id, flags['timeout-wait'], run)
      return over
    },
    /** Returns the exit code: 3 when the job, or anything in it, failed. */
    end: (started: Started | undefined): ExitCode => {
      if (started !== undefined && over === undefined)
        say(`the service works on it: promo async wait ${argumentWords(started.async_action_id)}`)
      return over ? exitOf(over) : EXIT.ok
    },
  }
}

/** Starts a background job, and shows its id or with `--wait` its result. Returns the exit code. */
export async function startAction<E extends Endpoint>(
  flags: WaitFlags,
  write: Pick<SingleWrite<E>, 'endpoint' | 'request' | 'question'> & { isFinal?: boolean },
  run: SingleRun & Waiting,
): Promise<ExitCode> {
  const { end, shown, ...how } = following(flags, run)
  const shownOf = async (started: unknown, client: Client) => await shown(started as Started, client)
  return end((await writeOne({ isFinal: false, ...write, ...how, shown: shownOf }, run)) as Started | undefined)
}

/** Returns a background job once it is over. Throws like `whenOver`. */
export async function endedAction(
  client: Pick<Client, 'call'>,
  id: string,
  timeoutMs: number | undefined,
  run: Waiting,
): Promise<AsyncAction> {
  const awaited = {
    what: 'background job',
    id,
    read: () => client.call(getAsyncAction, { path: { asyncActionId: id } }),
    isOver: ({ status }: AsyncAction) => status === 'DONE' || status === 'FAILED',
    stage: ({ status, progress }: AsyncAction) => (progress == null ? status : `${status} (${progress} %)`),
    hint: `promo async wait ${argumentWords(id)}`,
  }
  return await whenOver(awaited, timeoutMs, run)
}

/** 3 for a job that failed, or in which anything failed: `DONE` alone does not mean success. */
export function exitOf({ status, operation_status, result }: AsyncAction): ExitCode {
  const hasFailed = status === 'FAILED' || operation_status === 'FAILED' || (result?.failed_count ?? 0) > 0
  return hasFailed ? EXIT.refused : EXIT.ok
}
