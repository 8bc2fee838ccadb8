// What a pull decides before it writes.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootFile } from '../../../config/folder.ts'
import { fileKinds, kindNamed } from '../../../config/kinds.ts'
import { kindAt } from '../../../config/project.ts'
import { schemaFile, textChecksum, writeWhole } from '../../../config/records.ts'
import type { Written } from '../../../config/write.ts'
import { EXIT, PromoError } from '../../../errors.ts'
import type { OpenProject } from './open.ts'

/** Returns the settings in promo.yaml after a pull of some kinds. */
export function rootSettings(
  { folder, project, whole }: OpenProject,
  managed: readonly string[],
): Record<string, unknown> {
  const kinds = fileKinds.filter((name) => managed.includes(name) || folder.kinds?.includes(name))
  const unknown: Record<string, string[]> = Object.fromEntries(
    Object.entries(folder.unknown).map(([name, paths]) => [name, [...paths]]),
  )
  for (const { kind, members } of project.objects.values()) {
    for (const path of members.keys()) {
      if (Object.hasOwn(kind.members, path) || unknown[kind.name]?.includes(path)) continue
      unknown[kind.name] = [...(unknown[kind.name] ?? []), path].toSorted()
    }
  }
  return {
    format: 1,
    kinds,
    ...(whole.length > 0 && { whole }),
    ...(Object.keys(unknown).length > 0 && { unknown }),
  }
}

/** Throws `input` (exit 2) where a pull would overwrite or remove what someone wrote. */
export function editedFiles({ folder, records }: OpenProject, { changed, removed }: Written, dir: string): void {
  const edited = [...changed.keys(), ...removed].filter((file) => {
    const text = folder.files.get(file)?.text
    if (text === undefined || (file === rootFile && !records.pulled.has(file))) return false
    return records.pulled.get(file) !== textChecksum(text)
  })
  if (edited.length === 0) return
  const files = edited.map((file) => join(dir, file)).join(', ')
  const message = `edited since the last pull from this project, and not overwritten: ${files}; nothing was written`
  throw new PromoError('input', EXIT.usage, message, {
    hint: `promo config diff ${dir} shows what differs; promo config pull ${dir} --force overwrites`,
  })
}

/** The recorded ids after a pull: those of what was read, and those of kinds that were not. */
export function idsAfter({ records, project, managed }: OpenProject): Map<string, string> {
  const wasRead = (address: string) => {
    const kind = kindAt(address)
    return kind !== undefined && managed.includes(kind.within?.parent ?? kind.name)
  }
  const others = [...records.ids].filter(([address]) => !wasRead(address))
  const ours = [...project.objects.values()].filter(({ kind }) => !kind.isSingle)
  return new Map([...others, ...ours.map(({ address, id }) => [address, id] as const)])
}

/** Writes the schemas that the first lines of files name, by which editors complete them. */
export async function writeSchemas({ root, folder }: OpenProject, managed: readonly string[]): Promise<void> {
  const { fileSchema } = await import('../../../config/json-schema.ts')
  for (const name of managed) {
    const path = join(root, schemaFile({ name }))
    const text = `${JSON.stringify(fileSchema(kindNamed(name), folder.unknown[name]))}\n`
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeWhole(path, text)
  }
}
