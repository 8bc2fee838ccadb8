// What is published about a command beyond its flags, composed from what its class declares.
import type { Endpoint, Repeat } from '../contract/endpoint.ts'
import type { ExitCode } from '../errors.ts'
import type { ColumnSet } from '../output/column.ts'
import { outcomeColumns } from './bulk/outcome-records.ts'
import type { PromoCommand } from './command.ts'
import { type Bringing, callsService, type ExitBlock, everyCommand, usesSandboxFile, writesToService } from './exits.ts'
import type { Facts, ManifestCall } from './help/manifest.ts'
import { columnFacts } from './help/row-facts.ts'
import { needsOf, waysOf } from './prompt/needs.ts'

/** The part of a command class that is read here. */
export type Declaring = Pick<typeof PromoCommand, 'asks' | 'effect' | 'calls' | 'columns' | 'exits'> &
  Partial<Pick<typeof PromoCommand, 'args' | 'flags' | 'words' | 'results' | 'rows'>>

/** Composes the facts of a command. */
export function factsOf(command: Declaring): Facts {
  const { calls } = command
  const names = columnSetsOf(command).flatMap(({ columns, also = [] }) => [...columns.map(({ name }) => name), ...also])
  return {
    effect: command.effect,
    needs: needsOf(command, {}).map(waysOf),
    calls: calls === 'any' ? [] : calls.map(callOf).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    repeat: repeatOf(calls),
    columns: [...new Set(names)],
    ...(command.rows && { reads: columnFacts(command.rows) }),
    exit_codes: exitCodesOf(command),
  }
}

/** Returns the columns of everything that a command shows: its results, and the outcomes of its rows. */
export function columnSetsOf({ columns, words, results }: Declaring): ColumnSet[] {
  return [columns, words === undefined ? [] : outcomeColumns(words, results)].flat()
}

/** Returns every exit code that a command can end with, in ascending order. */
export function exitCodesOf(command: Declaring): ExitCode[] {
  const codes = [...blocksOf(command).flatMap(({ exits }) => exits), ...ownExitsOf(command)]
  return [...new Set(codes)].toSorted((one, other) => one - other)
}

/** Returns the blocks that a command is built of: by what it calls, by its flags and arguments, and by name. */
export function blocksOf({ args = {}, flags = {}, effect, calls, exits }: Declaring): ExitBlock[] {
  const brought = [...Object.values(args), ...Object.values(flags)].flatMap(
    (definition) => (definition as Bringing).brings ?? [],
  )
  const called = calls === 'any' || calls.length > 0 ? [callsService, usesSandboxFile] : []
  const written = effect === 'write' ? [writesToService] : []
  return [...new Set([everyCommand, ...called, ...written, ...brought, ...exits.filter(isBlock)])]
}

/** Returns the exit codes that a command has in addition to those of its blocks. */
export function ownExitsOf({ exits }: Pick<Declaring, 'exits'>): ExitCode[] {
  return exits.filter((exit) => typeof exit === 'number')
}

function isBlock(exit: ExitCode | ExitBlock): exit is ExitBlock {
  return typeof exit === 'object'
}

function callOf({ id, method, path, credential, repeat }: Endpoint): ManifestCall {
  return { id, method, path, credential, repeat }
}

const repeats: readonly Repeat[] = ['read', 'idempotent', 'key', 'reconcile', 'duplicate', 'once']

/** What one more identical run does to the service: the effect of its least repeatable call. */
function repeatOf(calls: Declaring['calls']): Repeat | null {
  if (calls === 'any') return 'once'
  return repeats.findLast((repeat) => calls.some((call) => call.repeat === repeat)) ?? null
}
