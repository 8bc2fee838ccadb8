// Why a redemption was refused, and where the rest of a successful one is explained: what --explain says of it.
import { refusalWords } from '../../api/outcome/refusal-words.ts'
import { argumentWords, shellWord } from '../../base/shell-word.ts'
import { getValidationRule } from '../../contract/validation-rules.ts'
import { valueAt } from '../../output/path.ts'
import type { Explains } from '../declared/command.ts'
import { readById } from '../result/read-by-id.ts'
import { told } from '../topics/redemptions/told.ts'
import { explainVoucher, type Use, useInWords } from './voucher.ts'

interface Redemption extends Use {
  customer_id?: string | null
  voucher?: { code: string; is_referral_code?: boolean | null } | null
}

/** Explains a redemption, a rollback or a failed attempt; what its voucher is now is said as such. */
export const explainRedemption: Explains = (run) => {
  const explainedVoucher = explainVoucher(run)
  const ruleOf = readById(run.client, {
    get: getValidationRule,
    refused: ({ message }, id) => run.warn(`warning: rule ${id} is not shown: ${message}`),
  })

  return async (object) => {
    const { failure_code: key, failure_message, ...redemption } = object as Redemption
    const { id, order, customer_id: customer, voucher } = redemption
    const { kind, outcome } = told(object)
    const lines = [`${id}: ${outcome}`, useInWords(redemption, run.timeOf)]
    if (kind === 'redemption') {
      const bought = order?.source_id ?? order?.id
      if (bought != null) lines.push(`points: promo orders get ${argumentWords(bought)} --explain`)
      if (voucher?.is_referral_code && customer != null)
        lines.push(
          `rewards: promo referrals holders list ${argumentWords(voucher.code)} --customer ${shellWord(customer)} --explain`,
        )
      return lines
    }
    if (kind === 'rollback') return lines
    lines.push(refusalWords(key ?? undefined) ?? failure_message ?? 'unknown: the service does not say why')
    if (key?.endsWith('_rules_violated')) lines.push(...(await rulesOf(voucher ?? {})))
    const now = voucher && kind === 'refused' ? await explainedVoucher(voucher) : []
    return [...lines, ...now.map((line, at) => (at === 0 ? `now ${line}` : line))]
  }

  /** The rules of a voucher; which of several was not met, the service does not keep. */
  async function rulesOf(voucher: object): Promise<string[]> {
    const assigned = valueAt(voucher, 'validation_rules_assignments.data') as { rule_id: string }[] | undefined
    const ids = [...new Set((assigned ?? []).map(({ rule_id }) => rule_id))]
    const rules = await Promise.all(
      ids.map(async (id) => {
        const rule = await ruleOf(id)
        const said = valueAt(rule, 'error.message')
        return `rule ${JSON.stringify(rule?.name ?? id)} (${id})${typeof said === 'string' ? `: ${said}` : ''}`
      }),
    )
    if (rules.length === 1) return rules
    return [
      rules.length === 0
        ? 'unknown: which rule; it has none now, but its campaign may'
        : 'unknown: which of these, as the service does not keep it',
      ...rules,
    ]
  }
}
