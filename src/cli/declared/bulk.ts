// Commands that make one call a row.
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ColumnSet } from '../../output/column.ts'
import type { BulkDefinition } from '../bulk/definition.ts'
import type { CommandClass } from '../command.ts'
import { choosingFlags, exceptFlags } from '../flags/choosing.ts'
import { bulkFlags, bulkOnlyFlags, outputFlags, writeFlags } from '../flags/flags.ts'
import { membersSetBy } from '../request/member-flags.ts'
import type { RowColumns } from '../request/row-columns.ts'
import type { SingleWrite } from '../request/write.ts'
import {
  type Args,
  type CommandInput,
  commandOf,
  type DeclaredWriter,
  type Flags,
  flagsOfBody,
  type None,
} from './command.ts'
import type { Choosing } from './list.ts'

type BulkGiven<A extends Args, F extends Flags> = CommandInput<A, F & typeof bulkFlags>

/** How rows are acted on, for every command line or for one, which may choose between calls that take and answer the same. */
type Acting<E extends Endpoint> = Omit<BulkDefinition<E>, 'endpoint' | 'callOf' | 'request' | 'input'> &
  Pick<BulkDefinition<Endpoint>, 'endpoint' | 'callOf'> & {
    /** What the rows of a file may say; absent: the key, and the fields of the body. */
    inputColumns?: RowColumns
  }

/** The rows of one command line: how each becomes a request, and what else the command line decides. */
type Rows<E extends Endpoint> = Partial<Acting<E>> & {
  /** The items, where the last argument does not have them. */
  items?: string[] | undefined
  /** The request of a row. Throws `usage` for one that the contract refuses. */
  request: BulkDefinition<E>['request']
  /** The only write of a command line without a file, of which the answer is shown and not an outcome. */
  one?: Omit<SingleWrite<E>, 'endpoint' | 'columns' | 'isFinal'>
}

type DeclaredBulk<E extends Endpoint, A extends Args, F extends Flags> = DeclaredWriter<E, A, F> &
  Omit<Acting<E>, 'endpoint'> & {
    /** Many rows come from a file, or from filters, and never from arguments. */
    isFileOnly?: boolean
    /** The list whose filters choose rows, too. */
    choosing?: Choosing
    rows: (given: BulkGiven<A, F>) => Rows<E> | Promise<Rows<E>>
  }

/** Makes a command that makes one call a row, through the bulk engine: one item, many, or a file. */
export function bulkCommand<E extends Endpoint, A extends Args = None, F extends Flags = None>(
  summary: string,
  declared: DeclaredBulk<E, A, F>,
): CommandClass {
  const { isFileOnly, body, columns = [], rows, choosing, tell } = declared
  // The last argument has the items.
  const items = Object.keys(declared.args ?? {}).at(-1) ?? ''
  const filters = choosing ? choosingFlags(choosing, { ...declared.args, ...declared.flags }) : {}
  const names = Object.keys(filters)
  const ways = [...names, ...(choosing?.also ?? [])]
  const ask = declared.asks?.[items]
  const choosable = {
    calls: [...declared.calls, ...(choosing?.calls ?? [])] as const,
    ...(ask && { asks: { ...declared.asks, [items]: { ...ask, filters: ways } } }),
  }
  const inRows = { ...membersSetBy(declared.flags ?? {}), ...(typeof body === 'object' && body.members) }
  const flags = {
    ...outputFlags,
    ...flagsOfBody(body),
    ...(isFileOnly ? bulkOnlyFlags(names) : bulkFlags),
    ...filters,
    ...(choosing && exceptFlags),
    ...writeFlags,
  }
  return class extends commandOf('bulk', summary, { ...declared, ...choosable }, flags) {
    static override effect = 'write' as const
    static override columns = columns
    static override words = declared.words
    static override results = declared.results ?? {}
    static override rows = {
      ...declared.words,
      body: declared.inputColumns?.of ?? declared.calls[0].body,
      members: inRows,
      also: declared.inputColumns?.also,
    }
    static override undo = declared.undo
    static override instead = declared.instead

    async run() {
      const line = await this.commandLine()
      const called = { ...declared, endpoint: (await line.called()) as E }
      const named = line.args[items] as string | string[] | undefined
      const given = named === undefined ? undefined : [named].flat()
      const { one, inputColumns = declared.inputColumns, ...decided } = await rows(line.given() as BulkGiven<A, F>)
      const keys = 'items' in decided ? decided.items : given
      const isChosen =
        choosing && this.replay === undefined && [...ways, 'except'].some((name) => Object.hasOwn(line.flags, name))
      const chosen =
        isChosen &&
        (await import('../bulk/several/chosen.ts')).chosenRows(
          choosing,
          names,
          keys ?? (one && []),
          { ...line, typed: this.line.flags, plan: (await import('../bulk/run-plan.ts')).runPlanOf(line.flags, this) },
          called,
        )
      const input = chosen || { ...inputColumns, members: inRows }
      const bulk = { ...called, ...decided, input } as unknown as BulkDefinition<E>
      if (one === undefined) return await this.runBulk(keys, bulk)
      const { endpoint, undo } = bulk
      const shown = { endpoint, columns: columns as ColumnSet, ...(undo !== undefined && { isFinal: false }) }
      const answer = await this.writeOne({ ...shown, ...one })
      if (answer !== undefined) tell?.(this.show, answer, line.given())
    }
  }
}
