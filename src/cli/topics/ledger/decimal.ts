// A decimal number as it is typed, which stays exact.
import { Flags } from '@oclif/core'
import { usageError } from '../../../errors.ts'

/** A flag that takes a number like `0.01`; its value is the text. A percent sign after it is left out. */
export const decimal = Flags.custom<string>({
  parse: async (text) => {
    const [, number] = /^(\d{1,12}(?:\.\d{1,9})?)\s?%?$/.exec(text) ?? []
    if (number === undefined) throw usageError(`"${text}" is not a number like 0.01`)
    return number
  },
})
