import { ownValue } from '../base/record.ts'
import { PromoCommand } from '../cli/command.ts'
import { argumentList, switchFlag } from '../cli/flags/kinds.ts'
import { type HelpForm, showGuide, showHelp } from '../cli/help/help.ts'
import { type FoundCommand, findCommand } from '../cli/run/find-command.ts'
import { usageError } from '../errors.ts'

export default class HelpCommand extends PromoCommand {
  static override summary =
    'Show help for a command, a topic, a guide (exit-codes, flags, formats, environment) or some words'
  static override examples = ['promo help vouchers disable', 'promo help lost card', 'promo help exit-codes']
  static override effect = 'none' as const
  static override args = { words: argumentList('a command, a topic, a guide, or words to search for') }
  static override flags = { 'no-pager': switchFlag('show the page without a pager') }

  async run() {
    const { args, flags } = await this.input(HelpCommand)
    const words = args.words ?? []
    const form = { isUnpaged: flags['no-pager'] }
    let found: FoundCommand
    try {
      found = await findCommand([...words, '--help'], this.source.index, this.source.root)
    } catch (error) {
      await this.guide(words, form, error)
      return
    }
    await showHelp(found, this.source.root, this.host, form)
  }

  /** Shows a guide, whose tables load half of promo, or what has the words in its texts. Throws `unknown` where nothing has. */
  private async guide(words: readonly string[], form: HelpForm, unknown: unknown): Promise<void> {
    const { guides } = await import('../cli/help/guides.ts')
    const name = words.join(' ')
    const guide = ownValue(guides, name)
    if (guide) {
      await showGuide(guide, this.host, form)
      return
    }
    const { nearest } = await import('../base/nearest.ts')
    const near = nearest(name, Object.keys(guides))
    if (near !== undefined)
      throw usageError(`there is no help about "${name}"; did you mean "${near}"?`, `promo help ${near}`)
    const { commands, topics } = this.source.index
    if (
      nearest(
        name,
        [...Object.keys(commands), ...topics].filter((id) => !id.includes(':')),
      )
    )
      throw unknown
    const { searchHelp } = await import('../cli/help/search.ts')
    const sections = searchHelp(words, this.source.root)
    if (sections.length === 0) throw unknown
    await showGuide(sections, this.host, form)
  }
}
