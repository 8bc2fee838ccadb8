import { Args } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { getVoucher } from '../../contract/vouchers.ts'
import { voucherColumns } from '../../output/columns/vouchers.ts'

export default class Get extends PromoCommand {
  static override summary = 'Show one voucher, by code or id'
  static override examples = [
    '<%= config.bin %> vouchers get WELCOME-001 --profile sandbox',
    "<%= config.bin %> vouchers get WELCOME-001 --json --query 'redemption.redeemed_quantity' --profile sandbox",
  ]
  static override calls = [getVoucher]
  static override columns = voucherColumns
  static override args = {
    code: Args.string({ description: 'a voucher code or a voucher id', ignoreStdin: true, required: true }),
  }
  static override flags = { ...serviceFlags, ...outputFlags }

  async run() {
    const { args, flags } = await this.input(Get)
    const client = await this.connect(flags)
    const voucher = await client.call(getVoucher, { path: { code: args.code } })
    await this.emitOne(voucher, Get.columns, flags)
  }
}
