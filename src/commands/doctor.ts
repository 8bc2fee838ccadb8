import { PromoCommand } from '../cli/command.ts'
import { outputFlags, serviceFlags } from '../cli/flags/flags.ts'
import { examine } from '../cli/topics/doctor/checks.ts'
import { listVouchers } from '../contract/vouchers.ts'
import { EXIT } from '../errors.ts'
import { checkColumns } from '../output/columns/program.ts'

export default class Doctor extends PromoCommand {
  static override summary =
    'Check this computer, the profile and the way to the service; say what to do about each trouble'
  static override description = 'Sends one reading call when a profile is chosen. Exit 4 when something does not work.'
  static override examples = [
    '<%= config.bin %> doctor --profile sandbox',
    '<%= config.bin %> doctor --profile sandbox --json',
  ]
  static override calls = [listVouchers]
  static override columns = checkColumns
  static override flags = { ...serviceFlags, ...outputFlags }

  async run() {
    const { flags } = await this.input(Doctor)
    const checks = await examine(this.host, this.config, () => this.connect(flags))
    await this.emit(checks, Doctor.columns, flags)
    if (checks.some(({ state }) => state === 'fail')) this.exitCode = EXIT.auth
  }
}
