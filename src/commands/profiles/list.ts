import { PromoCommand } from '../../cli/command.ts'
import { readsSettings } from '../../cli/exits.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { storedProfiles } from '../../cli/session/profile-store.ts'
import { profileColumns } from '../../output/columns/profiles.ts'

export default class List extends PromoCommand {
  static override summary = 'List the stored profiles, and the built-in sandbox'
  static override examples = ['promo profiles list', 'promo profiles list --json']
  static override effect = 'none' as const
  static override columns = profileColumns
  static override exits = [readsSettings]
  static override flags = outputFlags

  async run() {
    await this.input(List)
    const { store } = await storedProfiles(this.host)
    const current = await store.current()
    const builtIn = { name: 'sandbox', protected: false, origin: null, secrets_in: null }
    const rows = [...(await store.list()), builtIn].map((profile) => ({
      ...profile,
      current: profile.name === current,
    }))
    await this.show.rows(rows, List.columns)
  }
}
