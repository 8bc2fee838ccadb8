// Addresses of objects in the files: `campaigns/bean-club`, and of a part `campaigns/bean-club/offers/mug`.
import { usageError } from '../errors.ts'
import type { Kind } from '../model/kind.ts'
import { kinds, oneOf, partName } from '../model/kinds.ts'
import { keyGrammar } from './names.ts'

/** The address without its key: `campaigns/bean-club/offers`. */
export function folderOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('/')))
}

/** The address of the object that a part is a part of; empty for any other. */
export function parentOf(address: string): string {
  return folderOf(folderOf(address))
}

/** The address of the object that has a file: of a part, that of what it is a part of. */
export function wholeOf(address: string): string {
  return address.split('/').slice(0, 2).join('/')
}

/** The key of an address. */
export function keyOf(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1)
}

/** The address that a kind and a key name; the key of a part has that of its parent before it. Throws `usage`. */
export function addressOfKey(kind: Kind, key: string): string {
  const names = key.split('/')
  const isWhole = kind.within === undefined
  if (names.length !== (isWhole ? 1 : 2) || !names.every((name) => keyGrammar.test(name))) {
    const form = isWhole ? 'orders-above-20' : 'PARENT/KEY, like bean-club/enamel-mug'
    throw usageError(`"${key}" is no key of ${oneOf(kind)}; one is ${form}`)
  }
  const [first, second] = names
  return isWhole ? `${kind.name}/${first}` : `${kind.within?.parent}/${first}/${partName(kind)}/${second}`
}

/** The address that a reference in a file names; one to a part has no slash where siblings are meant: parts of `parent`. */
export function addressInFile(key: string, kind: Kind, parent: string | undefined): string {
  if (kind.within === undefined) return `${kind.name}/${key}`
  return key.includes('/') ? key : `${parent}/${partName(kind)}/${key}`
}

/** The kind of the object at an address; undefined for an address that names none. */
export function kindAt(address: string): Kind | undefined {
  const names = address.split('/')
  const [first, , part] = names
  const name = part === undefined ? first : `${first}/${part}`
  return names.length > 4 || names.length === 3 ? undefined : kinds.find((kind) => kind.name === name)
}
