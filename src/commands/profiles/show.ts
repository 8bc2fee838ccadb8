import { PromoCommand } from '../../cli/command.ts'
import { readsSettings } from '../../cli/exits.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { resolveProfile } from '../../cli/session/connect.ts'
import { profileChoices } from '../../cli/session/profile-store.ts'
import { settingColumns } from '../../output/columns/profiles.ts'

export default class Show extends PromoCommand {
  static override summary = 'Show one profile: each value and its source, and where its secrets are stored'
  static override description = 'Works offline. A secret is shown only as set or not set.'
  static override examples = ['promo profiles show sandbox', 'promo profiles show sandbox --json']
  static override effect = 'none' as const
  static override columns = settingColumns
  static override exits = [readsSettings]
  static override args = { name: argument('a stored profile, or sandbox') }
  static override asks = { name: { choices: profileChoices } }
  static override flags = outputFlags

  async run() {
    const { args } = await this.input(Show)
    const profile = await resolveProfile({ profile: args.name }, this.host)
    await this.show.rows([...profile.values, ...(await profile.credentialValues())], Show.columns)
  }
}
