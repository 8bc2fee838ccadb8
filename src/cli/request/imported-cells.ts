// The columns that a file for an import has, in rows of other commands: with the units of the import.
import { csvMember, isMoney } from '../../contract/bulk.ts'
import { usageError } from '../../errors.ts'
import { valueAt } from '../../output/path.ts'
import type { FieldReader } from './body.ts'

/** The columns of an import whose amounts are in major units, and not in those of a body. */
export const majorColumns: readonly string[] = ['Value', 'Gift Amount']

/**
 * Returns the member that such a column gives to a body, and its value there: of `50` of an amount, 5000. Throws `usage` for a text
 * that is none, and where the body does not say what it is a value of.
 */
export function importedValue(
  column: string,
  text: string,
  body: object,
  { valueAt: read }: FieldReader,
): { path: string[]; value: unknown } {
  const member = csvMember(column, { voucher: valueAt(body, 'type'), discount: valueAt(body, 'discount.type') })
  if (member === undefined)
    throw usageError(
      `"${column}" is a percentage, an amount or points, and nothing says which`,
      'add the column "Discount Type" (PERCENT, AMOUNT or FIXED) or "Voucher Type", or --map Value=discount.percent_off',
    )
  const path = member.split('.')
  if (!isMoney(member)) return { path, value: read(path, text) }
  const [, whole, cents = ''] = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text) ?? []
  if (whole === undefined) throw usageError(`"${column}" takes an amount in major units, like 14.50, not "${text}"`)
  return { path, value: Number(`${whole}${cents.padEnd(2, '0')}`) }
}
