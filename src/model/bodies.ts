// The bodies of calls that create and change objects.
import type { Kind } from './kind.ts'
import { isPlain, isSame, type Members, memberOf, setAt } from './value.ts'

type Body = Record<string, unknown>

/** A member that differs. */
export interface Difference {
  member: string
  /** The value in the project; undefined where it has none, or the standard one. */
  before: unknown
  /** The value in the files. */
  after: unknown
}

/** Returns the body of a creation: the members, and the standard values of those that are needed. */
export function creationBody(kind: Kind, members: Members): Body {
  const body: Body = {}
  const needed = Object.entries(kind.members).filter(([path, { isNeeded }]) => isNeeded && !members.has(path))
  for (const [path, value] of [...members, ...needed.map(([path, { standard }]) => [path, standard] as const)]) {
    if (value !== undefined) setAt(body, memberOf(kind, path).createdAs ?? path, value)
  }
  return body
}

/** Returns the body of the update that makes these differences; `members` are those of the object as it is. */
export function updateBody(kind: Kind, differences: readonly Difference[], members: Members): Body {
  const body: Body = {}
  if (kind.isReplaced) {
    for (const [path, value] of members) setAt(body, path, value)
    for (const [path, { standard }] of Object.entries(kind.members)) {
      if (standard !== undefined && !members.has(path)) setAt(body, path, standard)
    }
  }
  for (const difference of differences) setAt(body, difference.member, sentValue(kind, difference))
  return body
}

/** What is sent for a member: complete, except that metadata is sent by key, and removed definitions are marked. */
function sentValue(kind: Kind, { member, before, after }: Difference): unknown {
  const { change, standard } = memberOf(kind, member)
  if (change !== 'metadata' && change !== 'definitions') return after ?? standard ?? null
  const was = isPlain(before) ? before : {}
  const will = isPlain(after) ? after : {}
  const removed = Object.keys(was).filter((name) => !Object.hasOwn(will, name))
  const ends = removed.map((name) => [name, change === 'metadata' ? null : { ...(was[name] as object), deleted: true }])
  if (change === 'definitions') return { ...will, ...Object.fromEntries(ends) }
  const changed = Object.entries(will).filter(
    ([name, value]) => !Object.hasOwn(was, name) || !isSame({}, was[name], value),
  )
  return Object.fromEntries([...changed, ...ends])
}
