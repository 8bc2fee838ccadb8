// What a pull decides before it writes.
import { join } from 'node:path'
import { removeLeftovers } from '../../../base/files/temporary.ts'
import { listNames, mostNamed } from '../../../base/name-list.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import { kindAt, wholeOf } from '../../../config/addresses.ts'
import { unknownWithin } from '../../../config/file-objects.ts'
import { isManaged } from '../../../config/folder.ts'
import type { Identified, ProjectObject } from '../../../config/project.ts'
import { holds, readRecords, schemaFile, textChecksum, writeWhole } from '../../../config/records.ts'
import { rootFile } from '../../../config/root-file.ts'
import type { Written } from '../../../config/write.ts'
import { PromoError, usageError } from '../../../errors.ts'
import { fileKinds, kindNamed } from '../../../model/kinds.ts'
import { addressesIn, valueAt } from '../../../model/value.ts'
import type { OpenProject } from './open.ts'

/** Returns the settings in promo.yaml after a pull of some kinds; `isPart` where only some of their objects were pulled. */
export function rootSettings(
  { folder, project, whole }: OpenProject,
  managed: readonly string[],
  isPart: boolean,
): Record<string, unknown> {
  const kinds = fileKinds.filter((name) => managed.includes(name) || folder.kinds?.includes(name))
  const partial = kinds.filter((name) =>
    isPart
      ? folder.partial.includes(name) || !folder.kinds?.includes(name)
      : !managed.includes(name) && folder.partial.includes(name),
  )
  const unknown: Record<string, string[]> = Object.fromEntries(
    Object.entries(folder.unknown).map(([name, paths]) => [name, [...paths]]),
  )
  for (const { kind, members } of project.objects.values()) {
    for (const path of [...members.keys(), ...unknownWithin(kind, members)]) {
      if (Object.hasOwn(kind.members, path) || unknown[kind.name]?.includes(path)) continue
      unknown[kind.name] = [...(unknown[kind.name] ?? []), path].toSorted()
    }
  }
  return {
    format: 1,
    kinds,
    ...((partial.length > 0 || folder.partial.length > 0) && { partial }),
    ...(whole.length > 0 && { whole }),
    ...(Object.keys(unknown).length > 0 && { unknown }),
  }
}

/** Throws `input` (exit 2) where a pull would overwrite or remove what someone wrote. */
export function editedFiles({ folder, records }: OpenProject, { changed, removed }: Written, dir: string): void {
  const edited = [...changed.keys(), ...removed].filter((file) => {
    const text = folder.files.get(file)
    if (text === undefined || (file === rootFile && !records.pulled.has(file))) return false
    return records.pulled.get(file) !== textChecksum(text)
  })
  if (edited.length === 0) return
  const paths = edited.map((file) => join(dir, file))
  const message = `edited since the last pull from this project, and not overwritten: ${listNames(paths, mostNamed)}; nothing was written`
  throw new PromoError('input', message, {
    hint: `promo config diff ${argumentWords(dir)} shows what differs; promo config pull --force ${argumentWords(dir)} overwrites`,
  })
}

/** Throws `input` (exit 2) where names do not say which file an object is: the file would be removed, and a new one made. */
export function ambiguousFiles({ project: { ambiguous } }: OpenProject, dir: string): void {
  if (ambiguous.length === 0) return
  const message = ['names do not say which object a file is; nothing was written:', ...ambiguous].join('\n')
  throw new PromoError('input', message, {
    hasLines: true,
    hint: `promo config link --help shows how to say it; promo config pull --force ${argumentWords(dir)} gives the objects new files`,
  })
}

/**
 * The recorded ids after a pull of a whole project, or of a part: those of what it has, and those of what was not read, also for
 * want of keys.
 */
export function idsAfter(
  { root, projectId, records, project, read }: OpenProject,
  isPart: boolean,
): Map<string, string> {
  const isKept = (address: string) => isPart || !read.kinds.has(kindAt(address)?.name ?? '')
  const others = [...records.ids].filter(([address]) => isKept(address))
  const ours = [...project.objects.values()].filter(({ kind }) => !kind.isSingle)
  // By an apply, since the project was read.
  const meanwhile = [...readRecords(root, projectId).ids].filter(([address, id]) => records.ids.get(address) !== id)
  return new Map([...others, ...ours.map(({ address, id }) => [address, id] as const), ...meanwhile])
}

/** No file takes a minute to be written. */
const leftoverMs = 60_000

/** Removes what a pull that was killed left in a folder beside its files. */
export function removeUnfinished(root: string): void {
  const own = ['.', 'ids', 'pulled', 'schemas'].map((name) => join('.promo', name))
  for (const name of ['.', ...fileKinds, ...own]) removeLeftovers(join(root, name), leftoverMs)
}

/** Writes the schemas that the first lines of files name, by which editors complete them. */
export async function writeSchemas({ root, folder }: OpenProject, managed: readonly string[]): Promise<void> {
  const { fileSchema } = await import('../../../config/json-schema.ts')
  const schemas = managed.map((name): [string, string] => [
    join(root, schemaFile({ name })),
    `${JSON.stringify(fileSchema(kindNamed(name), folder.unknown[name]))}\n`,
  ])
  writeWhole(schemas.filter(([path, text]) => !holds(path, text)))
}

/** The objects of a project that the files of a folder are meant to have, with their parts. */
export function managedAddresses({ folder, project }: Pick<OpenProject, 'folder' | 'project'>): string[] {
  return [...project.objects.keys()].filter((address) => isManaged(folder, address)).map(wholeOf)
}

/**
 * Restricts a project to some objects, named by key or name, with their parts and everything that these refer to.
 *
 * Throws `usage` for one that the project does not have.
 */
export function withReferences({ objects, ...rest }: Identified, wanted: readonly string[]): Identified {
  const all = [...objects.values()]
  const left = wanted.map((text) => {
    if (objects.has(text)) return text
    const found = all.find((one) => text === addressByName(one))
    if (found !== undefined) return found.address
    const alike = all.filter(({ kind }) => kind.within === undefined && text.startsWith(`${kind.name}/`))
    const there = (alike.length > 0 ? alike : all.filter(({ kind }) => kind.within === undefined)).map(
      ({ address }) => address,
    )
    throw usageError(`the project has no "${text}"; it has ${listNames(there, mostNamed)}`)
  })
  const kept = new Set<string>()
  for (let address = left.pop(); address !== undefined; address = left.pop()) {
    const whole = wholeOf(address)
    if (kept.has(whole)) continue
    kept.add(whole)
    for (const one of all.filter((other) => other.address === whole || other.address.startsWith(`${whole}/`))) {
      kept.add(one.address)
      left.push(...[...one.members.values()].flatMap(addressesIn))
    }
  }
  return { ...rest, objects: new Map([...objects].filter(([address]) => kept.has(address))) }
}

/** The address with the name of the object in place of its key. */
function addressByName({ kind, wire }: ProjectObject): string | undefined {
  const name = valueAt(wire, kind.named)
  return typeof name === 'string' ? `${kind.name}/${name}` : undefined
}
