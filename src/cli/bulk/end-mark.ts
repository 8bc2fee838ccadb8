// What the journal keeps of how a run of a job ended.
import type { Summary } from '../../bulk/summary.ts'
import type { Host } from '../run/host.ts'

/**
 * Gives why a run ended before its job was over, or `done`.
 *
 * Only a job marked `done` is over. One whose last outcomes were not written (`isTold`), or that ends with the exit code of a
 * signal because that came behind the last row, is told about once more by the same command line instead of being begun
 * anew: those exit codes say to run it again.
 */
export function endMark({ stoppedBy }: Summary, isTold: boolean, { stop }: Pick<Host, 'stop'>): string {
  if (stoppedBy !== undefined) return stoppedBy
  if (stop.aborted && stop.reason !== 'EPIPE') return 'signal'
  return isTold && !stop.aborted ? 'done' : 'consumer'
}
