// Waiting for an export: there is no webhook for it, so it is polled. Source: docs/service/exports.md#states.

import type { Client } from '../../../api/client.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import { type ExportJob, finishedExports, getExport } from '../../../contract/exports.ts'
import type { WaitFlags } from '../../flags/wait.ts'
import { type WaitClock, type Waiting, whenOver } from '../../result/polling.ts'

/** Returns an export once it has finished, successfully (`DONE`) or not (`ERROR`). Throws like `whenOver`. */
export async function finishedExport(
  client: Pick<Client, 'call'>,
  exportId: string,
  timeoutMs: number | undefined,
  run: Waiting,
  clock?: WaitClock,
): Promise<ExportJob> {
  const awaited = {
    what: 'export',
    id: exportId,
    read: () => client.call(getExport, { path: { exportId } }),
    isOver: isFinished,
    stage: ({ status }: ExportJob) => status,
    hint: `promo exports download --wait ${argumentWords(exportId)}`,
  }
  return await whenOver(awaited, timeoutMs, run, clock)
}

/** Returns an export as it is, or with `--wait` once it has finished. */
export async function readExport(
  client: Pick<Client, 'call'>,
  exportId: string,
  { wait, 'timeout-wait': timeoutMs }: WaitFlags,
  run: Waiting,
): Promise<ExportJob> {
  return wait
    ? await finishedExport(client, exportId, timeoutMs, run)
    : await client.call(getExport, { path: { exportId } })
}

/** Says whether an export is in a final state. */
function isFinished({ status }: ExportJob): boolean {
  return (finishedExports as readonly string[]).includes(status)
}
