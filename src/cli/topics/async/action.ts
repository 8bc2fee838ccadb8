// Background jobs of the service: starting one, and waiting until it is over.
// Source: docs/service/async-actions.md#fields; docs/service/async-actions.md#triggers.

import type { Client, RequestOf } from '../../../api/client.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import { type AsyncAction, getAsyncAction } from '../../../contract/async-actions.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { EXIT, type ExitCode } from '../../../errors.ts'
import { asyncActionColumns, startedActionColumns } from '../../../output/columns/resources/project.ts'
import { switchFlag } from '../../flags/kinds.ts'
import { carryOut, type WriteFlags } from '../../request/carry-out.ts'
import { showingOf } from '../../result/output.ts'
import { type PollFlags, timeoutWait, whenOver } from '../../result/polling.ts'
import type { Host, ProgramConfig } from '../../run/host.ts'

/** Flags of a command that can wait for the job it starts. */
export const waitForActionFlags = {
  wait: switchFlag('wait until it is done (exit code 3 if anything failed)'),
  'timeout-wait': { ...timeoutWait, dependsOn: ['wait'] },
}

/** What starts a background job, and its words. */
export interface ActionStart<E extends Endpoint> {
  endpoint: E
  request: RequestOf<E>
  /** What will happen, as a question without the question mark; asked unless `isAsked` is false. */
  action: string
  isAsked?: boolean
  isFinal?: boolean
}

/**
 * Starts a background job and shows its id, or with `--wait` its result. Returns the exit code: 3 when the job, or
 * anything in it, failed.
 */
export async function startAction<E extends Endpoint>(
  flags: WriteFlags & PollFlags & { wait?: boolean },
  { endpoint, request, action, isAsked = true, isFinal = false }: ActionStart<E>,
  { host, config }: { host: Host; config: ProgramConfig },
): Promise<ExitCode> {
  const columns = flags.wait ? asyncActionColumns : startedActionColumns
  const { say, afterWrite } = showingOf(flags, host)
  const finished = await carryOut(flags, { host, config }, { columns, endpoint }, ({ client }) => ({
    requests: [client.plan(endpoint, request)],
    question: { action, asks: isAsked, isFinal },
    async send() {
      const started = (await client.call(endpoint, request)) as { async_action_id: string }
      const id = started.async_action_id
      if (flags.wait) say(`started background job ${id}`)
      const shown = flags.wait ? await endedAction(client, id, flags, host) : started
      await afterWrite.one(shown, columns)
      if (!flags.wait) say(`the service works on it: promo async wait ${argumentWords(id)}`)
      return shown as AsyncAction
    },
  }))
  return flags.wait && finished ? exitOf(finished) : EXIT.ok
}

/** Returns a background job once it is over. Throws like `whenOver`. */
export async function endedAction(
  client: Pick<Client, 'call'>,
  id: string,
  flags: PollFlags,
  host: Host,
): Promise<AsyncAction> {
  const awaited = {
    what: 'background job',
    id,
    read: () => client.call(getAsyncAction, { path: { asyncActionId: id } }),
    isOver: ({ status }: AsyncAction) => status === 'DONE' || status === 'FAILED',
    stage: ({ status, progress }: AsyncAction) => (progress == null ? status : `${status} (${progress} %)`),
    hint: `promo async wait ${argumentWords(id)}`,
  }
  return await whenOver(awaited, flags, host)
}

/** 3 for a job that failed, or in which anything failed: `DONE` alone does not mean success. */
export function exitOf({ status, operation_status, result }: AsyncAction): ExitCode {
  const hasFailed = status === 'FAILED' || operation_status === 'FAILED' || (result?.failed_count ?? 0) > 0
  return hasFailed ? EXIT.refused : EXIT.ok
}
