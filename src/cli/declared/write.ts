// Commands that make one write.
import type { RequestOf } from '../../api/client.ts'
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts'
import type { ColumnSet } from '../../output/column.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import type { CommandClass } from '../command.ts'
import { outputFlags, writeFlags } from '../flags/flags.ts'
import { optionalArgument } from '../flags/kinds.ts'
import { waitFlags } from '../flags/wait.ts'
import type { Existing } from '../request/if-exists.ts'
import {
  type Args,
  type CommandInput,
  chosenBy,
  commandOf,
  type DeclaredReader,
  type DeclaredWriter,
  type Flags,
  flagsOfBody,
  type None,
} from './command.ts'

/** How a background job is followed that an answer names, with --wait to its end (topics/async/background.ts). */
export interface Background {
  started: ColumnSet
  ended: ColumnSet
  read: Endpoint
  following: () => Promise<typeof import('../topics/async/action.ts').following>
}

interface DeclaredWrite<E extends Endpoint, A extends Args, F extends Flags>
  extends DeclaredWriter<E, A, F, ColumnSet | Background>,
    Pick<DeclaredReader<AnswerOf<E>, A, F, object | string>, 'shown'> {
  request: (given: CommandInput<A, F>) => RequestOf<E>
  /** Where what it creates is listed: by that it is recognized after a lost answer. */
  made?: CreatedObject<A, F>
  /** What happens when there already is one of that name. */
  existing?: (given: CommandInput<A, F>) => Existing<E>
  /** What will happen, as a question without the question mark: asked because it cannot be undone. */
  question?: (given: CommandInput<A, F>) => string
  /** Written to stderr when the answer is empty: `deleted segment "seg_1"`. */
  done?: (given: CommandInput<A, F>) => string
}

/** Where what a command creates is listed; the list is among its calls. */
export interface CreatedObject<A extends Args = Args, F extends Flags = Flags> {
  /** The members that the list shows; absent: those of the body, or of its only element. */
  asked?: (given: CommandInput<A, F>) => object
  /** The command that lists them. */
  listedBy: (given: CommandInput<A, F>) => string
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
  const calls = [...declared.calls, ...(background ? [background.read] : [])] as const
  const { name } = (declared.flags ?? {}) as Flags
  const isNamed = (made ?? existing) !== undefined && name !== undefined && !name.required
  const args = { ...declared.args, ...(isNamed && { name: optionalArgument('the name, as with --name') }) } as A
  return class extends commandOf(
    typeof body === 'function' ? 'own' : 'write',
    summary,
    { ...declared, calls, args },
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
      const whole = taken && (await import('../request/read-first.ts'))
      const follow = (await background?.following())?.(line.flags, this)
      const answer = await this.writeOne({
        endpoint: (await line.called(whole?.partOf(chosen) ?? chosen)) as E,
        request(profile) {
          resolved = profile
          return declared.request(given)
        },
        columns: follow?.columns ?? columns,
        ...(shown && { shown: (answer: AnswerOf<E>) => shown(answer, given) }),
        ...(follow && { shown: follow.shown as never }),
        isKept: true,
        // The second call reads the object.
        ...(whole && { readFirst: { get: calls[1] as Endpoint, taken, members: whole.membersOf(chosen) } }),
        ...(existing && { existing: existing(given) }),
        ...(made && {
          listed: { ...(made.asked && { asked: made.asked(given) }), listedBy: () => made.listedBy(given) },
        }),
        ...(question && { question: question(given) }),
        ...(done && { done: done(given) }),
      })
      if (follow) this.exitCode = follow.end(answer as never)
      if (answer !== undefined) tell?.(this.show, answer, given)
    }
  }
}
