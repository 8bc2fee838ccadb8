import { PromoCommand } from '../../cli/command.ts'
import { changesSettings } from '../../cli/exits.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { storedChoices } from '../../cli/session/profile-store.ts'
import { renamedProfile } from '../../cli/topics/profiles/update.ts'
import { checkNewName } from '../../profiles/profile.ts'

export default class Rename extends PromoCommand {
  static override summary = 'Give a profile another name; its settings and its keys stay'
  static override examples = ['promo profiles rename staging old-staging', 'promo profiles rename us live-us --quiet']
  static override effect = 'local' as const
  static override exits = [changesSettings]
  static override args = { name: argument('a stored profile'), 'new-name': argument('its new name') }
  static override asks = {
    name: { choices: storedChoices },
    'new-name': { question: 'its new name:', check: checkNewName },
  }

  async run() {
    const { args } = await this.input(Rename)
    const { name } = await renamedProfile(args.name, args['new-name'], this.host)
    this.show.say(`profile ${args.name} is now ${name}`)
  }
}
