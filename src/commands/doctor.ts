import { PromoCommand } from '../cli/command.ts'
import { callFlags } from '../cli/flags/flags.ts'
import { examine } from '../cli/topics/doctor/checks.ts'
import { acceptedCalls } from '../cli/topics/profiles/accepted.ts'
import { EXIT } from '../errors.ts'
import { checkColumns } from '../output/columns/program.ts'

export default class Doctor extends PromoCommand {
  static override summary =
    'Check this computer, the profile and the connection to the service, and suggest a fix for each problem'
  static override description = 'Sends one read call if a profile is chosen. Exits 4 if something does not work.'
  static override examples = ['promo doctor --profile sandbox', 'promo doctor --profile sandbox --json']
  static override calls = acceptedCalls
  static override columns = checkColumns
  static override flags = { ...callFlags }

  async run() {
    await this.input(Doctor)
    const checks = await examine(this.host, this.config, () => this.connect())
    const placed = checks.map((check) => ({ ...check, todo: this.host.asTyped?.(check.todo) ?? check.todo }))
    await this.show.rows(placed, Doctor.columns)
    if (checks.some(({ state }) => state === 'fail')) this.exitCode = EXIT.auth
  }
}
