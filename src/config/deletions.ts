// What a plan deletes: objects in whose place new ones are made, and objects without a file where that is asked for.
import { kinds } from '../model/kinds.ts'
import { addressesIn } from '../model/value.ts'
import { parentOf } from './addresses.ts'
import type { Folder } from './folder.ts'
import { type Identified, nameOf, type ProjectObject } from './project.ts'
import type { Referrers } from './referrers.ts'
import { aboutOf, type Draft, draftOf } from './steps.ts'

/**
 * Returns the addresses of the objects that are deleted once new ones are in their place. What holds codes or cards stays, with everything that is a part of it, and so
 * does what something else refers to.
 */
export function replacedObjects(
  folder: Folder,
  { objects, replaced }: Identified,
  addresses: readonly string[],
  users: Referrers['users'],
  notices: string[],
  problems: string[],
): string[] {
  return addresses.flatMap((address) => {
    const old = objects.get(replaced.get(address) ?? '')
    const file = folder.objects.get(address)
    if (old === undefined || file === undefined) return []
    const { kind } = old
    if (kind.isUnique && nameOf(old, new Map()) === file.name) {
      problems.push(`${address}: the new ${kind.noun} needs another name: the one it replaces keeps "${file.name}"`)
    }
    if (kind.holdsCodes) {
      notices.push(`${address}: a new ${kind.noun} is made; the one it replaces (${old.id}) stays, with its codes`)
      return []
    }
    const user = [...objects.values()].find(
      (other) =>
        !folder.objects.has(other.address) && [...other.members.values()].flatMap(addressesIn).includes(old.address),
    )
    const words = user?.address ?? users.get(old.id)?.[0]
    if (words !== undefined) {
      notices.push(`${address}: the ${kind.noun} it replaces (${old.id}) stays, because ${words} refers to it`)
      return []
    }
    return kind.calls.delete === undefined ? [] : [old.address]
  })
}

/** Drafts the deletion of objects, in the reverse of the order in which they are created; it is a problem where anything else refers to one. */
export function deletions(
  gone: readonly ProjectObject[],
  folder: Folder,
  { objects }: Identified,
  outside: Referrers['users'],
  before: readonly Draft[],
  problems: string[],
): Draft[] {
  const deleted = new Set(gone.map(({ address }) => address))
  const left = [...objects.values()].filter(({ address }) => !folder.objects.has(address) && !deleted.has(address))
  const users = new Map(
    [...folder.objects.values(), ...left].flatMap(({ address, members }) =>
      [...members.values()].flatMap(addressesIn).map((used) => [used, address] as const),
    ),
  )
  const rank = new Map(kinds.map((kind, index) => [kind, index]))
  return gone
    .filter(({ address, kind }) => kind.within === undefined || !deleted.has(parentOf(address)))
    .toSorted((a, b) => (rank.get(b.kind) ?? 0) - (rank.get(a.kind) ?? 0))
    .flatMap(({ address, id, kind, members }) => {
      const user = users.get(address) ?? outside.get(id)?.[0]
      if (user !== undefined) problems.push(`${address}: cannot be deleted while ${user} refers to it`)
      if (user !== undefined || kind.calls.delete === undefined) return []
      const changes = [...members].map(([member, value]) => ({ member, before: value, after: null }))
      return [draftOf('delete', aboutOf(address, kind), changes, { after: [...before] })]
    })
}
