// The roll-forward: what was owed at the beginning of a period, what changed it, and what is owed at its end.
import { type BreakCheck, breakCheck, type CardBreak } from './balances.ts'
import { type Card, movementKinds, type Unit } from './movements.ts'

/** What changes what is owed, in the order of a report. Whatever ends a card without a transaction is the last but one. */
const reportLines = [...movementKinds.slice(0, -1), 'switched_off', 'unknown'] as const

export type ReportLine = (typeof reportLines)[number]

/** What happened to the cards of one campaign and unit, period by period. */
export interface Account {
  campaignId: string | null
  unit: Unit
  /** What was owed at each bound; one more than periods. */
  owed: number[]
  /** Of each period, signed: the lines add up to what the next bound owes more than this one. */
  changes: Record<ReportLine | 'sold', number[]>
  /** Cards with anything on them at each bound. */
  cards: number[]
}

export interface BrokenCard extends CardBreak {
  card_id: string
  code: string | null
  campaign_id: string | null
}

/** The accounts of a period, and the cards that do not add up. */
export interface RollForward {
  accounts: Account[]
  broken: BrokenCard[]
}

export interface ReportOptions {
  /** The instants at which periods begin, and the one at which the last ends; none of them is in the period before it. */
  bounds: readonly string[]
  /** Whether the credit that a card was created with was paid for. */
  isSold: (card: Card) => boolean
  completeUntil: string | undefined
}

/**
 * Adds up the movements of cards by campaign, unit and period.
 *
 * What cannot be used any more is not owed: the balance of a card that ends leaves in the period in which it ends, as `expired` or
 * `switched_off`, and what moves on it afterwards is taken off by the same line.
 */
export function rollForward(cards: Iterable<Card>, { bounds, isSold, completeUntil }: ReportOptions): RollForward {
  const accounts = new Map<string, Account>()
  const broken: BrokenCard[] = []
  for (const card of cards) {
    const { id: card_id, code, campaignId: campaign_id } = card
    const key = `${card.unit} ${campaign_id}`
    const account = accounts.get(key) ?? accountOf(card, bounds.length)
    accounts.set(key, account)
    const check = breakCheck(card, completeUntil)
    addCard(account, card, { bounds, isSold: isSold(card), check })
    const found = check.end()
    if (found !== undefined) broken.push({ card_id, code, campaign_id, ...found })
  }
  return { accounts: [...accounts.values()], broken }
}

function accountOf({ campaignId, unit }: Card, bounds: number): Account {
  const zeros = (length: number) => Array.from({ length }, () => 0)
  const changes = Object.fromEntries([...reportLines, 'sold'].map((line) => [line, zeros(bounds - 1)]))
  return { campaignId, unit, owed: zeros(bounds), changes: changes as Account['changes'], cards: zeros(bounds) }
}

interface CardOptions {
  bounds: readonly string[]
  isSold: boolean
  check: BreakCheck
}

function addCard(account: Account, card: Card, { bounds, isSold, check }: CardOptions): void {
  const { movements, ended } = card
  let balance = 0
  let owed = 0
  let moved = 0
  let at = 0
  const reach = (bound: string) => {
    const isEnded = ended !== undefined && ended.at < bound
    const owedNow = isEnded ? 0 : balance
    if (at > 0 && ended !== undefined) add(account.changes[ended.why], at - 1, owedNow - owed - moved)
    owed = owedNow
    moved = 0
    add(account.owed, at, owed)
    if (owed !== 0) add(account.cards, at, 1)
    at += 1
  }
  for (const movement of movements) {
    check.take(movement)
    for (let bound = bounds[at]; bound !== undefined && movement.at >= bound; bound = bounds[at]) reach(bound)
    const amount = movement.amount ?? 0
    balance += amount
    moved += amount
    if (at === 0 || at === bounds.length) continue
    add(account.changes[movement.kind], at - 1, amount)
    if (movement.kind === 'issued' && isSold) add(account.changes.sold, at - 1, amount)
  }
  for (const bound of bounds.slice(at)) reach(bound)
}

function add(numbers: number[], at: number, change: number): void {
  numbers[at] = (numbers[at] ?? 0) + change
}

/** One account over some of its periods. Amounts are in credits or points; `opening` and all lines make `closing`. */
export type ReportRow = {
  campaign_id: string | null
  campaign: string | null
  unit: Unit
  /** The first instant of the period, and the one after its last. */
  from: string
  to: string
  opening: number
} & Record<ReportLine, number> & {
    /** Of what was issued; both null where nothing says what was sold. */
    sold: number | null
    given: number | null
    closing: number
    /** Cards with anything on them at the end. */
    cards: number
  }

/** Returns an account from one bound to another. */
export function rowOf(
  { campaignId, unit, owed, changes, cards }: Account,
  { bounds, from, to, campaign, isSoldKnown }: RowOptions,
): ReportRow {
  const sum = (numbers: readonly number[]) => numbers.slice(from, to).reduce((one, other) => one + other, 0)
  const lines = Object.fromEntries(reportLines.map((line) => [line, sum(changes[line])]))
  const sold = sum(changes.sold)
  return {
    campaign_id: campaignId,
    campaign: campaign ?? null,
    unit,
    from: bounds[from] ?? '',
    to: bounds[to] ?? '',
    opening: owed[from] ?? 0,
    ...(lines as Record<ReportLine, number>),
    sold: isSoldKnown ? sold : null,
    given: isSoldKnown ? (lines.issued ?? 0) - sold : null,
    closing: owed[to] ?? 0,
    cards: cards[to] ?? 0,
  }
}

interface RowOptions {
  bounds: readonly string[]
  /** Positions in `bounds`. */
  from: number
  to: number
  campaign: string | undefined
  isSoldKnown: boolean
}

/** A line that is not zero; `sold` and `given` are parts of the line before them. */
export interface MovedLine {
  line: ReportLine | 'sold' | 'given'
  amount: number
  isPart: boolean
}

/** Returns the lines of a row that are not zero, in their order. */
export function movedLines(row: ReportRow): MovedLine[] {
  return reportLines.flatMap((line): MovedLine[] => {
    if (row[line] === 0) return []
    const parts = line === 'issued' && row.sold !== null ? (['sold', 'given'] as const) : []
    return [
      { line, amount: row[line], isPart: false },
      ...parts.map((part) => ({ line: part, amount: row[part] ?? 0, isPart: true })),
    ]
  })
}

/** A bar of a drawing that leads from opening to closing. */
export interface ReportStep {
  line: ReportLine | 'opening' | 'closing'
  /** Where it begins and ends; opening and closing begin at zero. */
  from: number
  to: number
}

/** Returns what leads from opening to closing: every line that is not zero, each from where the one before it ends. */
export function stepsOf(row: ReportRow): ReportStep[] {
  const steps: ReportStep[] = [{ line: 'opening', from: 0, to: row.opening }]
  let sum = row.opening
  for (const line of reportLines) {
    if (row[line] !== 0) steps.push({ line, from: sum, to: sum + row[line] })
    sum += row[line]
  }
  return [...steps, { line: 'closing', from: 0, to: row.closing }]
}

/** What the user says about the value of a balance. */
export interface Valuation {
  /** A decimal number, like `0.01`: what a point is worth in the currency. */
  pointValue: string | undefined
  /** The share of what is owed that will never be used, as a percentage: `12.5`. */
  breakage: string | undefined
}

/** Figures that follow from a closing balance and what the user says; null where nothing is said. */
export interface ValuedFigures {
  breakage: number | null
  /** What of the closing balance is expected to be used. */
  expected_use: number | null
  /** The closing points in the currency. */
  closing_value: number | null
}

/** Returns what a closing balance is worth; breakage is rounded to a whole unit, half up. */
export function valued({ closing, unit }: Pick<ReportRow, 'closing' | 'unit'>, said: Valuation): ValuedFigures {
  const breakage = said.breakage === undefined ? null : breakageOf(closing, decimalFrom(said.breakage))
  return {
    breakage,
    expected_use: breakage === null ? null : closing - breakage,
    closing_value:
      said.pointValue === undefined || unit !== 'points' ? null : Number(product(closing, said.pointValue)),
  }
}

function breakageOf(closing: number, { digits, scale }: Decimal): number {
  const whole = 100n * 10n ** BigInt(scale)
  const sign = closing < 0 ? -1n : 1n
  return Number((sign * (2n * sign * BigInt(closing) * digits + whole)) / (2n * whole))
}

/** Returns a whole number times a decimal one, exactly: `120.00`. */
export function product(number: number, decimal: string): string {
  const { digits, scale } = decimalFrom(decimal)
  const value = BigInt(number) * digits
  const text = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const sign = value < 0n ? '-' : ''
  return scale === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

interface Decimal {
  digits: bigint
  /** How many of the digits follow the point. */
  scale: number
}

function decimalFrom(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}
