// The only base class. oclif declares and parses flags and arguments; its own base class would load oclif's launcher,
// plugins and help at every start. It provides a command with its host, its parsed input, a client, and the ways to write results.
import type { Interfaces } from '@oclif/core'
import { parse } from '@oclif/core/parser'
import type { Client } from '../api/client.ts'
import type { AnswerOf, Endpoint } from '../contract/endpoint.ts'
import { EXIT, type ExitCode, PromoError, usageError } from '../errors.ts'
import type { ColumnSet } from '../output/column.ts'
import type { Resolved } from '../profiles/resolve.ts'
import type { KeptResults } from './bulk/call-row.ts'
import type { BulkDefinition, BulkWords, CommandLine } from './bulk/definition.ts'
import type { Replay } from './bulk/work.ts'
import type { ExitBlock } from './exits.ts'
import { withDescendingOrder } from './flags/descending.ts'
import { globalFlags, outputFlags } from './flags/flags.ts'
import { cardIn, referenceIn } from './flags/kinds.ts'
import { mustKeepInput } from './flags/same-file.ts'
import type { Clock } from './flags/time.ts'
import type { DeclaredRows } from './help/row-facts.ts'
import type { Question } from './prompt/confirm.ts'
import { completeInput } from './prompt/input.ts'
import type { Asks } from './prompt/needs.ts'
import { canAsk } from './prompt/prompts.ts'
import type { ReadByName } from './request/resolve-names.ts'
import type { SingleWrite } from './request/write.ts'
import { type OutputFlags, type Showing, showingOf } from './result/output.ts'
import type { CommandIndex } from './run/find-command.ts'
import type { Host, ProgramConfig } from './run/host.ts'
import type { ClientSession, ConnectOptions } from './session/connect.ts'
import type { Run } from './session/run.ts'

type FlagsOf<C extends typeof PromoCommand> = Interfaces.InferredFlags<C['flags'] & (typeof PromoCommand)['baseFlags']>
type ArgsOf<C extends typeof PromoCommand> = Interfaces.InferredArgs<C['args']>

/** A command class as a module exports it. */
export type CommandClass = typeof PromoCommand & (new (argv: string[], config: ProgramConfig) => PromoCommand)

/**
 * Returns the command line that does by hand what promo does not undo, or that shows what there is. `subject` is what was changed, or
 * the name of the job, as shell words.
 */
export type Instead = string | ((subject: string, args: Record<string, unknown>) => string)

/** Where commands come from. */
export interface CommandSource {
  /** The package's folder. */
  root: string
  version: string
  index: CommandIndex
  /** Loads the one file of a command by a path like `vouchers/disable`. */
  load: (path: string) => Promise<{ default: CommandClass }>
}

export abstract class PromoCommand implements Run {
  /** The command as its words are joined: `vouchers:disable`. */
  static id = ''
  static summary = ''
  static description: string | undefined
  static examples: string[] = []
  /** Other ids that name it. */
  static aliases: string[] = []
  /** Says that help and documents do not show it. */
  static hidden = false
  static args: Interfaces.ArgInput = {}
  /** The arguments that name files to read. */
  static fileArgs: readonly string[] = []
  static flags: Interfaces.FlagInput = {}
  static baseFlags = globalFlags
  /** What the command does to the service: `promo commands --json` shows it, and writes are announced and confirmed. */
  static effect: 'none' | 'read' | 'write' | 'local' = 'read'
  /** Every call it can make; `any` where the command line, or the job, says which. */
  static calls: readonly Endpoint[] | 'any' = []
  /** What it shows, as a table or CSV. */
  static columns: ColumnSet | readonly ColumnSet[] = []
  /** The words of a command that takes many rows, whose outcomes it shows too. */
  declare static words?: BulkWords
  /** Which ids these outcomes have. */
  declare static results?: KeptResults
  /** The rows of a file that it reads. */
  declare static rows?: DeclaredRows | undefined
  /** Its exit codes beyond those that its calls, flags and arguments bring: blocks, and codes of its own. */
  static exits: readonly (ExitCode | ExitBlock)[] = []
  /** What it needs beyond what is `required`, and how the user is asked for it. */
  static asks: Asks | undefined
  /** The command that makes the call which undoes that of a row of its jobs (contract/inverses.ts). */
  static undo: string | undefined
  /** The command line that does by hand what promo does not undo. */
  static instead: Instead | undefined
  /** Why promo does not undo its jobs, where no single call of it says so. */
  static byHand: string | undefined

  readonly argv: string[]
  readonly config: ProgramConfig
  host!: Host
  source!: CommandSource
  protected exitCode: ExitCode = EXIT.ok
  /** Set when the command runs on behalf of a job: it replaces what would be read from the command line. */
  replay?: Replay
  /** The command line as parsed. */
  line: CommandLine = { command: '', args: {}, flags: {} }
  private sessions: ClientSession[] = []
  private showing: Showing | undefined

  constructor(argv: string[], config: ProgramConfig) {
    this.argv = argv
    this.config = config
  }

  abstract run(): Promise<void>

  /** Runs the command and returns its exit code. Throws whatever ended it early. */
  static async start(
    this: new (
      argv: string[],
      config: ProgramConfig,
    ) => PromoCommand,
    argv: string[],
    config: ProgramConfig,
    { host, source, replay }: { host: Host; source: CommandSource; replay?: Replay },
  ): Promise<ExitCode> {
    const command = new this(argv, config)
    // Not a copy, which would read every member: to look at stdin opens it.
    const { id, effect } = command.constructor as typeof PromoCommand
    const columns = async () => (await import('./help/manifest.ts')).factsIn(source.root)[id]?.columns ?? []
    command.host = Object.assign(Object.create(host), {
      command: id,
      columns,
      left: undefined,
      ...(effect !== 'write' && { typed: argv }),
    })
    command.source = source
    if (replay) command.replay = replay
    try {
      await command.run()
    } catch (error) {
      throw await command.worded(error)
    } finally {
      for (const session of command.sessions) await session.close()
      await command.host.left?.close()
    }
    return command.exitCode
  }

  /** The refusal of what was typed speaks of what was typed. */
  private async worded(error: unknown): Promise<unknown> {
    if (!(error instanceof PromoError) || error.exitCode !== EXIT.usage || this.line.command === '') return error
    const { rewriteHints } = await import('./request/typed-members.ts')
    return rewriteHints(error, (this.constructor as typeof PromoCommand).flags, this.line.flags)
  }

  /** Parses the command line, and asks on a terminal for what it lacks. Throws `usage`. */
  protected async input<C extends typeof PromoCommand>(Class: C): Promise<{ args: ArgsOf<C>; flags: FlagsOf<C> }> {
    try {
      const { args, flags } =
        this.replay ??
        (await completeInput(Class, this.argv, { host: this.host, source: this.source }, async (syntax, words) => {
          const { flags, argv } = withDescendingOrder({ ...Class.baseFlags, ...syntax.flags }, words)
          return withName(await parse(argv, { ...syntax, flags }), Class)
        }))
      mustKeepInput(Class, { args, flags })
      this.line = { command: Class.id, args, flags }
    } catch (error) {
      const { usageErrorFrom } = await import('./run/parse-error.ts')
      throw usageErrorFrom(error, { id: Class.id, argv: this.argv, root: this.source.root })
    }
    const { args, flags } = this.line
    if (Class.flags.columns) await this.mustFit(flags)
    return { args: args as ArgsOf<C>, flags: flags as FlagsOf<C> }
  }

  /**
   * The same, with ids in place of the names of what the service knows by id alone, and with the object that was read for that.
   * Throws `api` (exit 3) too.
   */
  protected async inputWithIds<C extends typeof PromoCommand>(
    Class: C,
  ): Promise<{ args: ArgsOf<C>; flags: FlagsOf<C>; read?: ReadByName | undefined }> {
    const line = await this.input(Class)
    const isNamed = (known: object, given: object) =>
      Object.entries(known).some(
        ([name, one]) => (Reflect.get(given, name) === undefined ? cardIn : referenceIn) in one,
      )
    if (!isNamed(Class.args, line.args) && !isNamed(Class.flags, line.flags)) return line
    const { resolveNames } = await import('./request/resolve-names.ts')
    return (await resolveNames(line as never, Class, this)) as never
  }

  /** How results are shown, and what is told besides. Throws `usage` for a form that they cannot have. */
  get show(): Showing {
    const { flags } = this.line
    // `--out` may be the file of what the command makes, and not of its result.
    const isOfResult = (this.constructor as typeof PromoCommand).flags.out === outputFlags.out
    this.showing ??= showingOf((isOfResult ? flags : { ...flags, out: undefined }) as OutputFlags, this.host)
    return this.showing
  }

  /** Refuses result flags that fit no result, before the command opens what it reads: a pipe may keep it waiting. */
  private async mustFit({ columns, query, out, format, ...flags }: OutputFlags): Promise<void> {
    const given = columns ?? query ?? out ?? flags['csv-delimiter'] ?? (format === 'xlsx' || undefined)
    if (given !== undefined) await this.show.check({ columns: [] })
  }

  get isDryRun(): boolean {
    return this.line.flags['dry-run'] === true
  }

  get explains(): boolean {
    return this.line.flags.explain === true
  }

  get isAgreed(): boolean {
    return this.line.flags.yes === true
  }

  readonly profile = async (): Promise<Resolved> => {
    const { resolveProfile } = await import('./session/connect.ts')
    return await resolveProfile(this.line.flags, this.host)
  }

  readonly canAsk = (): boolean => canAsk(this.line.flags, this.host)

  readonly clock = async (profileName?: string): Promise<Clock> => {
    const { clockOf } = await import('./request/days.ts')
    return await clockOf({ ...this.line.flags, ...(profileName !== undefined && { profile: profileName }) }, this.host)
  }

  readonly openSession = async (options?: ConnectOptions): Promise<ClientSession> => {
    const { connect } = await import('./session/connect.ts')
    return await connect(this.line.flags, this.host, this.config, options)
  }

  readonly agree = async (question: Question): Promise<void> => {
    const { confirmWrite } = await import('./prompt/confirm.ts')
    await confirmWrite({ ...question, flags: this.line.flags, host: this.host })
  }

  /** Resolves the profile and opens a client for it; both end with the command. Throws `auth` or `config`. */
  protected async connect(options?: ConnectOptions): Promise<Client & Pick<ClientSession, 'profile' | 'agree'>> {
    const session = await this.openSession(options)
    this.sessions.push(session)
    const { profile, agree } = session
    return Object.assign(session.client, { profile, agree })
  }

  /** Makes one write: checked, announced, confirmed, sent and shown; with --dry-run only shown. Returns the answer. */
  protected async writeOne<E extends Endpoint>(write: SingleWrite<E>): Promise<AnswerOf<E> | undefined> {
    const { writeOne } = await import('./request/write.ts')
    return await writeOne(write, this)
  }

  /** Acts on the items, one or many, in the manner of the command line, or of `manner`, through the bulk engine; the worst outcome becomes the exit code. */
  protected async runBulk<E extends Endpoint>(
    items: string[] | undefined,
    bulk: BulkDefinition<E>,
    manner: { concurrency?: number } = {},
  ): Promise<void> {
    const [{ runBulk }, { runPlanOf }] = await Promise.all([import('./bulk/run-bulk.ts'), import('./bulk/run-plan.ts')])
    this.exitCode = await runBulk(items, runPlanOf({ ...this.line.flags, ...manner }, this), bulk, this)
  }

  /** Starts this command on behalf of a job, in place of its own command line. */
  async startFor(replay: Replay): Promise<ExitCode> {
    const { config, host, source } = this
    return await (this.constructor as CommandClass).start([], config, { host, source, replay })
  }
}

/** What is created takes its name as an argument, or by the flag that sets the member. Throws `usage` for both. */
function withName<Line extends { args: Record<string, unknown>; flags: Record<string, unknown> }>(
  line: Line,
  { args, flags }: Pick<typeof PromoCommand, 'args' | 'flags'>,
): Line {
  const { name } = line.args
  if (name === undefined || !args.name || !flags.name) return line
  if (line.flags.name !== undefined)
    throw usageError('the name is given twice: as an argument and with --name', 'leave one of them out')
  return { ...line, flags: { ...line.flags, name } }
}
