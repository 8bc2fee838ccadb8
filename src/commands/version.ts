import { PromoCommand } from '../cli/command.ts'
import { outputFlags } from '../cli/flags/flags.ts'
import { versionColumns } from '../output/columns/program.ts'

export default class Version extends PromoCommand {
  static override summary = 'Show the version of promo and of the platform it runs on'
  static override examples = ['promo version', 'promo version --json --query version']
  static override effect = 'none' as const
  static override columns = versionColumns
  static override flags = outputFlags

  async run() {
    await this.input(Version)
    const { platform, arch, version: node } = process
    await this.show.one({ name: 'promo', version: this.source.version, node, platform, arch }, Version.columns)
  }
}
