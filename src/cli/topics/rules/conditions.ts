// What a validation rule demands, in one line.
import { formatCount } from '../../../base/numbers.ts'
import { ownValue } from '../../../base/record.ts'
import { cellText } from '../../../output/form/cell.ts'
import { valueAt } from '../../../output/path.ts'
import type { RowContext } from '../../declared/command.ts'

const signs: Readonly<Record<string, string>> = {
  $is: '=',
  $is_not: '!=',
  $more_than: '>',
  $more_than_or_equal: '>=',
  $greater_than_or_equal: '>=',
  $less_than: '<',
  $less_than_or_equal: '<=',
}

interface Condition {
  name?: unknown
  property?: unknown
  conditions?: Readonly<Record<string, unknown>> | null
  rules?: object | null
}

/** Returns the function that adds the conditions of a rule in words. */
export function toldConditions({ shows }: RowContext): (rule: object) => object {
  return (rule) => (shows('conditions') ? { conditions: conditionsOf(rule) } : {})
}

/**
 * Returns `order.amount >= 5000 and customer.segment = seg_1; 2 products`: the conditions in the order of their logic, and how many
 * products or SKUs it is about. Text of the service.
 */
export function conditionsOf(rule: object): string {
  const { logic, ...numbered } = (valueAt(rule, 'rules') ?? {}) as Record<string, unknown>
  const words = (number: string) => {
    const condition = ownValue(numbered, number)
    return condition === undefined ? number : inWords(condition as Condition)
  }
  const order = typeof logic === 'string' && logic !== '' ? logic : Object.keys(numbered).join(' and ')
  const about = valueAt(rule, 'applicable_to.included')
  const items = Array.isArray(about) && about.length > 0 ? formatCount(about.length, 'product') : ''
  return [order.replaceAll(/\d+/g, words), items].filter((text) => text !== '').join('; ')
}

function inWords({ name, property, conditions, rules }: Condition): string {
  const about = [name, property].filter((part) => typeof part === 'string').join('.')
  const compared = Object.entries(conditions ?? {}).map(([operator, value]) => {
    const values = [value].flat().map((one) => cellText(one))
    return `${ownValue(signs, operator) ?? operator.slice(1)} ${values.join(', ')}`
  })
  const within = Object.keys(rules ?? {}).some((key) => key !== 'logic') ? ' …' : ''
  return `${[about, compared.join(' and ')].filter((text) => text !== '').join(' ')}${within}`
}
