// What a spreadsheet does to texts: which it changes when it opens a CSV file, how they are written so that it does not, and
// what remains of one that it did change. One table for the writer, the readers and their tests.

/** Texts of one form that a spreadsheet takes for something else. */
export interface Shape {
  name: string
  /** Which texts it changes, in any locale. */
  changed: RegExp
  /** Some of them, for tests. */
  examples: readonly string[]
  /** What such a text looks like after a spreadsheet saved it, where nobody writes that by hand. */
  ruin?: {
    looks: RegExp
    examples: readonly string[]
    /** In words: `looks like …`. */
    words: string
    /** In every column; otherwise only where a name is: a date is an honest value elsewhere. */
    everywhere?: true
  }
}

/** Names of months as spreadsheets know them, short and long, in the languages whose names are their own. */
const months = [
  'jan jän feb mar mär mrz apr may mai jun jul aug sep sept oct okt nov dec dez',
  'january february march april june july august september october november december',
  'januar jänner februar märz juni juli oktober dezember januari februari maart mei augustus',
  'janv févr mars avr juin juil août déc janvier février avril juillet septembre octobre novembre décembre',
  'ene abr ago dic enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'gen mag giu lug set ott gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre',
  'fev out janeiro fevereiro março maio junho julho setembro outubro dezembro',
  'sty lut kwi maj cze lip sie wrz paź lis gru',
]
  .join(' ')
  .replaceAll(' ', '|')
const dateWithMonth = `(?:\\d{1,4}[\\s./-]*)?(?:${months})\\.?(?:[\\s./,-]*\\d{1,4}){0,2}`
// With one capital, as a spreadsheet writes them: `SEP-10` is a code.
const writtenMonths = 'Jan|Jän|Feb|Mar|Mär|Mrz|Apr|May|Mai|Jun|Jul|Aug|Sep|Sept|Oct|Okt|Nov|Dec|Dez'
const trueWords = 'true|wahr|vrai|verdadero|vero|waar|prawda|verdadeiro'
const falseWords = 'false|falsch|faux|falso|onwaar|fałsz'
const truth = `${trueWords}|${falseWords}`
const errors = '#(?:NAME\\?|REF!|VALUE!|N\\/A|DIV\\/0!|NUM!|NULL!|#+)'

/** All of them, formulas first. */
export const shapes: readonly Shape[] = [
  {
    name: 'formula',
    // Half and full width, and after any leading white space: some programs trim it first.
    changed: /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n\0]/,
    examples: ['=1+1', '+4917012345', '-5', '@sum', ' =1', '＝1'],
  },
  {
    name: 'number',
    // Digits between anything that separates or decorates them. A whole number of up to eleven digits comes back as it was.
    changed: /^(?!(?:0|[1-9]\d{0,10})$)(?=.*\p{Nd})[\p{Nd}\s.,/'’()%$€£¥_]+$/u,
    examples: ['0077001', '007', ' 7', '9013808660771', '12345678901234567', '1.10', '1,234', '.5', '50%', '(5)', '$5'],
  },
  {
    name: 'exponent',
    changed: /^[\d.,]+\s*e[+-]?\d+$/i,
    examples: ['12E45', '1e5', '1.5E3'],
    ruin: {
      looks: /^-?\d[.,]?\d*E\+\d+$/i,
      examples: ['1.2E+46', '1.20E+46', '1,23457E+11', '9.01381E+12', '1.2E+046'],
      words: 'looks like a number that a spreadsheet shortened',
      everywhere: true,
    },
  },
  {
    name: 'date',
    changed: new RegExp(`^(?=.*\\d)(?:\\d{1,4}(?:\\s*[./-]\\s*\\d{1,4}){1,2}\\.?|${dateWithMonth})$`, 'iu'),
    examples: ['MAY20', 'DEC25', '1-2', '1/2', '2026-12-31', '31.12.2026', '2-Jan-26', 'SEPT10', 'MÄR5', 'Jan 5'],
    ruin: {
      looks: new RegExp(
        `^(?:\\d{1,2}([./-])\\d{1,2}\\1(?:\\d{2}|\\d{4})|\\d{4}/\\d{1,2}/\\d{1,2}|\\d{1,2}[-. ]{1,2}(?:${writtenMonths})(?:[-. ]{1,2}(?:\\d{2}|\\d{4}))?|(?:${writtenMonths})[- ](?:\\d{2}|\\d{4}))$`,
      ),
      examples: ['2-Jan-26', '20-May', 'May-20', '01.05.2020', '05/20/26', '2003/01/02', '1-Mär', '1. Mai'],
      words: 'looks like a date that a spreadsheet made of a code',
    },
  },
  {
    name: 'time',
    changed:
      /^(?:\d{4}-\d\d-\d\d[T ]\d\d(?::\d\d){1,2}(?:[.,]\d+)?\s*(?:Z|[+-]\d\d:?\d\d)?|\d{1,4}(?::\d{1,2}){1,2}(?:[.,]\d+)?(?:\s*[ap]m?)?|\d{1,2}(?:\s*[ap]m|\s+[ap]))$/i,
    examples: ['12:30', '12:30:00', '10 AM', '10am', '2026-01-29T12:00:00.000Z'],
    ruin: {
      looks: /^\d{1,3}:\d\d(?::\d\d)?(?: [AP]M)?$/,
      examples: ['12:30', '12:30:00', '12:30:00 PM', '9:05'],
      words: 'looks like a time of day that a spreadsheet made of a code',
    },
  },
  {
    name: 'truth value',
    changed: new RegExp(`^(?:${truth})$`, 'i'),
    examples: ['TRUE', 'false', 'WAHR'],
    ruin: {
      looks: new RegExp(`^(?:${truth.toUpperCase()})$`),
      examples: ['TRUE', 'FALSE', 'WAHR'],
      words: 'is what a spreadsheet writes for a truth value',
    },
  },
  {
    name: 'error',
    changed: new RegExp(`^${errors}$`, 'i'),
    examples: ['#N/A', '#NAME?'],
    ruin: {
      looks: new RegExp(`^${errors}$`),
      examples: ['#N/A', '#NAME?', '#REF!', '########'],
      words: 'is what a spreadsheet shows instead of a value',
      everywhere: true,
    },
  },
]

const survivingNumber = /^-?(?:0|[1-9]\d{0,10})$/
const survivingFraction = /^-?(?:0|[1-9]\d{0,7})\.\d{0,3}[1-9]$/

/** Returns whether a number comes back as it is written; a fraction only where the spreadsheet has a decimal point. */
export function survivesAsNumber(text: string, hasDecimalPoint: boolean): boolean {
  return survivingNumber.test(text) || (hasDecimalPoint && survivingFraction.test(text))
}

/** Returns the truth value that a text is, as a spreadsheet writes it in any language; undefined for any other text. */
export function truthOf(text: string): boolean | undefined {
  if (new RegExp(`^(?:${trueWords})$`, 'i').test(text)) return true
  return new RegExp(`^(?:${falseWords})$`, 'i').test(text) ? false : undefined
}

/** Returns whether a spreadsheet would run a cell with this text. */
export function isFormula(text: string): boolean {
  return shapes[0]?.changed.test(text) ?? false
}

function isChanged(text: string): boolean {
  return shapes.some(({ changed }) => changed.test(text))
}

/**
 * Returns the text as it is written for a spreadsheet: with an apostrophe in front, the mark of a text, where one would change it.
 *
 * Some spreadsheets keep the mark and others remove one apostrophe, so `withoutMark` restores the text from what either saves: a
 * text that would pass for a ruin without its mark has two, and one with apostrophes of its own has two more than twice as many.
 */
export function withMark(text: string): string {
  const own = apostrophes(text)
  if (own > 0) return `${"'".repeat(own + 2)}${text}`
  return ruinOf(text, true) === undefined ? `${isChanged(text) ? "'" : ''}${text}` : `''${text}`
}

/** Removes the mark of a text, in whatever file it is; any other text is returned unchanged. */
export function withoutMark(text: string): string {
  if (!text.startsWith("'")) return text
  const marks = apostrophes(text)
  const rest = text.slice(marks)
  if (marks > 2) return `${"'".repeat(Math.floor((marks - 1) / 2))}${rest}`
  return /^\d/.test(rest) || isChanged(rest) ? rest : text
}

function apostrophes(text: string): number {
  let count = 0
  while (text[count] === "'") count += 1
  return count
}

/** Returns in words why a text can only be what a spreadsheet made of another; `isName`: it names something, such as a code. */
export function ruinOf(text: string, isName: boolean): string | undefined {
  return shapes.find(({ ruin }) => ruin && (isName || ruin.everywhere) && ruin.looks.test(text))?.ruin?.words
}
