import { PromoCommand } from '../../cli/command.ts'
import { changesSettings } from '../../cli/exits.ts'
import { confirmFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { quotedValue } from '../../cli/prompt/asked-value.ts'
import { storedChoices, storedProfiles } from '../../cli/session/profile-store.ts'

export default class Remove extends PromoCommand {
  static override summary = 'Remove a profile and its secrets from this computer'
  static override examples = ['promo profiles remove staging', 'promo profiles remove staging --yes']
  static override effect = 'local' as const
  static override exits = [changesSettings]
  static override args = { name: argument('a stored profile') }
  static override asks = { name: { choices: storedChoices } }
  static override flags = { yes: confirmFlags.yes }

  async run() {
    const { args } = await this.input(Remove)
    const { store, dir } = await storedProfiles(this.host)
    const profile = await store.get(args.name)
    if (profile) await this.agree({ action: `remove profile ${quotedValue(args.name)} and its secrets`, isFinal: true })
    // Secrets first: if they cannot be removed, the profile stays and the same command can be run again.
    const { secretStore } = await import('../../profiles/secrets.ts')
    const secrets = profile && (await secretStore(profile.secrets_in, dir, { env: this.host.env }))
    const hadSecrets = profile && secrets && (await secrets.remove(profile.name, profile.origin))
    const removed = await store.remove(args.name)
    this.show.say(`removed profile ${removed.name}${hadSecrets ? `, and its secrets from ${secrets.place}` : ''}`)
  }
}
