import { ownValue } from '../base/record.ts'
import { PromoCommand } from '../cli/command.ts'
import { argumentList } from '../cli/flags/kinds.ts'
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
    let found: FoundCommand
    try {
      found = await findCommand(words, this.source.index)
    } catch (error) {
      await this.guide(words, error)
      return
    }
    showHelp(found, this.source.root, this.config, this.host)
  }

  /** Shows a guide, whose tables load half of promo. Throws `unknown` for words that name none. */
  private async guide([word = '', ...others]: readonly string[], unknown: unknown): Promise<void> {
    const { guides } = await import('../cli/help/guides.ts')
    const guide = others.length === 0 ? ownValue(guides, word) : undefined
    if (guide) {
      showGuide(guide, this.host)
      return
    }
    const { nearest } = await import('../base/nearest.ts')
    const near = others.length === 0 ? nearest(word, Object.keys(guides)) : undefined
    if (near === undefined) throw unknown
    throw usageError(`there is no help about "${word}"; did you mean "${near}"?`, `promo help ${near}`)
  }
}
