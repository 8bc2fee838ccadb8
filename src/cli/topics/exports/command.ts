// Commands that start an export: they differ in whose rows they export, and in what shapes the file.
import type { Interfaces } from '@oclif/core'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { getExport } from '../../../contract/exports.ts'
import { exportColumns } from '../../../output/columns/exports.ts'
import { type CommandClass, PromoCommand } from '../../command.ts'
import { callFlags, writeFlags } from '../../flags/flags.ts'
import type { Clock } from '../../flags/time.ts'
import { clockOf } from '../../request/days.ts'
import { startExport, waitDescription } from './start.ts'
import { waitFlags } from './wait.ts'

interface ExportCommand<A extends Interfaces.ArgInput, F extends Interfaces.FlagInput> {
  summary: string
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
  declared: ExportCommand<A, F>,
): CommandClass {
  const { summary, description, examples, calls, started } = declared
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
      const { flags } = given
      const { endpoint, request } = started(given as never, await clockOf(flags, this.host))
      await startExport(flags, endpoint, request as never, this)
    }
  }
}
