// Commands that start an export: one write whose answer is a job of the service, and with --wait its file. They differ in whose
// rows they export, and in what shapes the file.
import type { Interfaces } from '@oclif/core'
import type { RequestOf } from '../../../api/client.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { type ExportJob, getExport } from '../../../contract/exports.ts'
import { exportColumns } from '../../../output/columns/exports.ts'
import { mustAct } from '../../../writes/act.ts'
import { type CommandClass, PromoCommand } from '../../command.ts'
import { callFlags, writeFlags } from '../../flags/flags.ts'
import type { Clock } from '../../flags/time.ts'
import { type WaitFlags, waitFlags } from '../../flags/wait.ts'
import { carryOut } from '../../request/carry-out.ts'
import { actionOf, type SingleRun } from '../../request/write.ts'
import type { Waiting } from '../../result/polling.ts'
import { downloadExport, mustTakeFileAsItIs, shownExport } from './file.ts'
import { finishedExport } from './wait.ts'

/** How a command that starts exports describes what --wait does. */
const waitDescription =
  'Without --wait it shows the export, which goes on at the service; `exports download` fetches its file later. With --wait, the file goes to stdout, or complete or not at all to --out. Its bytes are those of the service, unless --excel or --csv-delimiter names another form of CSV.'

/**
 * Starts an export and shows it, or with --wait writes its file.
 *
 * Throws `usage` for flags that would shape the file, before anything is sent; otherwise like `downloadExport`.
 */
async function startExport<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  { wait, 'timeout-wait': timeoutMs }: WaitFlags,
  run: SingleRun & Waiting,
): Promise<void> {
  const { show } = run
  if (wait) mustTakeFileAsItIs(show.shape)
  await carryOut(run, { columns: exportColumns, endpoint }, ({ client }) => ({
    requests: [client.plan(endpoint, request)],
    question: { action: actionOf(endpoint), asks: false },
    async send() {
      const { value, attempts = 1 } = await mustAct(client, { endpoint, request })
      const job = value as ExportJob
      if (attempts > 1) show.warn('warning: the export was requested more than once, so a second one may exist')
      if (!wait) return await show.afterWrite.one(shownExport(job, show), exportColumns)
      show.say(`started export ${job.id}`)
      await downloadExport(client, await finishedExport(client, job.id, timeoutMs, run), run)
    },
  }))
}

interface ExportCommand<A extends Interfaces.ArgInput, F extends Interfaces.FlagInput> {
  /** What precedes what `--wait` does. */
  description?: string
  examples: readonly string[]
  calls: readonly Endpoint[]
  args: A
  flags: F
  /** The call and its request. Throws `usage`. */
  started: (
    given: { args: Interfaces.InferredArgs<A>; flags: Interfaces.InferredFlags<F> },
    clock: Clock,
  ) => { endpoint: Endpoint; request: object }
}

/** Makes a command that starts an export, and with `--wait` writes its file. */
export function exportCommand<A extends Interfaces.ArgInput, F extends Interfaces.FlagInput>(
  summary: string,
  declared: ExportCommand<A, F>,
): CommandClass {
  const { description, examples, calls, started } = declared
  return class Export extends PromoCommand {
    static override summary = summary
    static override description = [description, waitDescription].filter(Boolean).join(' ')
    static override examples = [...examples]
    static override effect = 'write' as const
    static override calls = [...calls, getExport]
    static override columns = exportColumns
    static override args: Interfaces.ArgInput = declared.args
    static override flags = { ...callFlags, ...(declared.flags as Interfaces.FlagInput), ...waitFlags, ...writeFlags }

    async run() {
      const given = await this.input(Export)
      const { endpoint, request } = started(given as never, await this.clock())
      await startExport(endpoint, request as never, given.flags, this)
    }
  }
}
