// Amounts and percentages in sentences.
import { formatNumber } from '../base/numbers.ts'
import { memberAt, objectsOf, type Shop } from './shop.ts'

/** Returns how amounts of a project are written: `1,000.00 EUR`. They are in the smallest currency unit. */
export function moneyOf(shop: Shop): (amount: number) => string {
  const { known, digits } = currencyOf(shop)
  return (amount) => {
    const text = String(Math.round(amount)).padStart(digits + 1, '0')
    const whole = formatNumber(Number(text.slice(0, text.length - digits)))
    const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`
    return `${whole}${fraction}${known === undefined ? '' : ` ${known}`}`
  }
}

/** Returns the currency of a project, and how many digits its amounts have after the point. */
export function currencyOf(shop: Shop): { known: string | undefined; digits: number } {
  const [settings] = objectsOf(shop, 'settings')
  const currency = settings === undefined ? undefined : memberAt(settings, 'currency')
  const known = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : undefined
  // Its digits load the data of all languages, so they are asked for where there is a currency.
  const digits =
    known === undefined
      ? 2
      : (new Intl.NumberFormat('en', { style: 'currency', currency: known }).resolvedOptions().maximumFractionDigits ??
        2)
  return { known, digits }
}

/** `1 in 32,000`, of chances; `1 in 1.1 billion` where nobody counts the digits. */
export function largeNumber(count: number): string {
  const names: [number, string][] = [
    [1e12, 'trillion'],
    [1e9, 'billion'],
    [1e6, 'million'],
  ]
  if (count >= 1e15) return `more than ${formatNumber(1000)} trillion`
  for (const [size, name] of names) if (count >= size) return `${Number((count / size).toPrecision(2))} ${name}`
  return formatNumber(Math.round(count))
}
