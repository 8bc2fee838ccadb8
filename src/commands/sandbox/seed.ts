import { formatNumber } from '../../base/numbers.ts'
import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { textFlag } from '../../cli/flags/kinds.ts'
import { fileLimitBytes } from '../../cli/request/input-text.ts'
import { jsonFrom } from '../../cli/request/json-file.ts'
import { sandboxFile } from '../../cli/session/connect.ts'
import { withSandbox } from '../../cli/session/sandbox.ts'
import { unknownFlag, warnOfUnknown } from '../../cli/topics/sandbox/fixture.ts'

export default class Seed extends PromoCommand {
  static override summary = 'Load objects into the embedded service: the demo project, or a fixture of your own'
  static override description =
    'A fixture is a JSON object with arrays of objects, such as campaigns and vouchers, as the service returns them. Ids, dates and counters are kept, and made where they are missing. It is loaded completely or not at all. A running sandbox sees the objects at once.'
  static override examples = [
    'promo sandbox seed --data shop.db',
    `echo '{"vouchers":[{"code":"TRY-1","type":"GIFT_VOUCHER","gift":{"amount":500}}]}' | promo sandbox seed --from - --data shop.db`,
  ]
  static override effect = 'local' as const
  static override exits = [usesSandboxFile]
  static override flags = {
    from: textFlag('the fixture; - is stdin (default: the demo project)', 'FILE|-'),
    data: textFlag('the data file of the sandbox', 'FILE'),
    ...unknownFlag,
  }

  async run() {
    const { flags } = await this.input(Seed)
    const file = flags.data ?? sandboxFile(this.host)
    const fixture = flags.from === undefined ? undefined : await jsonFrom(flags.from, this.host, fileLimitBytes)
    const allowUnknown = flags['allow-unknown']
    const counts = await withSandbox(async ({ seedSandbox, unknownInFixture }) => {
      if (allowUnknown) warnOfUnknown(await unknownInFixture(fixture), this.show)
      return await seedSandbox(file, fixture, { allowUnknown })
    })
    const loaded = Object.entries(counts).map(([name, count]) => `${formatNumber(count)} ${name}`)
    this.show.say(`loaded ${loaded.join(', ') || 'nothing'} into ${file}`)
  }
}
