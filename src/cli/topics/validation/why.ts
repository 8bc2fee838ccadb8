// Why a redeemable applied, failed or was skipped, in plain words. Source: evaluation of stacking, docs/service/validations.md#limits; docs/service/validations.md#redeemable-results.
import { asPrinted, refusalWords } from '../../../api/outcome/refusal-words.ts'
import type { Validation } from '../../../contract/validations.ts'
import { cellText } from '../../../output/form/cell.ts'
import { valueAt } from '../../../output/path.ts'
import { type Result, resultsOf, titleOf } from './answer.ts'
import { discountInWords } from './discount.ts'

/**
 * Explains in one sentence what happened to a redeemable, from the answer itself.
 *
 * For an unknown key, the service's own message is used, followed by the key, so that it can be looked up.
 */
export function whyOf(result: Result, answer: Validation): string {
  if (result.status === 'APPLICABLE') return whyApplied(result, answer)
  if (result.status === 'INAPPLICABLE') return whyFailed(result)
  if (result.status === 'SKIPPED') return whySkipped(result, answer)
  return `the service says "${result.status}"`
}

function whyApplied(result: Result, { valid }: Validation): string {
  const what = effectOf(result)
  if (!valid) return `${what}; not applied, because the validation as a whole failed`
  const order = valueAt(result, 'order')
  const isIdle = order !== undefined && valueAt(order, 'total_applied_discount_amount') === undefined
  return isIdle ? `${what}; changes no amount of this order` : what
}

function effectOf({ result }: Result): string {
  const { credits, balance } = (valueAt(result, 'gift') ?? {}) as { credits?: unknown; balance?: unknown }
  if (credits !== undefined) {
    return `pays ${cellText(credits)} of gift credit${balance === undefined ? '' : `, of a balance of ${cellText(balance)}`}`
  }
  const points = valueAt(result, 'loyalty_card.points')
  if (points !== undefined) return `takes ${cellText(points)} points`
  const discount = valueAt(result, 'discount')
  return discount === undefined ? 'applies' : discountInWords(discount)
}

function whyFailed({ result, object, id }: Result): string {
  const error = result?.error ?? {}
  const { key, message } = error
  const words =
    key === 'not_found'
      ? [`there is no such ${missingOf(error, { object, id })}`, ...(object === 'voucher' ? otherForms(id) : [])].join(
          '; ',
        )
      : (refusalWords(key) ?? message ?? 'the service does not say why')
  // The message that the operator gave the rule is added to the generic one.
  const own = cellText(valueAt(error, 'error.message'))
  const rules = key?.endsWith('_rules_violated') ? cellText(valueAt(error, 'details')) : ''
  const suffix = [key, rules].filter((part) => part !== undefined && part !== '').join(': ')
  return `${own === '' ? words : `${words}: ${own}`}${suffix === '' ? '' : ` (${suffix})`}`
}

/** Whether an amount follows what is taken for a code: a code may contain an equals sign. */
const isAmount = (id: string) => /^[^=]+=\d+$/.test(id)

/** How what was taken for a code may be meant. */
function otherForms(id: string): string[] {
  const [code = ''] = id.split('=')
  if (isAmount(id))
    return [`credits of a gift card are given as gift:${id}, a reward of a loyalty card as card:${code}=REWARD_ID`]
  const printed = asPrinted(id)
  return printed === undefined ? [] : [`${printed.code} may be meant: ${printed.why}`]
}

/** What is missing: the redeemable itself, or what it needs, such as the product of free units. */
function missingOf(error: object, { object, id }: Pick<Result, 'object' | 'id'>): string {
  const type = cellText(valueAt(error, 'resource_type'))
  const asked = cellText(valueAt(error, 'resource_id'))
  const kind = (type === '' ? object : type).replaceAll('_', ' ')
  return kind === object.replaceAll('_', ' ') && (asked === '' || asked === id) ? kind : `${kind} ${asked}`.trimEnd()
}

function whySkipped(skipped: Result, answer: Validation): string {
  const { key, message } = skipped.result?.details ?? {}
  const rules = answer.stacking_rules
  if (key !== undefined && Object.hasOwn(skips, key)) return `${skips[key]?.(rules) ?? ''} (${key})`
  if (message !== undefined) return `${message}${key === undefined ? '' : ` (${key})`}`
  // The specification shows skipped redeemables with an empty result. Where one is enough, a failure skips nothing.
  const results = resultsOf(answer)
  const isAllOrNone = valueAt(rules, 'redeemables_application_mode') !== 'PARTIAL'
  const before = results.slice(
    0,
    results.findIndex(({ object, id }) => object === skipped.object && id === skipped.id),
  )
  const failed = before.find(({ status }) => status === 'INAPPLICABLE')
  if (isAllOrNone && failed !== undefined) return `not evaluated, because ${titleOf(failed)} failed`
  const applied = results.filter(({ status }) => status === 'APPLICABLE').length
  if (applied >= Number(valueAt(rules, 'applicable_redeemables_limit') ?? Infinity))
    return skips.applicable_redeemables_limit_exceeded?.(rules) ?? ''
  return `skipped; the service does not say why. Its limits: ${limitsInWords(rules)}`
}

/** The limits of a project that may skip a redeemable, as far as an answer names them. */
function limitsInWords(rules: object): string {
  const names = ['applicable_redeemables_limit', 'applicable_redeemables_per_category_limit', 'redeemables_limit']
  const known = names.filter((name) => valueAt(rules, name) !== undefined)
  return known.map((name) => `${name} ${cellText(valueAt(rules, name))}`).join(', ') || 'not reported'
}

type InWords = (rules: object) => string

const limit = (rules: object, name: string) => cellText(valueAt(rules, name)) || 'a limited number of'

const skips: Readonly<Record<string, InWords>> = {
  applicable_redeemables_limit_exceeded: (rules) =>
    `at most ${limit(rules, 'applicable_redeemables_limit')} redeemables apply together in this project`,
  applicable_redeemables_per_category_limit_exceeded: (rules) =>
    `at most ${limit(rules, 'applicable_redeemables_per_category_limit')} of one category apply together, unless the category has a limit of its own`,
  applicable_exclusive_redeemables_limit_exceeded: (rules) =>
    `at most ${limit(rules, 'applicable_exclusive_redeemables_limit')} exclusive redeemables apply together`,
  applicable_exclusive_redeemables_per_category_limit_exceeded: (rules) =>
    `at most ${limit(rules, 'applicable_exclusive_redeemables_per_category_limit')} exclusive redeemables of one category apply together`,
  exclusion_rules_not_met: () =>
    'an exclusive redeemable applies, and only exclusive and joint ones can be combined with it',
  preceding_validation_failed: () => 'one before it failed, and this project applies all or none',
  no_effect: () => 'it would not change this order, and this project skips such redeemables',
}
