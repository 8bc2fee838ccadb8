import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { changesSettings } from '../../cli/exits.ts'
import { argument, switchFlag } from '../../cli/flags/kinds.ts'
import { storedChoices } from '../../cli/session/profile-store.ts'
import { settingFlags } from '../../cli/topics/profiles/flags.ts'
import { changedProfile, optionalSettings } from '../../cli/topics/profiles/update.ts'

export default class Update extends PromoCommand {
  static override summary = 'Change a profile: new keys, or another setting; the rest stays'
  static override description =
    'New keys are read as by `profiles add`: asked for on a terminal, otherwise from the environment or stdin. A bare token on stdin replaces the application token, or with --management-id alone the management token. Keys are read with --keys, with a new id, and when nothing else is changed. Unfinished jobs can be resumed with the new keys.'
  static override examples = [
    'promo profiles update live --keys < new-token.txt',
    'promo profiles update live --rate 600/m --no-protected',
    'promo profiles update support --read-only',
  ]
  static override effect = 'local' as const
  static override exits = [changesSettings]
  static override args = { name: argument('a stored profile') }
  static override asks = { name: { choices: storedChoices } }
  static override flags = {
    keys: switchFlag('replace the keys'),
    ...settingFlags,
    protected: switchFlag("ask for the profile's name before every write", { allowNo: true }),
    'read-only': switchFlag('send nothing that may change the project', { allowNo: true }),
    unset: Flags.option({ description: 'remove a setting', multiple: true, options: optionalSettings })(),
  }

  async run() {
    const { args, flags } = await this.input(Update)
    const { profile, keysIn } = await changedProfile(args.name, flags, this)
    const keys = keysIn === undefined ? '' : `, and its keys in ${keysIn}`
    this.show.say(`changed profile ${profile.name}${keys}`)
    this.show.say(`try: promo profiles verify ${profile.name}`)
  }
}
