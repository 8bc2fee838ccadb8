// Values on the command line that belong to a field: `source_id=shop-1001`, `metadata.tier=gold`.
import { ownValue } from '../../base/record.ts'
import { usageError } from '../../errors.ts'
import { type FieldReader, put } from './body.ts'

/**
 * Builds an object of texts such as `address.city=Berlin`, each value of the type that the contract requires at its path.
 *
 * `at` is the path of the object in the body that the reader knows; `flag` is named in errors. Throws `usage`.
 */
export function assign(
  texts: readonly string[],
  flag: string,
  reader: FieldReader,
  at: readonly string[] = [],
): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const text of texts) {
    const equals = text.indexOf('=')
    if (equals < 1)
      throw usageError(
        `${flag} "${text}" does not have the form name=value`,
        `${flag} ${ownValue(examples, flag) ?? 'name=value'}`,
      )
    const path = text.slice(0, equals).split('.')
    put(object, path, reader.valueAt([...at, ...path], text.slice(equals + 1)))
  }
  return object
}

/** Splits `source_id=a,name=Ann` before each name; a comma inside a value is kept. */
export function assignmentsIn(text: string): string[] {
  return text.split(/,(?=[A-Za-z_][\w.]*=)/)
}

const examples: Record<string, string> = {
  '--customer': 'source_id=shop-1001',
  '--holder': 'source_id=shop-1001',
  '--metadata': 'channel=shop',
}
