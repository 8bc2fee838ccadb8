// Commands that list, and the filters that choose rows of a list.
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ColumnSet } from '../../output/column.ts'
import type { ChosenObjects } from '../bulk/several/chosen.ts'
import type { CommandClass } from '../command.ts'
import { type StateFilters, stateFlags } from '../flags/choosing.ts'
import { dateFlags } from '../flags/dates.ts'
import { explainFlag, listFlags, outputFlags } from '../flags/flags.ts'
import type { Named } from '../result/named.ts'
import {
  type Args,
  type AskedRequest,
  chosenBy,
  commandOf,
  type DeclaredCommand,
  type DeclaredReader,
  type Flags,
  type None,
} from './command.ts'

/** Which objects of a list are meant: declared once for the list and for what writes its objects. Its request may look at the service first. */
export interface ListFilters<E extends Endpoint, A extends Args = None, F extends Flags = None>
  extends Pick<DeclaredCommand<E, A, F>, 'calls' | 'chosen' | 'args' | 'flags'> {
  /** Switches for states that are known of an object itself. */
  states?: StateFilters
  /** What the flags that name one object read: where there is no row, it may not exist. */
  named?: Readonly<Record<string, Named>>
  request: AskedRequest<E, A, F>
}

/** Keeps the types of the flags. */
export function listFilters<E extends Endpoint, F extends Flags, A extends Args = None>(
  filters: ListFilters<E, A, F>,
): ListFilters<E, A, F> {
  return filters
}

/** The objects of a list as the rows of a command that writes. */
export type Choosing = ListFilters<Endpoint, Args, Flags> & ChosenObjects

/** A listing. */
interface DeclaredList<E extends Endpoint, A extends Args, F extends Flags>
  extends Omit<DeclaredCommand<E, A, F>, keyof ListFilters<E, A, F>>,
    ListFilters<E, A, F>,
    DeclaredReader<object, A, F> {
  /** Those of the first call, then those of the other call that `chosen` chooses, where they differ. */
  columns: ColumnSet | readonly ColumnSet[]
  /** What the rows are: `customers`. */
  noun: string
}

/** Makes a command that lists: one page as a table, everything in the other formats, unless flags say otherwise. */
export function listCommand<E extends Endpoint, A extends Args = None, F extends Flags = None>(
  summary: string,
  declared: DeclaredList<E, A, F>,
): CommandClass {
  const { columns, noun, shown, told, explains } = declared
  return class extends commandOf('list', summary, declared, {
    ...(explains && explainFlag),
    ...stateFlags(declared.states),
    ...dateFlags(declared.calls[0]),
    ...outputFlags,
    ...listFlags,
  }) {
    static override columns = columns

    async run() {
      const line = await this.commandLine()
      const client = await this.connect()
      const given = line.given(client.profile)
      const { listedBy } = await import('../result/listed-by.ts')
      const about = { filters: declared, given, flags: line.flags, clock: line.clock(client.profile) }
      const { pages: known, more } = await listedBy(about, client, this.show)
      const rows = shown ? mapPages(known, (row) => shown(row, given)) : known
      const tell = told && this.show.isTabular ? told(this.telling(client), given) : undefined
      const all = tell ? mapPages(rows, async (row) => ({ ...row, ...(await tell(row)) })) : rows
      const explain = await this.explaining(client, explains)
      const [own, other = own] = [columns].flat() as ColumnSet[]
      const set = chosenBy(declared, given) === declared.calls[0] ? own : other
      await this.show.pages(all, set as ColumnSet, {
        nothing: `no ${noun} found`,
        more,
        explain,
      })
    }
  }
}

async function* mapPages(
  pages: AsyncIterable<object[]>,
  shown: (row: object) => object | Promise<object>,
): AsyncGenerator<object[]> {
  for await (const page of pages) yield await Promise.all(page.map(async (row) => await shown(row)))
}
