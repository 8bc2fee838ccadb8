import { nearest } from '../base/nearest.ts'
import { ownValue } from '../base/record.ts'
import { PromoCommand } from '../cli/command.ts'
import { argumentList } from '../cli/flags/kinds.ts'
import { guides } from '../cli/help/guides.ts'
import { showGuide, showHelp } from '../cli/help/help.ts'
import { type FoundCommand, findCommand } from '../cli/run/find-command.ts'
import { usageError } from '../errors.ts'

export default class HelpCommand extends PromoCommand {
  static override summary = 'Show help for a command, a topic, or a guide: exit-codes, formats, environment'
  static override examples = ['promo help vouchers disable', 'promo help exit-codes']
  static override effect = 'none' as const
  static override args = { words: argumentList('a command, a topic or a guide') }

  async run() {
    const { args } = await this.input(HelpCommand)
    const words = args.words ?? []
    const guide = words.length === 1 ? ownValue(guides, words[0] as string) : undefined
    if (guide) showGuide(guide, this.host)
    else showHelp(await this.foundBy(words), this.source.root, this.config, this.host)
  }

  private async foundBy(words: string[]): Promise<FoundCommand> {
    try {
      return await findCommand(words, this.source.index)
    } catch (error) {
      const near = words.length === 1 ? nearest(words[0] as string, Object.keys(guides)) : undefined
      if (near === undefined) throw error
      throw usageError(`there is no help about "${words[0]}"; did you mean "${near}"?`, `promo help ${near}`)
    }
  }
}
