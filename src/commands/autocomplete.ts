import { Args } from '@oclif/core'
import { PromoCommand } from '../cli/command.ts'
import { scripts, shells } from '../cli/help/completion-scripts.ts'
import { tellLines } from '../output/tell.ts'

export default class Autocomplete extends PromoCommand {
  static override summary = 'Print the completion script for a shell: commands, flags, and values that need no network'
  static override examples = ['source <(promo autocomplete bash)', 'promo autocomplete zsh']
  static override effect = 'none' as const
  static override args = {
    shell: Args.custom<(typeof shells)[number]>({ options: [...shells] })({
      description: 'the shell',
      ignoreStdin: true,
      required: true,
    }),
  }

  async run() {
    const { args } = await this.input(Autocomplete)
    tellLines(this.host.stdout, scripts[args.shell])
  }
}
