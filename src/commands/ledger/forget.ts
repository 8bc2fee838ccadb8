import { argumentWords } from '../../base/shell-word.ts'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { isGone, leftOf, traceCalls } from '../../cli/topics/customers/forget.ts'
import { copiedProjectOf, copyFileOf, dataFlag, lockCopy, whenUnread } from '../../cli/topics/ledger/copy-file.ts'
import { getCustomer } from '../../contract/customers.ts'
import { PromoError } from '../../errors.ts'
import { openCopy } from '../../ledger/copy.ts'
import { customersNamed, forgetIn, type KnownCustomer } from '../../ledger/forget.ts'
import { forgottenHereColumns } from '../../output/columns/forgotten.ts'

export default class Forget extends PromoCommand {
  static override summary = 'Remove a forgotten customer from the copy, and show what the service still has of them'
  static override description =
    'For somebody who was erased in the project with `promo customers forget`; anybody who is still there is refused. Of their rows in the copy only ids, codes, amounts and times stay, and no later pull brings the rest back. The result is the proof of the erasure: what was removed here, and what is left in the service, with ids in JSON.'
  static override examples = [
    'promo ledger forget cust_0f67d3a1 --profile live',
    'promo ledger forget shop-1008 --data ~/shop.db --json',
  ]
  static override effect = 'local' as const
  static override calls = [getCustomer, ...traceCalls]
  static override columns = forgottenHereColumns
  static override args = { customer: argument('a customer, by id, or what the copy knows: source id, e-mail or phone') }
  static override flags = { ...callFlags, ...dataFlag }

  async run() {
    const { args, flags } = await this.input(Forget)
    const client = await this.connect()
    const file = copyFileOf(flags, this.host, client.profile)
    const project = copiedProjectOf(client.profile)
    openCopy(file, { project }).close()
    const lock = await lockCopy(file, this.host)
    const copy = openCopy(file, { writes: true, project })
    try {
      const customer = whoIs(customersNamed(copy, args.customer), args.customer)
      if (!(await isGone(client, customer.id)))
        throw new PromoError('api', `customer ${customer.id} still exists in the service; nothing was removed`, {
          hint: `promo customers forget ${argumentWords(customer.id)}`,
        })
      const now = new Date(this.host.now()).toISOString()
      const removed = await whenUnread(copy, this.host, this.show.say, () => forgetIn(copy, customer, now))
      const left = await leftOf(client, customer.id)
      await this.show.rows(
        [...new Set([...removed, ...left].map(({ what }) => what))].map((what) => ({
          what,
          removed: removed.find((one) => one.what === what)?.rows,
          ...left.find((one) => one.what === what),
        })),
        forgottenHereColumns,
      )
    } finally {
      copy.close()
      lock.remove()
    }
  }
}

/** Whoever the copy does not know may still be named in it by id. */
function whoIs(known: readonly KnownCustomer[], text: string): KnownCustomer {
  const [customer, ...others] = known
  if (others.length > 0)
    throw new PromoError('usage', `${known.length} customers of the copy are "${text}"`, {
      hint: `name one by id: promo ledger forget ${argumentWords(customer?.id ?? '')}`,
    })
  if (customer !== undefined) return customer
  if (!text.startsWith('cust_'))
    throw new PromoError('usage', `nobody in the copy is "${text}", and a forgotten customer is known by id alone`, {
      hint: 'name the id, which the erasure in the project showed',
    })
  return { id: text, source_id: null, name: null, email: null, phone: null }
}
