// Commands that are one call of a sandbox's control server, declared as data.
import type { Interfaces } from '@oclif/core'
import type { ColumnSet } from '../../../output/column.ts'
import { type CommandClass, PromoCommand } from '../../command.ts'
import { outputFlags } from '../../flags/flags.ts'
import type { OutputFlags } from '../../result/output.ts'
import type { SandboxControl } from '../../session/sandbox.ts'
import { type ControlFlags, controlFlags, withControl } from './control.ts'

type Call = Parameters<SandboxControl['call']>[0]

interface ControlCommand<A extends Interfaces.ArgInput, F extends Interfaces.FlagInput> {
  description?: string
  examples: readonly string[]
  call: Call
  /** It changes something. */
  isChange?: boolean
  /** A sandbox must be running. */
  mustServe?: boolean
  /** The columns of the answer; absent: the answer is told in words. */
  columns?: ColumnSet
  /** The member of the answer that has the rows, and what is told where there are none. */
  list?: { member: string; nothing: string }
  /** The answer in words. */
  said?: (answer: Readonly<Record<string, unknown>>) => string
  args?: A
  flags?: F
  /** What is asked; absent: nothing needs to be said. Throws `usage`. */
  asked?: (given: { args: Interfaces.InferredArgs<A>; flags: Interfaces.InferredFlags<F> }) => object
}

/** Makes a command that makes one call of the control server and shows its answer. */
export function controlCommand<
  // biome-ignore lint/complexity/noBannedTypes: a command without arguments or flags of its own adds none.
  A extends Interfaces.ArgInput = {},
  // biome-ignore lint/complexity/noBannedTypes: the same.
  F extends Interfaces.FlagInput = {},
>(summary: string, declared: ControlCommand<A, F>): CommandClass {
  const { description, examples, call, isChange, mustServe = false, columns, list, said, asked } = declared
  return class Control extends PromoCommand {
    static override summary = summary
    static override description = description
    static override examples = [...examples]
    static override effect = isChange ? ('local' as const) : ('none' as const)
    static override columns = columns ?? []
    static override args: Interfaces.ArgInput = declared.args ?? {}
    static override flags: Interfaces.FlagInput = {
      ...(columns && outputFlags),
      ...controlFlags,
      ...declared.flags,
    }

    async run() {
      const given = await this.input(Control)
      const flags = given.flags as OutputFlags & ControlFlags
      const body = asked?.(given as never)
      const send = (control: SandboxControl) => control.call(call, body as never) as Promise<Record<string, unknown>>
      const answer = await withControl(flags, this, send, { mustServe })
      if (said) this.show.say(said(answer))
      if (columns === undefined) return
      if (list === undefined) return await this.show.one(answer, columns)
      await this.show.rows(answer[list.member] as object[], columns, { nothing: list.nothing })
    }
  }
}
