import { formatNumber } from '../../base/numbers.ts'
import { argumentWords } from '../../base/shell-word.ts'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { argument, count } from '../../cli/flags/kinds.ts'
import { findCustomers, isPhone, searchedText } from '../../cli/request/customers/find.ts'
import { getCustomer, listCustomers } from '../../contract/customers.ts'
import { EXIT, usageError } from '../../errors.ts'
import { customerColumns } from '../../output/columns/resources/customers.ts'
import { warnAfterRows } from '../../output/warn-after-rows.ts'

/** Twenty requests. */
const defaultSearch = 2000

export default class Find extends PromoCommand {
  static override summary = 'Find customers by id, source id, e-mail address, name or phone number (exit 12: none)'
  static override description =
    'Looks for the exact id, source id, e-mail address or name first. Where that finds nothing, promo reads the newest customers. It compares any part of name, e-mail address and source id, and the digits of phone numbers. Blanks and quotes around the text are ignored.'
  static override examples = [
    'promo customers find "Ada Okafor" --profile sandbox',
    'promo customers find customer3@example.com --json --query "[].id" --profile sandbox',
    'promo customers find okafor --search 9000 --profile sandbox',
  ]
  static override calls = [getCustomer, listCustomers]
  static override columns = customerColumns
  static override exits = [EXIT.no]
  static override args = {
    text: argument('an id, a source id, an e-mail address, a name or a part of one, or a phone number'),
  }
  static override flags = {
    ...callFlags,
    search: count('search this many newest customers if none matches exactly (0-9800)', 0, 9800, {
      default: defaultSearch,
    }),
  }

  async run() {
    const { args, flags } = await this.input(Find)
    const text = searchedText(args.text)
    if (text === '') throw usageError('there is nothing to find: the text is empty', 'promo customers find "Ann Lee"')
    await this.show.check(Find.columns)
    const client = await this.connect()
    const lists = warnAfterRows()
    const { customers, searched, hasMore } = await findCustomers(client, text, flags.search, lists)
    await this.show.rows(customers, Find.columns, { nothing: 'no customer found', lists })
    if (hasMore) {
      const { show: messages } = this
      messages.say(
        searched === 0
          ? 'phone numbers and parts of names were not compared; --search N reads the newest N customers'
          : `nothing is equal to it; compared with the ${formatNumber(searched)} newest customers, there are older ones: --search N reads more`,
      )
    }
    if (customers.length > 0) return
    this.exitCode = EXIT.no
    // Codes, orders and redemptions have digits; a phone number has nothing else.
    if (/\d/.test(text) && !text.includes('@') && !isPhone(text))
      this.show.say(`promo customers show ${argumentWords(text)} looks for a code, an order and a redemption, too`)
  }
}
