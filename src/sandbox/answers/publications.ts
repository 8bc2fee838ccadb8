// Publications as the service shows them: with the customer, and with the voucher if there is only one.
// Source: docs/service/publications.md#fields.
import type { Context } from '../http/route.ts'
import { isIn } from '../storage/conditions.ts'
import { customers } from '../stores/customers.ts'
import type { StoredPublication } from '../stores/publications.ts'
import { vouchers } from '../stores/vouchers.ts'
import { type VoucherAnswer, voucherAnswers } from './vouchers.ts'

/** Shows publications in their order; their vouchers are read at once. Deleted vouchers are omitted. */
export function publicationAnswers(publications: readonly StoredPublication[], context: Context) {
  const ids = publications.flatMap(({ vouchers_id }) => vouchers_id)
  const stored = context.in(vouchers).all([isIn(vouchers, 'id', ids)])
  const shown = new Map(voucherAnswers(stored, context).map((voucher) => [voucher.id, voucher]))
  return publications.map(({ voucher_code: _code, ...publication }) => {
    const customer = context.in(customers).get(publication.customer_id)
    const given = publication.vouchers_id.flatMap((id) => shown.get(id) ?? [])
    return {
      ...publication,
      ...(customer && { customer: showCustomer(customer) }),
      // ASSUMED A247: a single voucher is shown in full, of several only the codes.
      ...(publication.vouchers_id.length === 1
        ? { voucher: given[0] ? withoutEmptyRules(given[0]) : null }
        : { vouchers: given.map(({ code }) => code) }),
    }
  })
}

/** Shows one publication. */
export function publicationAnswer(publication: StoredPublication, context: Context) {
  return publicationAnswers([publication], context)[0] as ReturnType<typeof publicationAnswers>[number]
}

/** A published code lists rules only where there are some. */
function withoutEmptyRules({ validation_rules_assignments: rules, ...voucher }: VoucherAnswer) {
  return { ...voucher, ...(rules.total > 0 && { validation_rules_assignments: rules }) }
}

function showCustomer({ id, source_id, name, email }: Record<string, unknown>) {
  return { id, source_id, name, email, object: 'customer' }
}
