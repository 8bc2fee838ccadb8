// What the commands of a project as files declare alike.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { argumentWords } from '../../../base/shell-word.ts'
import { rootFile } from '../../../config/root-file.ts'
import { getProduct } from '../../../contract/products.ts'
import { listAssignments } from '../../../contract/validation-rules.ts'
import { PromoError, usageError } from '../../../errors.ts'
import { fileKinds, kinds } from '../../../model/kinds.ts'
import { argument, names } from '../../flags/kinds.ts'
import { nameList } from '../../flags/values.ts'

/** The calls that read a project: lists, and one product at a time where only those that others refer to are read. */
export const readCalls = [...kinds.map(({ calls }) => calls.list), getProduct, listAssignments]

/** Makes a flag that names kinds of a list. */
export const kindList = (known: readonly string[]) =>
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
    description: 'delete objects of these kinds without a file: rules, campaigns/tiers',
    helpValue: 'KIND,…',
  })
}

/** The kinds of which objects have ids that are recorded. */
export const recordedKinds = kinds.filter(({ isSingle }) => !isSingle)

/** Names objects in place of which new ones are made. */
export const replaceFlag = names('recreate these objects where they cannot be changed: segments/readers', 'KIND/KEY,…')

/** The arguments that name one object of a folder: its kind. */
export const kindArg = Args.string({
  description: 'the kind of the object',
  options: recordedKinds.map(({ name }) => name),
  ignoreStdin: true,
  required: true,
})
/** Its key. */
export const keyArg = argument('its key, or PARENT/KEY for a part of a campaign')

/** The folder of a command whose arguments name an object in it. */
export const dirFlag = Flags.string({
  description: 'the folder of the files',
  default: '.',
  helpValue: 'DIR',
})

/** The argument of a command that reads a folder. */
export const dirArg = { dir: argument('the folder of the files') }

/** Returns the path of the folder of a project as files. Throws `input` (exit 2) for one that is none. */
export function folderNamed(dir: string): string {
  if (existsSync(join(dir, rootFile))) return resolve(dir)
  throw notAProject(dir)
}

/** The error about a folder that no pull made. */
export function notAProject(dir: string): PromoError {
  return new PromoError('input', `"${dir}" is not a project as files: it has no promo.yaml`, {
    hint: `promo config pull ${argumentWords(dir)}`,
  })
}
