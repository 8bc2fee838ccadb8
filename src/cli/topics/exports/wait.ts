// Waiting for an export: there is no webhook for it, so it is polled at growing intervals.
// Source: docs/service/exports.md#states.
import { Flags } from '@oclif/core'
import type { Client } from '../../../api/client.ts'
import { sleep } from '../../../api/connection.ts'
import { type ExportJob, finishedExports, getExport } from '../../../contract/exports.ts'
import { EXIT, PromoError } from '../../../errors.ts'
import { durationMs } from '../../flags/values.ts'
import { timeText } from '../../result/progress.ts'
import { statusLine } from '../../result/status-line.ts'
import type { Host } from '../../run/host.ts'

/** Flags of a command that can wait for an export. */
export const waitFlags = {
  wait: Flags.boolean({ description: 'wait until the export is finished' }),
  'timeout-wait': Flags.custom<number>({ parse: async (text) => durationMs(text) })({
    dependsOn: ['wait'],
    description: 'stop waiting after this long (default 10m); the export continues',
    helpValue: '10m',
  }),
}

/** What a test replaces. */
export interface WaitClock {
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  random: () => number
}

const patienceMs = 600_000
const shortestMs = 500
const longestMs = 10_000

/**
 * Returns an export once it has finished, successfully (`DONE`) or not (`ERROR`).
 *
 * Polls after half a second and then at growing intervals of up to ten seconds, with jitter to spread out waiting callers.
 * Throws `network` (exit 5) when the time is up, and the reason of a stop.
 */
export async function finishedExport(
  client: Pick<Client, 'call'>,
  exportId: string,
  { 'timeout-wait': timeoutMs = patienceMs, quiet = false }: { 'timeout-wait'?: number | undefined; quiet?: boolean },
  host: Host,
  clock: WaitClock = { sleep, random: Math.random },
): Promise<ExportJob> {
  const startedAt = host.now()
  const line = statusLine(host, { quiet })
  try {
    for (let delayMs = shortestMs; ; delayMs = Math.min(longestMs, delayMs * 2)) {
      const job = await client.call(getExport, { path: { exportId } })
      if (isFinished(job)) return job
      const elapsedMs = host.now() - startedAt
      line.show(`export ${exportId}: ${job.status}, ${timeText(elapsedMs / 1000)}`)
      if (elapsedMs >= timeoutMs) throw stillRunning(job, timeoutMs)
      const jitteredMs = delayMs * (0.5 + clock.random() / 2)
      await clock.sleep(Math.min(jitteredMs, timeoutMs - elapsedMs), host.stop)
    }
  } finally {
    line.end()
  }
}

/** Says whether an export is in a final state. */
export function isFinished({ status }: ExportJob): boolean {
  return (finishedExports as readonly string[]).includes(status)
}

function stillRunning({ id, status }: ExportJob, timeoutMs: number): PromoError {
  return new PromoError(
    'network',
    EXIT.unavailable,
    `export "${id}" is still ${status} after ${timeText(timeoutMs / 1000)}`,
    { hint: `promo exports download ${id} --wait`, retryable: true },
  )
}
