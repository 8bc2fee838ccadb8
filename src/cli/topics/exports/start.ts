// Starting an export: one write whose answer is a job of the service, and with --wait its file.
import type { RequestOf } from '../../../api/client.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { ExportJob } from '../../../contract/exports.ts'
import { exportColumns } from '../../../output/columns/exports.ts'
import { confirmWrite } from '../../prompt/confirm.ts'
import { actionOf, showAnswer, showPlan, type WriteFlags, withWriteClient } from '../../request/write.ts'
import { messagesTo } from '../../result/messages.ts'
import type { Host, ProgramConfig } from '../../run/host.ts'
import { downloadExport, mustTakeFileAsItIs, shownExport } from './file.ts'
import { finishedExport } from './wait.ts'

/** How a command that starts exports describes what --wait does. */
export const waitDescription =
  'Without --wait it shows the export, which the service continues by itself; `exports download` fetches its file later. With --wait, the file is written byte for byte as the service made it, unless --excel or --csv-delimiter names another form of CSV: to stdout, or with --out to a file, complete or not at all.'

/**
 * Starts an export and shows it, or with --wait writes its file.
 *
 * Throws `usage` for flags that would shape the file, before anything is sent; otherwise like `downloadExport`.
 */
export async function startExport<E extends Endpoint>(
  flags: WriteFlags & { wait?: boolean; 'timeout-wait'?: number | undefined },
  endpoint: E,
  request: RequestOf<E>,
  { host, config }: { host: Host; config: ProgramConfig },
): Promise<void> {
  if (flags.wait) mustTakeFileAsItIs(flags)
  await withWriteClient(flags, { host, config }, exportColumns, endpoint, async ({ client, profile, planOnly }) => {
    const plan = client.plan(endpoint, request)
    if (planOnly) return await showPlan([plan], flags, host)
    await confirmWrite({ profile, flags, host, action: actionOf(endpoint), asks: false })
    const exchange = await client.exchange(endpoint, request)
    // The contract says `duplicate`: only a taken key or a missing object can prove what a lost answer did not say.
    if (exchange.outcome !== 'confirmed') throw new Error('an export cannot be inferred')
    const job = exchange.answer as ExportJob
    const messages = messagesTo(host, flags)
    if (exchange.attempts > 1)
      messages.warn('warning: the export was requested more than once, so a second one may exist')
    if (!flags.wait) return await showAnswer(shownExport(job, flags), exportColumns, flags, host)
    messages.say(`started export ${job.id}`)
    await downloadExport(client, await finishedExport(client, job.id, flags, host), flags, host)
  })
}
