import { PromoCommand } from '../../cli/command.ts'
import { asSourceIdFlag, outputFlags, serviceFlags, writeFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { customerCalls } from '../../cli/request/customers/flag.ts'
import { forgetCustomer, traceCalls } from '../../cli/topics/customers/forget.ts'
import { deleteCustomerPermanently } from '../../contract/customers.ts'
import { forgottenColumns } from '../../output/columns/forgotten.ts'

export default class Forget extends PromoCommand {
  static override summary = 'Forget a customer for good, with orders and events, and show what still has the id'
  static override description =
    'For somebody who asks to be forgotten. The customer, their orders, events and places in segments are removed at once. Codes, cards, redemptions and publications stay, and keep the id: the result counts them before and after, and names them in JSON. Asks for confirmation.'
  static override examples = [
    'promo customers forget shop-1008 --yes --profile sandbox',
    'promo customers forget customer8@example.com --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [...customerCalls, ...traceCalls, deleteCustomerPermanently]
  static override columns = forgottenColumns
  static override args = { customer: argument('a customer, by id or source id, e-mail address or phone number') }
  static override flags = { ...serviceFlags, ...asSourceIdFlag, ...outputFlags, ...writeFlags }

  async run() {
    const { args, flags } = await this.input(Forget)
    await forgetCustomer(args.customer, { takesSourceId: flags['as-source-id'] ?? false }, this)
  }
}
