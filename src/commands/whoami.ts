import { PromoCommand } from '../cli/command.ts'
import { outputFlags, serviceFlags } from '../cli/flags/flags.ts'
import { settingColumns } from '../output/columns/profiles.ts'

export default class Whoami extends PromoCommand {
  static override summary = 'Show the profile that commands would use, with each value and its source'
  static override description =
    'Works offline; `promo profiles verify` asks the service. A secret is shown only as set or not set.'
  static override examples = ['promo whoami --profile sandbox', 'promo whoami --profile sandbox --json']
  static override effect = 'none' as const
  static override columns = settingColumns
  static override flags = { profile: serviceFlags.profile, ...outputFlags }

  async run() {
    await this.input(Whoami)
    const profile = await this.profile()
    await this.show.rows([...profile.values, ...(await profile.credentialValues())], Whoami.columns)
  }
}
