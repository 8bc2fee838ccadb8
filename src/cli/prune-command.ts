// Commands that remove old files of this computer: found, confirmed, removed and listed. They differ in what they find.

import type { Interfaces } from '@oclif/core'
import type { ColumnSet } from '../output/column.ts'
import { type CommandClass, PromoCommand } from './command.ts'
import { usesJobsFolder } from './exits.ts'
import { confirmFlags, outputFlags } from './flags/flags.ts'
import { duration, switchFlag } from './flags/kinds.ts'
import type { ConfirmFlags } from './prompt/confirm.ts'
import type { OutputFlags } from './result/output.ts'
import type { Keeper } from './run/host.ts'

/** What can be removed, from the oldest to the newest. */
interface Found<Item> {
  items: readonly Item[]
  /** Those of them that are asked about, in words: `3 jobs`; undefined when none needs to be. */
  asked: string | undefined
  /** Removes one; returns false if it came into use in the meantime and was kept. */
  remove: (item: Item) => Promise<boolean>
}

interface DeclaredPrune<Item extends { path: string }> {
  description: string
  examples: readonly string[]
  columns: ColumnSet
  /** The age without `--older-than`, and what is as old as that, in words. */
  age: { days: number; description: string }
  /** Flags beyond those that every such command has. */
  flags?: Interfaces.FlagInput
  find: (host: Keeper, olderThanMs: number, flags: Readonly<Record<string, unknown>>) => Promise<Found<Item>>
}

const dayMs = 86_400_000

/** Makes a command that removes what `find` finds. */
export function pruneCommand<Item extends { path: string }>(
  summary: string,
  declared: DeclaredPrune<Item>,
): CommandClass {
  const { description, examples, columns, age, find } = declared
  return class Prune extends PromoCommand {
    static override summary = summary
    static override description = description
    static override examples = [...examples]
    static override effect = 'local' as const
    static override columns = columns
    static override exits = [usesJobsFolder]
    static override flags: Interfaces.FlagInput = {
      'older-than': duration(`${age.description} (default ${age.days}d)`, `${age.days}d`),
      ...declared.flags,
      yes: confirmFlags.yes,
      'dry-run': switchFlag('show what would be removed, and remove nothing'),
      ...outputFlags,
    }

    async run() {
      const { flags } = (await this.input(Prune)) as { flags: PruneFlags }
      const { host, show, isDryRun: isDry } = this
      await show.check(columns)
      const { items, asked, remove } = await find(host, flags['older-than'] ?? age.days * dayMs, { ...flags })
      if (asked !== undefined && !isDry) await this.agree({ action: `remove ${asked}` })

      async function* removeItems() {
        for (const item of items) {
          if (isDry || (await remove(item))) yield item
          else show.warn(`"${item.path}" is in use again and was kept`)
        }
      }
      await show.rows(removeItems(), columns, { nothing: 'nothing to remove' })
      if (isDry) show.say('dry run: nothing was removed')
    }
  }
}

type PruneFlags = OutputFlags & ConfirmFlags & { 'older-than'?: number; 'dry-run'?: boolean; quiet?: boolean }
