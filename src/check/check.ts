// Runs the rules over a project and says what they found, in the order of its objects.
import type { Severity } from './rule.ts'
import { severities } from './rule.ts'
import { rules } from './rules.ts'
import type { Shop, ShopObject } from './shop.ts'

/** What a rule found, as it is reported. */
export interface Finding {
  severity: Severity
  rule: string
  object: ShopObject
  member?: string | undefined
  message: string
  fix?: string | undefined
}

/** Which rules are asked, and how bad their findings are. */
export interface Choice {
  only?: readonly string[] | undefined
  ignored?: readonly string[] | undefined
  /** Severities instead of those that rules declare; `off` does not ask the rule. */
  severities?: Readonly<Record<string, Severity | 'off'>>
}

/** Returns the rules that are asked. */
export function chosenRules({ only, ignored = [], severities: own = {} }: Choice) {
  return rules.filter(
    ({ id }) => (only === undefined || only.includes(id)) && !ignored.includes(id) && own[id] !== 'off',
  )
}

/** Returns what the rules find, by object in the order of the project, the worst first. */
export function findingsOf(shop: Shop, choice: Choice): Finding[] {
  const { severities: own = {} } = choice
  const found = chosenRules(choice).flatMap((rule): Finding[] => {
    if (rule.needs !== undefined && !shop.isOnline) return []
    return [...rule.find(shop)].map(({ object, member, message, fix, severity }) => ({
      severity: (own[rule.id] as Severity | undefined) ?? severity ?? rule.severity,
      rule: rule.id,
      object,
      member,
      message: `${message}.`,
      fix,
    }))
  })
  const places = new Map([...shop.objects.keys()].map((address, index) => [address, index]))
  const placeOf = ({ object }: Finding) => places.get(object.address) ?? 0
  return found.toSorted((one, other) => placeOf(one) - placeOf(other) || rankOf(one) - rankOf(other))
}

function rankOf({ severity }: Pick<Finding, 'severity'>): number {
  return severities.indexOf(severity)
}

/** Says whether a finding is as bad as a severity, or worse. */
export function isAtLeast(finding: Pick<Finding, 'severity'>, severity: Severity): boolean {
  return rankOf(finding) <= severities.indexOf(severity)
}
