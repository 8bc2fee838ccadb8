// Commands that read one object, or several by key, or an answer with rows.
import type { Client } from '../../api/client.ts'
import { formatNumber } from '../../base/numbers.ts'
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import type { ColumnSet } from '../../output/column.ts'
import { type Several, severalColumns } from '../bulk/several/columns.ts'
import type { CommandClass } from '../command.ts'
import { explainFlag, outputFlags, readRowFlags } from '../flags/flags.ts'
import { argumentList } from '../flags/kinds.ts'
import type { Shown } from '../result/show.ts'
import {
  type Args,
  type AskedRequest,
  type CommandInput,
  chosenBy,
  commandOf,
  type DeclaredCommand,
  type DeclaredReader,
  type Flags,
  type None,
} from './command.ts'

/** A command that reads one object, or an answer with rows: by its call, or where that takes more, by `read`. */
type DeclaredRead<E extends Endpoint, A extends Args, F extends Flags> = DeclaredAnswer<E, A, F> &
  ({ request: AskedRequest<E, A, F> } | { read: (client: Client, given: CommandInput<A, F>) => Promise<AnswerOf<E>> })

interface DeclaredAnswer<E extends Endpoint, A extends Args, F extends Flags>
  extends DeclaredCommand<E, A, F>,
    DeclaredReader<AnswerOf<E>, A, F> {
  columns: ColumnSet
  /** Several may be read: what the last argument names, and the column of a file that names it. */
  several?: Several
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
  const { columns, shown, told, rows, exit, several, explains } = declared
  const kind = 'read' in declared || rows || declared.body ? 'own' : 'read'
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
      const { rate, concurrency } = line.flags
      const client = await this.connect({
        ...(rate !== undefined && { rate: (await import('../../api/pacing/rate.ts')).parseRate(rate) }),
        ...(concurrency !== undefined && { concurrency }),
      })
      const all = line.given(client.profile)
      const { say, warn, isTable, isTabular } = this.show
      const items = line.args[last] as string[] | undefined
      const given = several && items?.length === 1 ? withArgument(all, last, items[0]) : all
      const chosen = chosenBy(declared, given)
      const answerTo = async (about: typeof all): Promise<AnswerOf<E>> =>
        'read' in declared
          ? await declared.read(client, about)
          : await client.call(chosenBy(declared, about), await declared.request(about, client, warn))
      const explain = await this.explaining(client, explains)
      if (several && given === all) {
        const { keysOf, readSeveral } = await import('../bulk/several/read.ts')
        const { readingOf } = await import('../bulk/run-plan.ts')
        const keys = await keysOf(items, readingOf(line.flags, this), several)
        const tell = told && isTabular ? told(this.telling(client), given) : undefined
        let missing = 0
        const one = async (key: string) => {
          const about = withArgument(all, last, key)
          const answer = await answerTo(about)
          const object = shown ? shown(answer, about) : (answer as object)
          return tell ? { ...object, ...(await tell(object)) } : object
        }
        const pages = readSeveral(keys, one, {
          concurrency,
          isTabular,
          onMissing: () => (missing += 1),
        })
        const words = { nothing: `no ${several.noun} given`, explain }
        await this.show.pages(pages, severalColumns(columns), words)
        if (missing === 0) return
        this.exitCode = EXIT.refused
        warn(`${formatNumber(missing)} of ${formatNumber(keys.length)} not found`)
        const id = this.line.command.replace(/get$/, 'list')
        warn(`try: promo ${id.replaceAll(':', ' ')} --help`)
        return
      }
      // What was named may have been read for its id.
      const known = line.read?.get === chosen ? (line.read?.object as AnswerOf<E>) : undefined
      const answer = known ?? (await answerTo(given))
      const object = shown ? shown(answer, given) : (answer as object)
      if (explain && isTable) await this.show.rows([object], columns, { explain })
      else if (rows) {
        const { showAnswer } = await import('../result/show.ts')
        await showAnswer({ answer: object, columns, ...rows(answer, given.now) }, this)
      } else {
        const tell = told && isTabular ? told(this.telling(client), given) : undefined
        await this.show.one(tell ? { ...object, ...(await tell(object)) } : object, columns)
        for (const reason of explain ? await explain(object) : []) say(reason)
      }
      if (exit?.isDue(answer, given)) this.exitCode = exit.code
    }
  }
}

/** The command line as if an argument had this one value. */
function withArgument<G extends Pick<CommandInput, 'args' | 'typed'>>(given: G, name: string, value: unknown): G {
  const withValue = (args: object) => ({ value: { ...args, [name]: value } })
  return Object.create(given, { args: withValue(given.args), typed: withValue(given.typed) })
}
