// Rules about codes: how easily one is guessed, and which are confused with another.
import { dayMs } from '../base/duration.ts'
import { formatCount, formatNumber } from '../base/numbers.ts'
import { isRecord } from '../base/record.ts'
import { shellWord } from '../base/shell-word.ts'
import { defaultCharset } from '../contract/new-voucher.ts'
import { largeNumber } from './money.ts'
import type { Found, Rule } from './rule.ts'
import { instantAt, isOn, memberAt, nameOf, numberAt, objectsOf, pairsOf, type Shop, type ShopObject } from './shop.ts'

/** The form of the codes of a campaign. */
interface Form {
  object: ShopObject
  pattern: string
  /** The characters of a mark, each once. */
  characters: string
  marks: number
}

function formsOf(shop: Shop): Form[] {
  return objectsOf(shop, 'campaigns').flatMap((object) => {
    const config = memberAt(object, 'voucher.code_config')
    if (!isRecord(config)) return []
    const { length = 8, prefix = '', postfix = '', charset = defaultCharset } = config
    const marks = '#'.repeat(Math.min(Number(length), 1024))
    const pattern = typeof config.pattern === 'string' ? config.pattern : `${String(prefix)}${marks}${String(postfix)}`
    return { object, pattern, characters: [...new Set(String(charset))].join(''), marks: pattern.split('#').length - 1 }
  })
}

/** A guess a second finds a discount in twelve days, and the credit of a card in thirty years. */
const safeGuesses = { discount: 1e6, money: 1e9 }

function* guessable(shop: Shop): Generator<Found> {
  for (const { object, pattern, characters, marks } of formsOf(shop)) {
    // A code without marks is one that everybody may know.
    if (marks === 0 || memberAt(object, 'active') === false) continue
    const isMoney = ['GIFT_VOUCHER', 'LOYALTY_CARD'].includes(String(memberAt(object, 'voucher.type')))
    const safe = isMoney ? safeGuesses.money : safeGuesses.discount
    const space = characters.length ** marks
    const { count } = object
    const guesses = space / Math.max(1, count ?? 1)
    if (guesses >= safe) continue
    const many = count === undefined || count <= 1 ? 'even of a single code' : `of ${largeNumber(count)} codes`
    const message = `The codes of ${nameOf(object)}, ${JSON.stringify(pattern)}, have ${marks} random characters of ${characters.length}: ${largeNumber(space)} in all, so ${many} one is found in about ${largeNumber(guesses)} guesses, ${timeOf(guesses)} at ten a second`
    const needed = Math.ceil(Math.log(safe * Math.max(1000, count ?? 0)) / Math.log(Math.max(2, characters.length)))
    const fix = `make voucher.code_config.length ${needed}, for codes that are made from now on`
    yield { object, member: 'voucher.code_config', message, fix }
  }
}

function timeOf(guesses: number): string {
  const seconds = guesses / 10
  if (seconds < 90) return 'a minute'
  if (seconds < 5400) return `${Math.round(seconds / 60)} minutes`
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} hours`
  return `${Math.round(seconds / 86_400)} days`
}

function* samePattern(shop: Shop): Generator<Found> {
  // Codes without a prefix say nothing of where they are from.
  const forms = formsOf(shop).filter(({ pattern }) => !/^#*$/.test(pattern))
  for (const [{ object, marks, pattern }, { object: other }] of pairsOf(forms, (form) => form.pattern)) {
    const message =
      marks === 0
        ? `${nameOf(object)} and ${nameOf(other)} have one code, ${JSON.stringify(pattern)}: the service refuses it for the second`
        : `The codes of ${nameOf(object)} look like those of ${nameOf(other)}, ${JSON.stringify(pattern)}: nobody sees by a code which of the two it is from`
    const fix = 'give it a prefix of its own in voucher.code_config'
    yield { object, member: 'voucher.code_config', message, fix }
  }
}

function* onlyCase(shop: Shop): Generator<Found> {
  const ignoresCase = objectsOf(shop, 'settings').some(({ wire }) => wire?.case_sensitive_codes === false)
  const fixed = [
    ...formsOf(shop).flatMap(({ object, pattern, marks }) => (marks === 0 ? [{ object, code: pattern }] : [])),
    ...objectsOf(shop, 'codes').map((object) => ({ object, code: String(object.name) })),
  ]
  for (const [{ object, code }, other] of pairsOf(fixed, (one) => one.code.toLowerCase())) {
    if (other.code === code) continue
    const which = `The codes ${JSON.stringify(code)} and ${JSON.stringify(other.code)}`
    const message = ignoresCase
      ? `${which} are the same in this project, which ignores case: a customer gets one of the two discounts`
      : `${which} differ by case alone: customers type one for the other`
    yield { object, message, fix: 'rename one of the two' }
  }
}

const soonDays = 14

/** Codes that are handed out, or uses that are gone, at the pace since the beginning. */
function* runningOut(shop: Shop): Generator<Found> {
  for (const object of [...objectsOf(shop, 'campaigns'), ...objectsOf(shop, 'codes')]) {
    const { used, wire } = object
    const capacity = capacityOf(object)
    const end = instantAt(object, 'expiration_date') ?? Number.POSITIVE_INFINITY
    const beganMs = instantAt(object, 'start_date') ?? Date.parse(String(wire?.created_at))
    if (used === undefined || capacity === undefined || !isOn(shop, object)) continue
    const left = capacity.most - used
    const perDay = used / Math.max(1, (shop.nowMs - beganMs) / dayMs)
    const days = left / perDay
    if (!(days < soonDays) || shop.nowMs + days * dayMs > end) continue
    const pace = `${Number(perDay.toPrecision(2))} a day since ${new Date(beganMs).toISOString().slice(0, 10)}`
    const gone =
      days < 1 ? 'the last one is gone today' : `the last one is gone in ${formatCount(Math.floor(days), 'day')}`
    const message = `Of ${formatNumber(capacity.most)} ${capacity.of} ${nameOf(object)} ${formatNumber(used)} are gone, ${pace}: ${left <= 0 ? 'there is none left' : gone}`
    yield { object, message, fix: capacity.fix }
  }
}

/** How many codes, or uses of one code, there are, where they can run out. */
function capacityOf(object: ShopObject): { most: number; of: string; fix: string } | undefined {
  const name = shellWord(String(object.name))
  const { count } = object
  if (object.kind.name === 'codes') {
    const uses = numberAt(object, 'redemption.quantity')
    if (uses === undefined || uses === 1) return undefined
    const fix = `promo vouchers update ${name} --set redemption.quantity=${shellWord(String(2 * uses))}`
    return { most: uses, of: 'uses of the code', fix }
  }
  // A publication makes what is missing of AUTO_UPDATE.
  if (count === undefined || count < 2 || memberAt(object, 'type') !== 'STATIC') return undefined
  return {
    most: count,
    of: 'codes of',
    fix: `promo campaigns vouchers add ${name} --count ${shellWord(String(count))}`,
  }
}

/** The rules about codes. */
export const codeRules: readonly Rule[] = [
  { id: 'guessable-codes', severity: 'error', title: 'codes that can be guessed', find: guessable },
  { id: 'same-code-pattern', severity: 'warning', title: 'codes of two campaigns that look alike', find: samePattern },
  {
    id: 'codes-running-out',
    severity: 'warning',
    title: 'codes or uses that are soon gone',
    needs: 'the numbers of what is used',
    find: runningOut,
  },
  { id: 'codes-differ-by-case', severity: 'warning', title: 'codes that differ by case alone', find: onlyCase },
]
