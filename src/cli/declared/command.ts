// What all makers of commands share: what a command declares, and how its command line becomes what a request is made of.

import type { Interfaces } from '@oclif/core'
import type { z } from 'zod'
import type { Client, RequestOf } from '../../api/client.ts'
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts'
import type { ColumnSet } from '../../output/column.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import type { BulkFlags } from '../bulk/run-plan.ts'
import { type Instead, PromoCommand } from '../command.ts'
import type { DateFlags } from '../flags/dates.ts'
import { allowUnknownFlag, bodyFlags, serviceFlags } from '../flags/flags.ts'
import type { Clock } from '../flags/time.ts'
import type { WaitFlags } from '../flags/wait.ts'
import type { Asks } from '../prompt/needs.ts'
import type { BodyFlags } from '../request/body.ts'
import { type MemberFlags, withMembers } from '../request/member-flags.ts'
import type { ListFlags } from '../result/listing.ts'
import type { Messages } from '../result/messages.ts'
import { projectFlag, projectOf } from '../session/project.ts'
import type { Run } from '../session/run.ts'

/** What a declared command does with its call; `own`: one whose body or result is not simply that of the call. */
export type DeclaredKind = 'read' | 'list' | 'write' | 'bulk' | 'own'

export type Args = Interfaces.ArgInput
export type Flags = Interfaces.FlagInput
// biome-ignore lint/complexity/noBannedTypes: a command without arguments or flags of its own adds none.
export type None = {}

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
  /** The run: what is neither an argument nor a flag. */
  run: Run
  /** The project of a management call. Throws `config` (exit 4) when neither flag nor profile names one. */
  projectId: string
}

export interface DeclaredCommand<E extends Endpoint, A extends Args, F extends Flags> {
  description?: string
  /** Command lines as they are pasted. */
  examples: readonly string[]
  /** The call, then the others that it may make. */
  calls: readonly [E, ...Endpoint[]]
  /** The call, where the command line chooses between several that take and answer the same; absent: the first. */
  chosen?: (given: CommandInput<A, F>) => Endpoint
  args?: A
  /** Flags beyond those that every command of its kind has. */
  flags?: F
  asks?: Asks
  /** Where the body comes from; of a function, which throws `usage`, it is read before the profile is. Absent: from arguments and flags. */
  body?: TakenBody | ((flags: Interfaces.InferredFlags<F>, run: Run) => Promise<unknown>)
}

/** A body, or the only element of one, that `--body` and `--set` describe. */
export interface TakenBody {
  /** `any`: also members that the contract does not know. */
  takes: 'known' | 'any'
  /** Members that have flags of their own; the flags are among those of the command. */
  members: MemberFlags
}

/** A command that writes. */
export interface DeclaredWriter<E extends Endpoint, A extends Args, F extends Flags, Columns = ColumnSet>
  extends DeclaredCommand<E, A, F> {
  /** The columns of a single answer; absent: it is empty, or not shown. */
  columns?: Columns
  /** The command line that does by hand what promo does not undo; absent: the help. */
  instead?: Instead
  /** Tells what there is to know after a single one. */
  tell?: (messages: Messages, answer: AnswerOf<E>, given: CommandInput<A, F>) => void
}

/** A command that shows what it reads, or the rows of a list. */
export interface DeclaredReader<Answer, A extends Args, F extends Flags, Part = object> {
  /** The part of the answer, or of a row, that is shown; absent: all of it. */
  shown?: (answer: Answer, given: CommandInput<A, F>) => Part
  /** What promo adds to it in a table and CSV; the other formats have the service's own objects. */
  told?: RowDecorator<CommandInput<A, F>>
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
export type RowDecorator<Given = CommandInput> = (
  run: RowContext,
  given: Given,
) => (object: object) => object | Promise<object>

/** A request, which may need a look at the service first. */
export type AskedRequest<E extends Endpoint, A extends Args, F extends Flags> = (
  given: CommandInput<A, F>,
  client: Client,
  warn: Messages['warn'],
) => RequestOf<E> | Promise<RequestOf<E>>

export type AllFlags = WaitFlags &
  ListFlags &
  DateFlags &
  BulkFlags &
  BodyFlags & { project?: string; explain?: boolean; 'allow-unknown'?: boolean }

/** The part that all kinds share: what the declaration says, and how the command line becomes what a request is made of. */
export function commandOf<E extends Endpoint, A extends Args, F extends Flags>(
  kind: DeclaredKind,
  summary: string,
  declared: DeclaredCommand<E, A, F>,
  kindFlags: Flags,
) {
  const { calls, description, examples } = declared
  const [endpoint] = calls
  abstract class Declared extends PromoCommand {
    /** What it was made as; the tests of all commands of a kind find them by it. */
    static kind = kind
    static override summary = summary
    static override description = description
    static override examples = [...examples]
    static override calls = [...new Set<Endpoint>(calls)]
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
      const body =
        typeof declared.body === 'function' ? await declared.body(flags as never, this) : await this.takenBody(flags)
      const now = this.host.now()
      const clock = (profile?: Resolved): Clock => ({ nowMs: now, timeZone: profile?.timeZone ?? 'UTC' })
      return {
        args,
        flags,
        read,
        called: (call: Endpoint = endpoint) => calledWith(call, flags),
        clock,
        given: (profile?: Resolved | (() => Resolved | undefined)) => {
          const resolveProfile = () => (typeof profile === 'function' ? profile() : profile)
          return Object.defineProperties(
            { args, flags, typed, body, now, run: this },
            {
              clock: { get: () => clock(resolveProfile()) },
              projectId: { get: () => projectOf(flags, resolveProfile() as Resolved) },
            },
          ) as unknown as CommandInput<A, F>
        },
      }
    }

    /** What `told` works with. */
    protected telling(client: Client): RowContext {
      const { isTable, shape, warn } = this.show
      const shows = (column: string) => shape.columns?.includes(column) ?? isTable
      return { client, nowMs: this.host.now(), shows, isTable, warn }
    }

    /** What explains an object, where the command line asks for it. */
    protected async explaining(client: Client, explains: (() => Promise<Explains>) | undefined) {
      if (!this.explains || !explains) return undefined
      const { explained, timesIn } = await import('../result/explained.ts')
      return explained((await explains())({ ...this.telling(client), timeOf: timesIn(this.show.shape) }))
    }

    private async takenBody(flags: AllFlags) {
      if (typeof declared.body !== 'object') return {}
      const { bodyFrom } = await import('../request/body.ts')
      const { element = endpoint.body } = endpoint.body as { element?: z.ZodType } & z.ZodType
      return await bodyFrom(
        { ...flags, set: withMembers(declared.body.members, { ...flags }) },
        element as z.ZodType,
        this,
      )
    }
  }
  return Declared
}

/** Returns the call that a command line chooses. */
export function chosenBy<E extends Endpoint, A extends Args, F extends Flags>(
  { chosen, calls }: Pick<DeclaredCommand<E, A, F>, 'chosen' | 'calls'>,
  given: CommandInput<A, F>,
): E {
  return (chosen?.(given) ?? calls[0]) as E
}

/** Returns the flags that describe a body. */
export function flagsOfBody(body: TakenBody | object | undefined): Flags {
  if (body === undefined || !('takes' in body)) return {}
  return body.takes === 'any' ? { ...bodyFlags, ...allowUnknownFlag } : bodyFlags
}

/** Returns the call as the flags allow it: with `--allow-unknown` its body may have members that the contract does not know. */
export async function calledWith<E extends Endpoint>(endpoint: E, flags: { 'allow-unknown'?: boolean }): Promise<E> {
  if (!flags['allow-unknown']) return endpoint
  const { withUnknownMembers } = await import('../../api/request/unknown-members.ts')
  return withUnknownMembers(endpoint)
}
