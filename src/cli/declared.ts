// Commands that are one call of the contract, or one call a row: declared as data, and made into a command class here.
import type { Interfaces } from '@oclif/core'
import type { z } from 'zod'
import type { Client, RequestOf } from '../api/client.ts'
import { grouped } from '../base/grouped.ts'
import type { AnswerOf, Endpoint } from '../contract/endpoint.ts'
import { EXIT, type ExitCode } from '../errors.ts'
import type { ColumnSet } from '../output/column.ts'
import type { Resolved } from '../profiles/resolve.ts'
import type { BulkDefinition } from './bulk/definition.ts'
import type { BulkFlags } from './bulk/run-plan.ts'
import type { ChosenObjects } from './bulk/several/chosen.ts'
import { type Several, severalColumns } from './bulk/several/columns.ts'
import { type CommandClass, type Instead, PromoCommand } from './command.ts'
import { choosingFlags, exceptFlags, type StateFilters, stateFlags } from './flags/choosing.ts'
import { type DateFlags, dateFlags } from './flags/dates.ts'
import {
  allowUnknownFlag,
  bodyFlags,
  bulkFlags,
  bulkOnlyFlags,
  explainFlag,
  listFlags,
  outputFlags,
  readRowFlags,
  serviceFlags,
  writeFlags,
} from './flags/flags.ts'
import { argumentList, optionalArgument } from './flags/kinds.ts'
import type { Clock } from './flags/time.ts'
import { waitFlags } from './flags/wait.ts'
import type { Asks } from './prompt/needs.ts'
import type { BodyFlags } from './request/body.ts'
import type { WriteFlags } from './request/carry-out.ts'
import type { Existing } from './request/if-exists.ts'
import { type MemberFlags, membersSetBy, withMembers } from './request/member-flags.ts'
import type { RowColumns } from './request/row-columns.ts'
import type { SingleWrite } from './request/write.ts'
import type { ListFlags } from './result/listing.ts'
import type { Messages } from './result/messages.ts'
import type { Named } from './result/named.ts'
import { isPlainTable, isTabular, type OutputFlags, showingOf } from './result/output.ts'
import type { WaitFlags } from './result/polling.ts'
import type { Shown } from './result/show.ts'
import type { Host } from './run/host.ts'
import { projectFlag, projectOf } from './session/project.ts'

/** What a declared command does with its call; `own`: one whose body or result is not simply that of the call. */
export type DeclaredKind = 'read' | 'list' | 'write' | 'bulk' | 'own'

type Args = Interfaces.ArgInput
type Flags = Interfaces.FlagInput
// biome-ignore lint/complexity/noBannedTypes: a command without arguments or flags of its own adds none.
type None = {}

/** What a request is made of: the command line as parsed, and what comes with the run. */
export interface CommandInput<A extends Args = Args, F extends Flags = Flags> {
  args: Interfaces.InferredArgs<A>
  flags: Interfaces.InferredFlags<F>
  /** The arguments as they were typed, with the names whose ids `args` has: for people. */
  typed: Interfaces.InferredArgs<A>
  /** What `--body` and `--set` describe together, which the contract checks; empty for a command that takes neither. */
  body: never
  /** The time of the run, in milliseconds since 1970. */
  now: number
  /** When and where it runs: the time zone of days is that of the profile. */
  clock: Clock
  /** Where it runs: what is neither an argument nor a flag. */
  host: Host
  /** The project of a management call. Throws `config` (exit 4) when neither flag nor profile names one. */
  projectId: string
}

interface DeclaredCommand<E extends Endpoint, A extends Args, F extends Flags> {
  description?: string
  /** Command lines as they are pasted. */
  examples: readonly string[]
  endpoint: E
  /** The call, where the command line chooses between several that take and answer the same; absent: `endpoint`. */
  chosen?: (given: CommandInput<A, F>) => Endpoint
  /** The other calls that it may make. */
  looks?: readonly Endpoint[]
  args?: A
  /** Flags beyond those that every command of its kind has. */
  flags?: F
  asks?: Asks
  /** Where the body comes from; of a function, which throws `usage`, it is read before the profile is. Absent: from arguments and flags. */
  body?: TakenBody | ((flags: Interfaces.InferredFlags<F>, host: Host) => Promise<unknown>)
}

/** A body, or the only element of one, that `--body` and `--set` describe. */
interface TakenBody {
  /** `any`: also members that the contract does not know. */
  takes: 'known' | 'any'
  /** Members that have flags of their own; the flags are among those of the command. */
  members: MemberFlags
}

/** A command that writes. */
interface DeclaredWriter<E extends Endpoint, A extends Args, F extends Flags, Columns = ColumnSet>
  extends DeclaredCommand<E, A, F> {
  /** The columns of a single answer; absent: it is empty, or not shown. */
  columns?: Columns
  /** The command line that does by hand what promo does not undo; absent: the help. */
  instead?: Instead
  /** Tells what there is to know after a single one. */
  tell?: (messages: Messages, answer: AnswerOf<E>, given: CommandInput<A, F>) => void
}

/** A command that shows what it reads, or the rows of a list. */
interface DeclaredReader<Answer, A extends Args, F extends Flags, Part = object> {
  /** The part of the answer, or of a row, that is shown; absent: all of it. */
  shown?: (answer: Answer, given: CommandInput<A, F>) => Part
  /** What promo adds to it in a table and CSV; the other formats have the service's own objects. */
  told?: RowDecorator
  /** It has `--explain`, and loads with it what says why. */
  explains?: () => Promise<Explains>
}

/** What a command uses that tells more than the service's own object. */
export interface RowContext {
  client: Client
  nowMs: number
  /** Whether the result has this column: in a table unless --columns leaves it out, in CSV only if --columns names it. */
  shows: (column: string) => boolean
  /** Whether the result is a table. */
  isTable: boolean
  /** Writes a line that --quiet does not silence. */
  warn: Messages['warn']
}

/** Makes the function that explains an object: how it stands, then the reasons, each a line. `timeOf` writes an instant as tables do. */
export type Explains = (
  run: RowContext & { timeOf: (instant: unknown) => string },
) => (object: object) => Promise<readonly string[]>

/** Makes the function that returns what promo adds to an object in a table and CSV. */
export type RowDecorator = (run: RowContext) => (object: object) => object | Promise<object>

/** Which objects of a list are meant: declared once for the list and for what writes its objects. Its request may look at the service first. */
export interface ListFilters<E extends Endpoint, A extends Args = None, F extends Flags = None>
  extends Pick<DeclaredCommand<E, A, F>, 'endpoint' | 'chosen' | 'looks' | 'args' | 'flags'> {
  /** Switches for states that are known of an object itself. */
  states?: StateFilters
  /** What the flags that name one object read: where there is no row, it may not exist. */
  named?: Readonly<Record<string, Named>>
  request: (given: CommandInput<A, F>, client: Client, warn: Messages['warn']) => RequestOf<E> | Promise<RequestOf<E>>
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
  /** Those of `endpoint`, then those of the other call that `chosen` chooses, where they differ. */
  columns: ColumnSet | readonly ColumnSet[]
  /** What the rows are: `customers`. */
  noun: string
  /** What `told` adds, for the pages of a table alone. */
  toldPages?: (pages: AsyncIterable<object[]>, given: CommandInput<A, F>, run: RowContext) => AsyncIterable<object[]>
}

/** How a background job is followed that an answer names, with --wait to its end (topics/async/background.ts). */
export interface Background {
  started: ColumnSet
  ended: ColumnSet
  read: Endpoint
  following: () => Promise<typeof import('./topics/async/action.ts').following>
}

interface DeclaredWrite<E extends Endpoint, A extends Args, F extends Flags>
  extends DeclaredWriter<E, A, F, ColumnSet | Background>,
    Pick<DeclaredReader<AnswerOf<E>, A, F, object | string>, 'shown'> {
  request: (given: CommandInput<A, F>) => RequestOf<E>
  /** Where what it creates is listed: by that it is recognized after a lost answer. */
  made?: CreatedObject<A, F>
  /** What is told where only a listing shows what it created. */
  lost?: (found: AnswerOf<E>) => string
  /** What happens when there already is one of that name. */
  existing?: (given: CommandInput<A, F>) => Existing<E>
  /** What will happen, as a question without the question mark: asked because it cannot be undone. */
  question?: (given: CommandInput<A, F>) => string
  /** Written to stderr when the answer is empty: `deleted segment "seg_1"`. */
  done?: (given: CommandInput<A, F>) => string
}

/** Where what a command creates is listed; the list is among `looks`. */
export interface CreatedObject<A extends Args = Args, F extends Flags = Flags> {
  /** The members that the list shows; absent: those of the body, or of its only element. */
  asked?: (given: CommandInput<A, F>) => object
  /** The command that lists them. */
  listedBy: (given: CommandInput<A, F>) => string
}

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
    /** Many rows come from a file alone. */
    isFileOnly?: boolean
    /** The list whose filters choose rows, too. */
    choosing?: Choosing
    rows: (given: BulkGiven<A, F>) => Rows<E> | Promise<Rows<E>>
  }

/** A command that reads one object, or an answer with rows. */
interface DeclaredRead<E extends Endpoint, A extends Args, F extends Flags>
  extends DeclaredCommand<E, A, F>,
    DeclaredReader<AnswerOf<E>, A, F> {
  columns: ColumnSet
  /** The request of the call, which may need a look at the service first; absent: `read` makes it. */
  request?: (given: CommandInput<A, F>, client: Client, warn: Messages['warn']) => RequestOf<E> | Promise<RequestOf<E>>
  /** Finds the answer, where it takes more than the call. */
  read?: (client: Client, given: CommandInput<A, F>, say: Messages['say']) => Promise<AnswerOf<E>>
  /** Several may be read: what the last argument names, and the column of a file that names it. */
  several?: Several
  /** The columns of a table, where those of the set are too many for a screen. */
  brief?: readonly string[]
  /** The answer as rows of a table or CSV; the other formats have the answer. */
  rows?: (answer: AnswerOf<E>, nowMs: number) => Omit<Shown, 'answer' | 'columns'>
  /** The exit code of a poor answer, and which is one. */
  exit?: { code: ExitCode; isDue: (answer: AnswerOf<E>, given: CommandInput<A, F>) => boolean }
}

/** Makes a command that reads one object, or an answer with rows. */
export function readCommand<E extends Endpoint, A extends Args = None, F extends Flags = None>(
  summary: string,
  declared: DeclaredRead<E, A, F>,
): CommandClass {
  const { columns, shown, told, brief, read, rows, exit, several, explains } = declared
  const kind = read || rows || declared.body ? 'own' : 'read'
  const [last = '', named] = Object.entries(declared.args ?? {}).at(-1) ?? []
  const list = several && {
    args: { ...declared.args, [last]: argumentList(`${named?.description}; several are a list`) },
    asks: { [last]: { unless: ['from'], question: `${named?.description?.split(';', 1)[0]}:`, isOne: true } },
  }
  const flags = { ...(explains && explainFlag), ...(several && readRowFlags), ...outputFlags }
  return class extends commandOf(kind, summary, { ...declared, ...list } as DeclaredRead<E, A, F>, flags) {
    static override columns = several ? severalColumns(columns) : columns
    static override rows = several
    // Every call brings that of a refusal.
    static override exits = exit === undefined || exit.code === EXIT.refused ? [] : [exit.code]

    async run() {
      const line = await this.commandLine()
      const isBrief = brief !== undefined && isPlainTable(line.flags)
      const flags = isBrief ? { ...line.flags, columns: line.flags.columns ?? [...brief] } : line.flags
      const { rate, concurrency } = line.flags
      const client = await this.connect(flags, {
        ...(rate !== undefined && { rate: (await import('../api/pacing/rate.ts')).parseRate(rate) }),
        ...(concurrency !== undefined && { concurrency }),
      })
      const all = line.given(client.profile)
      const { warn } = this.messages(flags)
      const items = line.args[last] as string[] | undefined
      const given = several && items?.length === 1 ? withArgument(all, last, items[0]) : all
      const chosen = chosenBy(declared, given)
      const explain = await this.explaining(client, line.flags, explains)
      if (several && given === all) {
        const { keysOf, readSeveral } = await import('./bulk/several/read.ts')
        const { readingOf } = await import('./bulk/run-plan.ts')
        const keys = await keysOf(items, readingOf(line.flags, this.host), several)
        const tell = told && isTabular(flags) ? told(this.telling(client, line.flags)) : undefined
        let missing = 0
        const one = async (key: string) => {
          const about = withArgument(all, last, key)
          const request = (await declared.request?.(about, client, warn)) as RequestOf<E>
          const answer: AnswerOf<E> = await client.call(chosenBy(declared, about), request)
          const object = shown ? shown(answer, about) : (answer as object)
          return tell ? { ...object, ...(await tell(object)) } : object
        }
        const pages = readSeveral(keys, one, {
          concurrency,
          isTabular: isTabular(flags),
          onMissing: () => (missing += 1),
        })
        const words = { nothing: `no ${several.noun} given`, explain }
        await showingOf(line.flags, this.host).pages(pages, severalColumns(columns, brief), words)
        if (missing === 0) return
        this.exitCode = EXIT.refused
        warn(`${grouped(missing)} of ${grouped(keys.length)} not found`)
        const id = this.line.command.replace(/get$/, 'list')
        warn(`try: promo ${id.replaceAll(':', ' ')} --help`)
        return
      }
      // What was named may have been read for its id.
      const known = line.read?.get === chosen ? (line.read?.object as AnswerOf<E>) : undefined
      const answer: AnswerOf<E> = read
        ? await read(client, given, this.messages(flags).say)
        : (known ?? (await client.call(chosen, (await declared.request?.(given, client, warn)) as RequestOf<E>)))
      const object = shown ? shown(answer, given) : (answer as object)
      if (explain && isPlainTable(flags)) await showingOf(flags, this.host).rows([object], columns, { explain })
      else if (rows) {
        const { showAnswer } = await import('./result/show.ts')
        await showAnswer({ answer: object, columns, ...rows(answer, given.now) }, flags, this.host)
      } else {
        const tell = told && isTabular(flags) ? told(this.telling(client, line.flags)) : undefined
        await this.emitOne(tell ? { ...object, ...(await tell(object)) } : object, columns, flags)
        for (const reason of explain ? await explain(object) : []) this.messages(flags).say(reason)
      }
      if (exit?.isDue(answer, given)) this.exitCode = exit.code
    }
  }
}

/** Makes a command that lists: one page as a table, everything in the other formats, unless flags say otherwise. */
export function listCommand<E extends Endpoint, A extends Args = None, F extends Flags = None>(
  summary: string,
  declared: DeclaredList<E, A, F>,
): CommandClass {
  const { columns, noun, shown, told, toldPages, explains } = declared
  return class extends commandOf('list', summary, declared, {
    ...(explains && explainFlag),
    ...stateFlags(declared.states),
    ...dateFlags(declared.endpoint),
    ...outputFlags,
    ...listFlags,
  }) {
    static override columns = columns

    async run() {
      const line = await this.commandLine()
      const client = await this.connect(line.flags)
      const given = line.given(client.profile)
      const telling = this.telling(client, line.flags)
      const { listedBy } = await import('./result/listed-by.ts')
      const about = { filters: declared, given, flags: line.flags, clock: line.clock(client.profile) }
      const { pages: known, more } = await listedBy(about, client, this.messages(line.flags))
      const rows = shown ? mapPages(known, (row) => shown(row, given)) : known
      const tell = told && isTabular(line.flags) ? told(telling) : undefined
      const added = tell ? mapPages(rows, async (row) => ({ ...row, ...(await tell(row)) })) : rows
      const all = toldPages && isPlainTable(line.flags) ? toldPages(added, given, telling) : added
      const explain = await this.explaining(client, line.flags, explains)
      const [own, other = own] = [columns].flat() as ColumnSet[]
      const set = chosenBy(declared, given) === declared.endpoint ? own : other
      await showingOf(line.flags, this.host).pages(all, set as ColumnSet, {
        nothing: `no ${noun} found`,
        more,
        explain,
      })
    }
  }
}

/** Makes a command that makes one write: checked, announced, confirmed, sent and shown. */
export function writeCommand<E extends Endpoint, A extends Args = None, F extends Flags = None>(
  summary: string,
  declared: DeclaredWrite<E, A, F>,
): CommandClass {
  const { columns: answered = { columns: [] }, question, done, body, shown, existing, made, tell, instead } = declared
  const background = 'following' in answered ? answered : undefined
  const columns = 'following' in answered ? answered.started : answered
  const flags = { ...outputFlags, ...(background && waitFlags), ...flagsOfBody(body), ...writeFlags }
  const looks = [...(declared.looks ?? []), ...(background ? [background.read] : [])]
  const { name } = (declared.flags ?? {}) as Flags
  const isNamed = (made ?? existing) !== undefined && name !== undefined && !name.required
  const args = { ...declared.args, ...(isNamed && { name: optionalArgument('the name, as with --name') }) } as A
  return class extends commandOf(
    typeof body === 'function' ? 'own' : 'write',
    summary,
    { ...declared, looks, args },
    flags,
  ) {
    static override effect = 'write' as const
    static override columns = background ? [columns, background.ended] : columns
    static override instead = instead

    async run() {
      const line = await this.commandLine()
      let resolved: Resolved | undefined
      const given = line.given(() => resolved)
      const chosen = chosenBy(declared, given)
      const { replaces: taken } = chosen
      const whole = taken && (await import('./request/read-first.ts'))
      const follow = (await background?.following())?.(line.flags, this.host)
      const answer = await this.writeOne(line.flags, {
        endpoint: (await line.called(whole?.partOf(chosen) ?? chosen)) as E,
        request(profile) {
          resolved = profile
          return declared.request(given)
        },
        columns: follow?.columns ?? columns,
        ...(shown && { shown: (answer: AnswerOf<E>) => shown(answer, given) }),
        ...(follow && { shown: follow.shown as never }),
        isKept: true,
        // The first look reads the object.
        ...(whole && { readFirst: { get: looks[0] as Endpoint, taken, members: whole.membersOf(chosen) } }),
        ...(declared.lost && { lost: declared.lost }),
        ...(existing && { existing: existing(given) }),
        ...(made && {
          listed: { ...(made.asked && { asked: made.asked(given) }), listedBy: () => made.listedBy(given) },
        }),
        ...(question && { question: question(given) }),
        ...(done && { done: done(given) }),
      })
      if (follow) this.exitCode = follow.end(answer as never)
      if (answer !== undefined) tell?.(this.messages(line.flags), answer, given)
    }
  }
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
    looks: [...(declared.looks ?? []), ...(choosing ? [choosing.endpoint, ...(choosing.looks ?? [])] : [])],
    ...(ask && { asks: { ...declared.asks, [items]: { ...ask, filters: ways } } }),
  }
  const inRows = { ...membersSetBy(declared.flags ?? {}), ...(typeof body === 'object' && body.members) }
  const flags = {
    ...outputFlags,
    ...flagsOfBody(body),
    ...(isFileOnly ? bulkOnlyFlags : bulkFlags),
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
      body: declared.inputColumns?.of ?? declared.endpoint.body,
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
        (await import('./bulk/several/chosen.ts')).chosenRows(
          choosing,
          names,
          keys,
          { ...line, typed: this.line.flags, plan: (await import('./bulk/run-plan.ts')).runPlanOf(line.flags, this) },
          called,
        )
      const input = chosen || { ...inputColumns, members: inRows }
      const bulk = { ...called, ...decided, input } as unknown as BulkDefinition<E>
      if (one === undefined) return await this.runBulk(keys, line.flags, bulk)
      const { endpoint, undo } = bulk
      const shown = { endpoint, columns: columns as ColumnSet, ...(undo !== undefined && { isFinal: false }) }
      const answer = await this.writeOne(line.flags, { ...shown, ...one })
      if (answer !== undefined) tell?.(this.messages(line.flags), answer, line.given())
    }
  }
}

async function* mapPages(
  pages: AsyncIterable<object[]>,
  shown: (row: object) => object | Promise<object>,
): AsyncGenerator<object[]> {
  for await (const page of pages) yield await Promise.all(page.map(async (row) => await shown(row)))
}

function flagsOfBody(body: TakenBody | object | undefined): Flags {
  if (body === undefined || !('takes' in body)) return {}
  return body.takes === 'any' ? { ...bodyFlags, ...allowUnknownFlag } : bodyFlags
}

function chosenBy<E extends Endpoint, A extends Args, F extends Flags>(
  { chosen, endpoint }: Pick<DeclaredCommand<E, A, F>, 'chosen' | 'endpoint'>,
  given: CommandInput<A, F>,
): E {
  return (chosen?.(given) ?? endpoint) as E
}

/** The command line as if an argument had this one value. */
function withArgument<G extends Pick<CommandInput, 'args' | 'typed'>>(given: G, name: string, value: unknown): G {
  const withValue = (args: object) => ({ value: { ...args, [name]: value } })
  return Object.create(given, { args: withValue(given.args), typed: withValue(given.typed) })
}

type AllFlags = WriteFlags &
  WaitFlags &
  ListFlags &
  DateFlags &
  BulkFlags &
  BodyFlags & { project?: string; explain?: boolean; 'allow-unknown'?: boolean }

/** Returns the call as the flags allow it: with `--allow-unknown` its body may have members that the contract does not know. */
export async function calledWith<E extends Endpoint>(endpoint: E, flags: { 'allow-unknown'?: boolean }): Promise<E> {
  if (!flags['allow-unknown']) return endpoint
  const { withUnknownMembers } = await import('../api/request/unknown-members.ts')
  return withUnknownMembers(endpoint)
}

/** The part that all kinds share: what the declaration says, and how the command line becomes what a request is made of. */
function commandOf<E extends Endpoint, A extends Args, F extends Flags>(
  kind: DeclaredKind,
  summary: string,
  declared: DeclaredCommand<E, A, F>,
  kindFlags: Flags,
) {
  const { endpoint, description, examples } = declared
  abstract class Declared extends PromoCommand {
    /** What it was made as; the tests of all commands of a kind find them by it. */
    static kind = kind
    static override summary = summary
    static override description = description
    static override examples = [...examples]
    static override calls = [...new Set([endpoint, ...(declared.looks ?? [])])]
    static override args = declared.args ?? {}
    static override asks = declared.asks
    static override flags: Flags = {
      ...serviceFlags,
      // One that is named as an argument is never that of the profile.
      ...(endpoint.path.includes('{projectId}') && declared.args?.project === undefined && projectFlag),
      ...declared.flags,
      ...kindFlags,
    }

    /** Parses the command line and reads the body; `given` completes it once the profile is known. */
    protected async commandLine() {
      const { read, ...line } = await this.inputWithIds(this.constructor as typeof Declared)
      const { args, flags } = line as { args: Record<string, unknown>; flags: AllFlags }
      const typed = this.line.args
      const { host } = this
      const body =
        typeof declared.body === 'function' ? await declared.body(flags as never, host) : await this.takenBody(flags)
      const now = host.now()
      const clock = (profile?: Resolved): Clock => ({ nowMs: now, timeZone: profile?.timeZone ?? 'UTC' })
      return {
        args,
        flags,
        read,
        called: (call: Endpoint = endpoint) => calledWith(call, flags),
        clock,
        given(profile?: Resolved | (() => Resolved | undefined)) {
          const resolveProfile = () => (typeof profile === 'function' ? profile() : profile)
          return Object.defineProperties(
            { args, flags, typed, body, now, host },
            {
              clock: { get: () => clock(resolveProfile()) },
              projectId: { get: () => projectOf(flags, resolveProfile() as Resolved) },
            },
          ) as unknown as CommandInput<A, F>
        },
      }
    }

    /** What `told` works with. */
    protected telling(client: Client, flags: OutputFlags & { quiet?: boolean }): RowContext {
      const isTable = isPlainTable(flags)
      const shows = (column: string) => flags.columns?.includes(column) ?? isTable
      return { client, nowMs: this.host.now(), shows, isTable, warn: this.messages(flags).warn }
    }

    /** What explains an object, where the command line asks for it. */
    protected async explaining(client: Client, flags: AllFlags, explains: (() => Promise<Explains>) | undefined) {
      if (!flags.explain || !explains) return undefined
      const { explained, timesIn } = await import('./result/explained.ts')
      return explained(
        (await explains())({ ...this.telling(client, flags), timeOf: timesIn(showingOf(flags, this.host).shape) }),
      )
    }

    private async takenBody(flags: AllFlags) {
      if (typeof declared.body !== 'object') return {}
      const { bodyFrom } = await import('./request/body.ts')
      const { element = endpoint.body } = endpoint.body as { element?: z.ZodType } & z.ZodType
      return await bodyFrom(
        { ...flags, set: withMembers(declared.body.members, { ...flags }) },
        element as z.ZodType,
        this.host,
      )
    }
  }
  return Declared
}
