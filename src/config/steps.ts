// The steps of a plan, and their order.
import { z } from 'zod'
import { generateCampaignVouchers } from '../contract/campaigns.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { assignValidationRule, unassignValidationRule } from '../contract/validation-rules.ts'
import type { Difference } from '../model/bodies.ts'
import type { Kind } from '../model/kind.ts'
import { kindNamed } from '../model/kinds.ts'
import { encodeValue } from '../model/value.ts'
import { parentOf } from './addresses.ts'

const acts = ['create', 'update', 'enable', 'disable', 'assign', 'unassign', 'generate', 'delete'] as const

/** One call of a plan, as JSON. References are `{"$ref": address}`. */
export const stepForm = z.strictObject({
  /** From 1, in the order of the calls. */
  step: z.int().min(1),
  act: z.enum(acts),
  object: z.string(),
  kind: z.string(),
  /** The id of the declared call, which follows from act and kind; for readers. */
  call: z.string(),
  /** The object that this one is a part of. */
  parent: z.string().optional(),
  body: z.unknown().optional(),
  /** Of an assignment: the rule, by its address, or by its id where the files do not have it. */
  rule: z.string().optional(),
  /** What the step changes, with the values before and after. */
  changes: z.array(
    z.strictObject({ member: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }),
  ),
  /** The steps that must have been applied before. */
  needs: z.array(z.int()),
})
export type Step = z.infer<typeof stepForm>

/** What a step does to its object. */
export type Act = Step['act']

/** Returns the call of an act on an object of a kind; undefined where the service has none. */
export function callFor(kind: Kind, act: Act): Endpoint | undefined {
  if (act === 'assign') return assignValidationRule
  if (act === 'unassign') return unassignValidationRule
  return act === 'generate' ? generateCampaignVouchers : kind.calls[act]
}

/** A step before its place is known. */
export interface Draft extends Omit<Step, 'step' | 'needs'> {
  /** Objects that this step refers to. */
  refers: string[]
  /** Drafts that come first. */
  after: Draft[]
  /** Makes an object of the same name, which is the older one where both can be made in that order. */
  elder?: Draft | undefined
}

/** The object of a step. */
export type About = Pick<Step, 'object' | 'kind' | 'parent'>

/** Returns what every step of an object says about it. */
export function aboutOf(address: string, { name, within }: Kind): About {
  return { object: address, kind: name, ...(within && { parent: parentOf(address) }) }
}

/** Drafts a step. */
export function draftOf(
  act: Act,
  about: About,
  differences: readonly Difference[],
  { refers = [], after = [], ...sent }: Partial<Pick<Draft, 'body' | 'rule' | 'refers' | 'after'>> = {},
): Draft {
  const { id } = callFor(kindNamed(about.kind), act) as Endpoint
  const changes = differences.map(({ member, before, after: will }) => ({
    member,
    before: encodeValue(before),
    after: encodeValue(will),
  }))
  return { act, ...about, call: id, ...sent, changes, refers, after }
}

/** The drafts that a draft waits for; `makers` create the objects at their addresses. */
export function neededBy(
  { refers, after, parent, object }: Pick<Draft, 'refers' | 'after' | 'parent' | 'object'>,
  makers: ReadonlyMap<string, Draft>,
): Draft[] {
  return [...after, ...[...refers, parent, object].flatMap((address) => makers.get(address ?? '') ?? [])]
}

/**
 * Orders drafts so that each comes after those it needs; a circle is a problem.
 *
 * Whatever need not wait keeps its place, and an object waits for the one before it of the same name: their keys go by their age,
 * so the copy has them as the files do.
 */
export function inOrder(drafts: readonly Draft[], makers: ReadonlyMap<string, Draft>, problems: string[]): Draft[] {
  const ordered: Draft[] = []
  const done = new Set<Draft>()
  const open = new Set<Draft>()
  let left = drafts
  const take = (isNext: (draft: Draft) => boolean) => {
    for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
      before = left.length
      left = left.filter((draft) => {
        if (!isNext(draft) || neededBy(draft, makers).some((other) => other !== draft && !done.has(other))) return true
        done.add(draft)
        ordered.push(draft)
        return false
      })
    }
  }
  take(({ elder }) => elder === undefined || done.has(elder))
  // One that the elder waits for.
  take(() => true)
  const visit = (draft: Draft): void => {
    if (done.has(draft)) return
    if (open.has(draft)) {
      problems.push(`${draft.object}: it refers to an object that refers to it, and neither can be created first`)
      return
    }
    open.add(draft)
    for (const other of neededBy(draft, makers)) if (other !== draft) visit(other)
    open.delete(draft)
    done.add(draft)
    ordered.push(draft)
  }
  for (const draft of left) visit(draft)
  return ordered
}
