import { PromoCommand } from '../../cli/command.ts'
import { changesSettings } from '../../cli/exits.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { profileChoices, storedProfiles } from '../../cli/session/profile-store.ts'

export default class Use extends PromoCommand {
  static override summary = 'Choose the profile that commands use by default'
  static override examples = ['promo profiles use sandbox', 'promo profiles use live']
  static override effect = 'local' as const
  static override exits = [changesSettings]
  static override args = { name: argument('a stored profile, or sandbox') }
  static override asks = { name: { choices: profileChoices } }

  async run() {
    const { args } = await this.input(Use)
    const { store } = await storedProfiles(this.host)
    await store.use(args.name)
    this.show.say(`commands now use profile ${args.name}`)
  }
}
