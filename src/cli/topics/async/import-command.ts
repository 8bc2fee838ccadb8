// Commands that send a CSV file in one request, which the service works on in the background.

import type { Interfaces } from '@oclif/core'
import { getAsyncAction } from '../../../contract/async-actions.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { asyncActionColumns, startedActionColumns } from '../../../output/columns/resources/project.ts'
import { type CommandClass, PromoCommand } from '../../command.ts'
import { callFlags, csvFileFlags, writeFlags } from '../../flags/flags.ts'
import { argument } from '../../flags/kinds.ts'
import { waitFlags } from '../../flags/wait.ts'
import { startAction } from './action.ts'
import { csvFrom, type ImportedCsv } from './csv-file.ts'

interface DeclaredImport {
  description: string
  examples: readonly string[]
  endpoint: Endpoint
  /** Arguments before the file. */
  args?: Interfaces.ArgInput
  /** The parameters of the path, from the arguments. */
  path?: (args: Readonly<Record<string, string>>) => Record<string, string>
  /** What the service reads of the file; it keeps all other columns as metadata. */
  csv: ImportedCsv
  /** What to do with a file that has another header, where `--map` is not the best. */
  otherwise?: (args: Readonly<Record<string, string>>) => string
  /** What happens to this many rows, for the question. */
  action: (rows: string, args: Readonly<Record<string, string>>) => string
}

/** Makes a command that imports a file: checked, announced, confirmed, sent, and with `--wait` followed to its end. */
export function importCommand(summary: string, declared: DeclaredImport): CommandClass {
  const { description, examples, endpoint, path, action, csv, otherwise } = declared
  return class Import extends PromoCommand {
    static override summary = summary
    static override description = description
    static override examples = [...examples]
    static override effect = 'write' as const
    static override calls = [endpoint, getAsyncAction]
    static override rows = { key: csv.key, noun: csv.of, columns: csv.columns }
    static override columns = [startedActionColumns, asyncActionColumns]
    static override args: Interfaces.ArgInput = {
      ...declared.args,
      file: argument('a CSV file or a workbook (.xlsx), or - for CSV on stdin'),
    }
    static override fileArgs = ['file']
    static override flags = { ...callFlags, ...csvFileFlags, ...waitFlags, ...writeFlags }

    async run() {
      const { args, flags } = await this.input(Import)
      const given = args as Record<string, string>
      const { content, rows } = await csvFrom(given.file as string, flags, this, csv, otherwise?.(given))
      const request = { ...(path && { path: path(given) }), body: { file: content } }
      this.exitCode = await startAction(flags, { endpoint, request, question: action(rows, given) }, this)
    }
  }
}
