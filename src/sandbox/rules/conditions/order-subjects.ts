// Rules about the entire order: its amounts, and all its lines together.
// Source: docs/service/validation-rules.md#targets; docs/service/validation-rules.md#amounts-in-rules.
import { sum } from '../../../base/list.ts'
import { ownValue } from '../../../base/record.ts'
import { amountDue, type OrderLine, type OrderState, unitPrice } from '../pricing/order.ts'
import type { ConditionValues, RuleContext, RuleSubject, SubjectValue } from './context.ts'
import { orderLines } from './order-lines.ts'

/** Targets that read the amounts of an order, or all its lines at once. */
export const orderSubjects: Readonly<Record<string, RuleSubject>> = {
  // The amount changes along a stack: what is left before this incentive, and after it
  // (docs/service/validation-rules.md#amounts-in-rules).
  'order.amount': amountOf(({ order }) => leftOf(order)),
  'order.total_amount': {
    kind: 'order',
    values: 'number',
    // For an order with an amount but no total, the incentive was refused, and that refusal is what matters.
    read: ({ order, orderAfter }) =>
      order?.amount !== undefined && !orderAfter ? { each: [] } : readAmount(order, leftOf(orderAfter)),
  },
  'order.initial_amount': amountOf(({ order, initialOrder }) => (initialOrder ?? order)?.amount),
  // ASSUMED A652: items are counted in units, so three pieces on one line are 3.
  'order.items.count': ofLines('number', (lines) => ({ value: sum(lines, (line) => line.quantity) })),
  'order.items.price_any': ofLines('number', (lines) => ({ any: lines.map(unitPrice) })),
  'order.items.price_each': ofLines('number', (lines) => ({ each: lines.map(unitPrice) })),
  'order.items.metadata_any': ofMetadata(
    (values) => ({ any: values }),
    (line) => line.metadata,
  ),
  'order.items.metadata_each': ofMetadata(
    (values) => ({ each: values }),
    (line) => line.metadata,
  ),
  'product.metadata': ofMetadata(
    (values) => ({ any: values }),
    (line) => line.product?.metadata,
  ),
}

function amountOf(amount: (context: RuleContext) => number | undefined): RuleSubject {
  return { kind: 'order', values: 'number', read: (context) => readAmount(context.order, amount(context)) }
}

function readAmount(order: OrderState | undefined, value: number | undefined): SubjectValue {
  return value === undefined ? { missing: order ? 'amount' : 'order' } : { value }
}

function leftOf(order: OrderState | undefined): number | undefined {
  return order?.amount === undefined ? undefined : amountDue(order)
}

function ofLines(values: ConditionValues, read: (lines: readonly OrderLine[]) => SubjectValue): RuleSubject {
  return {
    kind: 'order',
    values,
    read(context) {
      const found = orderLines(context)
      return 'missing' in found ? found : read(found.lines)
    },
  }
}

function ofMetadata(
  quantified: (values: unknown[]) => SubjectValue,
  metadataOf: (line: OrderLine) => Record<string, unknown> | undefined,
): RuleSubject {
  return {
    kind: 'order',
    values: 'any',
    property: true,
    read(context, property) {
      const found = orderLines(context)
      return 'missing' in found ? found : quantified(found.lines.map((line) => ownValue(metadataOf(line), property)))
    },
  }
}
