// How a file writes days, numbers and amounts where that is not how the service takes them: 31.12.2026 and 5,00.
import { isMoney } from '../../contract/bulk.ts'
import { usageError } from '../../errors.ts'

/** The flags that say it. */
export interface WrittenForms {
  dates?: string | undefined
  decimal?: string | undefined
  'amounts-in'?: string | undefined
}

/** Reads texts of a file; undefined where a text is not in the form, and means what it says. */
export interface WrittenValues {
  /** Returns the day as `2026-12-31`; with a time after it, what the clocks show, as `2026-12-31T14:30:00`. */
  day: (text: string) => string | undefined
  /** Returns the number with a point, and an amount of money in the smallest unit of its currency. */
  number: (text: string, isAmount?: boolean) => string | undefined
}

/** Makes the reader that the flags describe. Throws `usage` for a form or a currency that does not exist. */
export function writtenValues({ dates, decimal, 'amounts-in': currency }: WrittenForms): WrittenValues {
  const day = dates === undefined ? () => undefined : dayReader(dates)
  const digits = currency === undefined ? undefined : digitsOf(currency)
  const plain = (text: string) => (decimal === ',' ? withPoint(text) : undefined)
  return {
    day,
    number(text, isAmount = false) {
      const number = plain(text)
      return isAmount && digits !== undefined ? (inSmallestUnits(number ?? text, digits) ?? number) : number
    },
  }
}

const timeOfDay = String.raw`(?:(?:T|,? {1,2})(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?(?:\s?(?<half>[AP])\.?M\.?)?)`
const parts = { DD: String.raw`\d{1,2}`, MM: String.raw`\d{1,2}`, YYYY: String.raw`\d{4}`, YY: String.raw`\d{2}` }

function dayReader(form: string): WrittenValues['day'] {
  const names = form.match(/YYYY|YY|MM|DD/g) ?? []
  const isForm = /^(?:YYYY|YY|MM|DD)(?:[./ -]+(?:YYYY|YY|MM|DD)){2}$/.test(form)
  if (!isForm || new Set(names.map((name) => name[0])).size < 3)
    throw usageError(`--dates takes DD, MM and YYYY in the order of the file, not "${form}"`, '--dates DD.MM.YYYY')
  const pattern = form.replace(/[./ -]+|YYYY|YY|MM|DD/g, (part) =>
    part in parts ? `(?<${part}>${parts[part as keyof typeof parts]})` : `\\s*[${part.trim() || '\\s'}]\\s*`,
  )
  const written = new RegExp(`^\\s*${pattern}${timeOfDay}?\\s*$`, 'i')
  return (text) => {
    const { DD = '', MM = '', YYYY, YY = '', hour, minute, second = '00', half } = written.exec(text)?.groups ?? {}
    if (DD === '') return undefined
    const day = `${YYYY ?? `20${YY}`}-${MM.padStart(2, '0')}-${DD.padStart(2, '0')}`
    if (hour === undefined) return day
    const hours = hourOf(Number(hour), half)
    return hours === undefined ? undefined : `${day}T${String(hours).padStart(2, '0')}:${minute}:${second}`
  }
}

/** Returns the hour of 24; `half` is the letter of AM or PM. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
}

function withPoint(text: string): string | undefined {
  const [, sign = '', whole = '', rest = ''] =
    /^(-?)(\d+|\d{1,3}(?:[. \u00a0\u202f]\d{3})+)(?:,(\d+))?$/.exec(text) ?? []
  return whole === '' ? undefined : `${sign}${whole.replaceAll(/\D/g, '')}${rest && `.${rest}`}`
}

function digitsOf(currency: string): number {
  if (/^[A-Z]{3}$/.test(currency)) {
    const style = new Intl.NumberFormat('en', { style: 'currency', currency })
    return style.resolvedOptions().maximumFractionDigits ?? 2
  }
  throw usageError(`--amounts-in takes the code of a currency, not "${currency}"`, '--amounts-in EUR')
}

function inSmallestUnits(text: string, digits: number): string | undefined {
  const [, whole, rest = ''] = /^(-?\d+)(?:\.(\d+?)0*)?$/.exec(text) ?? []
  if (whole === undefined || rest.length > digits) return undefined
  return `${whole}${rest.padEnd(digits, '0')}`.replace(/^(-?)0+(?=\d)/, '$1')
}

/** Returns the flag that would read a text that was refused, or undefined. */
export function flagFor(text: string, name: string, isDay: boolean): string | undefined {
  const isDecimal = /^-?\d{1,3}(?:[. ]?\d{3})*,\d+$/.test(text)
  if (isDay) {
    const day = text.replace(new RegExp(`${timeOfDay}$`, 'i'), '')
    if (day !== text && /^\d{4}-\d\d-\d\d$/.test(day)) return '--dates YYYY-MM-DD, for times without a zone'
    const [, mark] = /^\d{1,2}([./-])\s?\d{1,2}\1\s?(?:\d{4}|\d{2})$/.exec(day) ?? []
    // With slashes the month may be first.
    const form = ['DD', 'MM', /\d{4}$/.test(day) ? 'YYYY' : 'YY'].join(mark)
    return mark === undefined
      ? undefined
      : `--dates ${form}${mark === '/' ? `, or ${form.replace('DD/MM', 'MM/DD')}` : ''}`
  }
  if (isMoney(name) && (isDecimal || /^-?\d+\.\d+$/.test(text)))
    return `${isDecimal ? '--decimal , ' : ''}--amounts-in EUR, if the file has amounts in euros`
  return isDecimal ? '--decimal ,' : undefined
}
