// What the commands of a project as files declare alike.

import { Flags } from '@oclif/core'
import { fileKinds, kinds } from '../../../config/kinds.ts'
import { getProduct } from '../../../contract/products.ts'
import { listAssignments } from '../../../contract/validation-rules.ts'
import { usageError } from '../../../errors.ts'
import { argument } from '../../flags/kinds.ts'
import { nameList } from '../../flags/values.ts'

/** The calls that read a project: lists, and one product at a time where only those that others refer to are read. */
export const readCalls = [...kinds.map(({ calls }) => calls.list), getProduct, listAssignments]

const kindList = (known: readonly string[]) =>
  Flags.custom<string[]>({
    parse: async (text) => {
      const names = nameList(text)
      const unknown = names.find((name) => !known.includes(name))
      if (unknown !== undefined) throw usageError(`"${unknown}" is no kind; kinds are ${known.join(', ')}`)
      return names
    },
  })

/** Restricts a pull to some kinds. */
export const onlyFlag = kindList(fileKinds)({ description: 'only these kinds', helpValue: 'KIND,…' })

/** Names the kinds of which objects without a file are deleted. */
export function pruneFlag(prunable: readonly string[]) {
  return kindList(prunable)({
    description: 'also delete objects of these kinds that have no file: rules, campaigns/tiers',
    helpValue: 'KIND,…',
  })
}

/** The argument of a command that reads a folder. */
export const dirArg = {
  dir: argument('the folder of the files'),
}
