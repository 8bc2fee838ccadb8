// All rules, in the order of docs/checks.md. Adding a rule is adding a declaration to its family.
import { codeRules } from './codes.ts'
import { conditionRules } from './conditions.ts'
import { dateRules } from './dates.ts'
import { discountRules } from './discounts.ts'
import { contentRules, programRules } from './programs.ts'
import type { Rule } from './rule.ts'
import { togetherRules } from './together.ts'

/** Rules about comments: they find by what other rules found (ignores.ts). */
const ignoreRules: readonly Rule[] = [
  { id: 'ignore-without-reason', severity: 'error', title: 'a comment that ignores without a reason', find: () => [] },
  { id: 'ignore-of-nothing', severity: 'warning', title: 'a comment that hides no finding', find: () => [] },
]

/** The rules of `promo check`. */
export const rules: readonly Rule[] = [
  ...discountRules,
  ...togetherRules,
  ...codeRules,
  ...dateRules,
  ...conditionRules,
  ...programRules,
  ...contentRules,
  ...ignoreRules,
]
