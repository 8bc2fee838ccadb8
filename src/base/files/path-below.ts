// Names that come from elsewhere and become paths: one grammar, checked where a path is made of them.
import { join } from 'node:path'
import { PromoError } from '../../errors.ts'

/** Names that Windows keeps for devices, with any ending. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Says whether Windows keeps a name for a device. */
export function isDevice(name: string): boolean {
  return device.test(name)
}

/** Says whether a name is that of one file of its folder, on every file system. */
export function isFileName(name: string): boolean {
  return /^\.?\w(?:[\w.-]{0,150}[\w-])?$/.test(name) && !isDevice(name)
}

/** Returns the path of what is kept under names below a folder. Throws `input` (exit 2) for a name that would lead elsewhere. */
export function pathBelow(folder: string, ...names: readonly string[]): string {
  for (const name of names)
    if (!isFileName(name)) throw new PromoError('input', `${JSON.stringify(name)} cannot be the name of a file`)
  return join(folder, ...names)
}
