// Finds kinds of objects by their names, and their parts.
import { declaredKinds } from './declared-kinds.ts'
import type { Kind } from './kind.ts'

/** Every kind, in the order in which objects are created; they are deleted in the reverse order. */
export const kinds: readonly Kind[] = declaredKinds.map((kind) => ({ computed: [], references: {}, ...kind }))

/** The kinds that have files of their own, as `--only` and promo.yaml name them. */
export const fileKinds: readonly string[] = kinds.filter(({ within }) => within === undefined).map(({ name }) => name)

const byName = new Map(kinds.map((kind) => [kind.name, kind]))

/** Finds a kind by its name. Throws for one that is not declared, which is a bug. */
export function kindNamed(name: string): Kind {
  const kind = byName.get(name)
  if (kind === undefined) throw new Error(`no kind is named ${name}`)
  return kind
}

/** One object of a kind, in words: `an earning rule`. */
export function oneOf({ noun }: Pick<Kind, 'noun'>): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

/** The kinds of which objects of this one consist. */
export function partsOf(kind: Kind): readonly Kind[] {
  return kinds.filter(({ within }) => within?.parent === kind.name)
}

/** The member of the parent's file that holds the parts of a kind: `tiers`. */
export function partName({ name }: Kind): string {
  return name.slice(name.indexOf('/') + 1)
}
