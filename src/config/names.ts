// Keys of objects: names of files that are safe on every file system, and stay what they are.

import { isDevice } from '../base/files/path-below.ts'
import { ownValue } from '../base/record.ts'

/** Letters that a decomposition leaves as they are. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  '€': 'eur',
}

const longest = 60

/** What a key may be: a file's name without its ending. */
export const keyGrammar = /^[a-z0-9][a-z0-9_-]{0,99}$/i

/** Says whether a key names one file on every file system: some fold case, and Windows keeps names for devices. */
export function isPortable(key: string): boolean {
  return key === key.toLowerCase() && !isDevice(key)
}

/** Returns the key that a name suggests; `noun` where it has no letter that a key may have. */
export function slug(name: string, noun: string): string {
  const plain = name
    .slice(0, 1000)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøłđðþı€]/g, (letter) => String(ownValue(letters, letter)))
  const words = plain.replace(/\p{M}/gu, '').replace(/[^a-z0-9]+/g, '-')
  const short = words.replace(/^-+/, '').slice(0, longest).replace(/-+$/, '')
  if (short === '') return noun.replaceAll(' ', '-')
  return isDevice(short) ? `${short}-1` : short
}

/** Returns a key that is not taken; two keys that differ only by case would be one file. */
export function freeKey(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted.toLowerCase())) return wanted
  for (let n = 2; ; n += 1) {
    const key = `${wanted}-${n}`
    if (!taken.has(key.toLowerCase())) return key
  }
}
