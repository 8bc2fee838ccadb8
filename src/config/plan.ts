// The plan: what would make a project like the files, as an ordered list of calls.

import { byText } from '../base/list.ts'
import { listNames } from '../base/name-list.ts'
import { formatCount } from '../base/numbers.ts'
import { creationBody, type Difference, updateBody } from '../model/bodies.ts'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds.ts'
import {
  addressesIn,
  encodeValue,
  ForeignId,
  fingerprint,
  foreignIds,
  memberChangedBy,
  memberOf,
  type Reference,
} from '../model/value.ts'
import { folderOf, keyOf } from './addresses.ts'
import { compareWith, type Divergence } from './compare.ts'
import { deletions, replacedObjects } from './deletions.ts'
import type { Folder } from './folder.ts'
import { misspelt } from './misspelt.ts'
import type { Identified, ProjectObject } from './project.ts'
import type { Referrers } from './referrers.ts'
import { type About, aboutOf, type Draft, draftOf, inOrder, neededBy, type Step } from './steps.ts'

/** A plan before it is written. */
export interface Planned {
  steps: Step[]
  divergences: Divergence[]
  /** What cannot be done, as sentences. */
  problems: string[]
  /** What is good to know, as sentences. */
  notices: string[]
}

/** What a plan does beyond what the files say. */
export interface Extras {
  /** The kinds of which objects without a file are deleted. */
  pruned?: readonly string[]
  /** Addresses in place of whose objects new ones are made. */
  replaced?: readonly string[]
  /** By the id of an object, what of the kinds that are not managed refers to it, in words. */
  users?: Referrers['users']
  /** Addresses of campaigns that are there, and whose codes an earlier apply did not come to. */
  generations?: ReadonlySet<string>
}

/** Makes the plan that turns a project into what the files say. */
export function planSteps(
  folder: Folder,
  project: Identified,
  { pruned = [], replaced = [], users = new Map(), generations: left = new Set() }: Extras = {},
): Planned {
  const divergences = compareWith(folder, project)
  const problems = [...project.ambiguous]
  const notices = project.gone.map((address) => `${address}: the object it was is gone; a new one is made`)
  const drafts: Draft[] = []
  const createSteps = new Map<string, Draft>()
  const sameName = new Map<string, Draft>()
  const enableSteps: Draft[] = []
  const generations: Draft[] = []
  const withoutCodes: string[] = []

  for (const { address, file, object, differences } of divergences) {
    if (file === undefined) continue
    const { kind, generate } = file
    notices.push(...misspelt(file))
    const about = aboutOf(address, kind)
    if (object !== undefined) {
      const made = updates(about, kind, differences, object, problems)
      drafts.push(...made)
      if (kind.name === 'campaigns') notices.push(...codesNotice(object, made))
      continue
    }
    if (kind.calls.create === undefined) {
      problems.push(`${address}: ${kind.noun} cannot be created by a call`)
      continue
    }
    const { own, enable } = creation(about, kind, differences, hasParts(folder, address))
    const [create] = own
    const name = `${folderOf(address)} ${file.name}`
    create.elder = sameName.get(name)
    sameName.set(name, create)
    createSteps.set(address, create)
    drafts.push(...own)
    if (enable) enableSteps.push(enable)
    if (generate !== undefined) {
      // Last, when the campaign is as it should be, so that its codes are.
      generations.push(generation(about, generate, [...own, ...(enable ? [enable] : [])]))
      notices.push(`${address}: generates ${formatCount(generate, 'code')}`)
    } else if (kind.name === 'campaigns' && file.members.get('voucher.type') !== undefined) {
      withoutCodes.push(keyOf(address))
    }
  }
  notices.push(...foreignNotices(divergences, project))
  if (withoutCodes.length > 0) {
    const which = `${formatCount(withoutCodes.length, 'campaign')} without codes: ${listNames(withoutCodes)}`
    notices.push(`creates ${which}; "generate: N" in a file makes codes with its campaign`)
  }
  const ofParts = Map.groupBy(drafts, ({ parent }) => parent)
  for (const enable of enableSteps) enable.after.push(...(ofParts.get(enable.object) ?? []))
  drafts.push(...enableSteps)
  for (const address of left) {
    const { generate, kind } = folder.objects.get(address) ?? {}
    if (generate === undefined || kind === undefined || !project.objects.has(address)) continue
    const after = drafts.filter(({ object }) => object === address)
    generations.push(generation(aboutOf(address, kind), generate, after))
    notices.push(`${address}: generates ${formatCount(generate, 'code')}, which an earlier apply left`)
  }
  const ordered = inOrder([...drafts, ...generations], createSteps, problems)
  const replacements = replacedObjects(folder, project, replaced, users, notices, problems)
  const mayGo = ({ kind, address }: ProjectObject) => pruned.includes(kind.name) || replacements.includes(address)
  const gone = divergences.flatMap(({ state, object }) =>
    state === 'extra' && object && mayGo(object) ? [object] : [],
  )
  ordered.push(...deletions(gone, folder, project, users, ordered, problems))
  const numbers = new Map(ordered.map((draft, index) => [draft, index + 1]))
  const steps = ordered.map(({ refers, after, elder: _, ...step }, index): Step => {
    const needs = new Set(
      neededBy({ refers, after, ...step }, createSteps).map((draft) => numbers.get(draft) as number),
    )
    needs.delete(index + 1)
    return { step: index + 1, ...step, needs: [...needs].toSorted((a, b) => a - b) }
  })
  return { steps, divergences, problems, notices }
}

function hasParts(folder: Folder, address: string): boolean {
  return [...folder.objects.keys()].some((other) => other.startsWith(`${address}/`))
}

/** The differences that no call of a kind removes. */
export function unchangeable(kind: Kind, differences: readonly Difference[]): Difference[] {
  const changes = kind.calls.update === undefined ? ['fixed', 'put', 'metadata'] : ['fixed']
  return differences.filter(({ member }) => changes.includes(memberOf(kind, member).change))
}

/** A new object is switched on last, when it has all its rules and parts: nothing is live half made. */
function creation(about: About, kind: Kind, differences: readonly Difference[], isParent: boolean) {
  const members = new Map(differences.map(({ member, after }) => [member, after]))
  const [first, ...more] = (members.get('validation_rules') ?? []) as Rule[]
  if (first !== undefined) members.set('validation_rules', [first])
  const activity = memberChangedBy(kind, 'switch')
  const isLater = activity !== undefined && members.get(activity) !== false && (more.length > 0 || isParent)
  if (isLater) members.set(activity, false)
  const body = creationBody(kind, members)
  const made = [...members].map(([member, after]) => ({ member, before: undefined, after }))
  const sent = { body: encodeValue(kind.isArray ? [body] : body), refers: addressesIn(body) }
  const create = draftOf('create', about, made, sent)
  const others = more.map((rule) => assignment('assign', about, rule, [create]))
  const own: [Draft, ...Draft[]] = [create, ...others]
  return { own, enable: isLater ? draftSwitch('enable', about, [...own]) : undefined }
}

function draftSwitch(act: 'enable' | 'disable', about: About, after: Draft[] = []): Draft {
  return draftOf(act, about, [{ member: 'active', before: act === 'disable', after: act === 'enable' }], { after })
}

type Rule = Reference | ForeignId

function nameOfRule(rule: Rule): string {
  return rule instanceof ForeignId ? rule.id : rule.address
}

function assignment(act: 'assign' | 'unassign', about: About, rule: Rule, after: Draft[]): Draft {
  const [before, will] = act === 'assign' ? [null, rule] : [rule, null]
  const sent = { rule: nameOfRule(rule), refers: addressesIn(rule), after }
  return draftOf(act, about, [{ member: 'validation_rules', before, after: will }], sent)
}

/** Codes are generated for a new campaign only: more of them would be made by every apply otherwise. */
function generation(about: About, count: number, after: Draft[]): Draft {
  return draftOf('generate', about, [{ member: 'generate', before: null, after: count }], { after })
}

function updates(
  about: About,
  kind: Kind,
  differences: readonly Difference[],
  { members }: ProjectObject,
  problems: string[],
): Draft[] {
  const of = (...changes: string[]) =>
    differences.filter(({ member }) => changes.includes(memberOf(kind, member).change))
  for (const { member, before, after } of unchangeable(kind, differences)) {
    problems.push(
      `${about.object}: "${member}" cannot be changed once it is created (${showValue(before)} in the project, ${showValue(after)} in the file); --replace ${about.object} makes a new ${kind.noun}`,
    )
  }
  const made: Draft[] = []
  const sent = kind.calls.update === undefined ? [] : of('put', 'metadata', 'definitions', 'position')
  if (sent.length > 0) {
    const body = updateBody(kind, sent, members)
    made.push(draftOf('update', about, sent, { body: encodeValue(body), refers: addressesIn(body) }))
  }
  for (const { before, after } of of('rules')) {
    const [was, will] = [(before ?? []) as Rule[], (after ?? []) as Rule[]]
    const has = (list: readonly Rule[], rule: Rule) => list.some((one) => nameOfRule(one) === nameOfRule(rule))
    // The new rules are assigned before the old ones are removed, so that the object is never without.
    const added = will.filter((rule) => !has(was, rule)).map((rule) => assignment('assign', about, rule, []))
    const removed = was
      .filter((rule) => !has(will, rule))
      .map((rule) => assignment('unassign', about, rule, [...added]))
    made.push(...added, ...removed)
  }
  for (const { after } of of('switch')) {
    // What is switched off is off before it is changed, and what is switched on is on after it was.
    if (after === false) {
      const off = draftSwitch('disable', about)
      for (const other of made) other.after.push(off)
      made.unshift(off)
    } else made.push(draftSwitch('enable', about, [...made]))
  }
  return made
}

function showValue(value: unknown): string {
  const text = JSON.stringify(encodeValue(value)) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 79)}…` : text === 'null' ? 'nothing' : text
}

/** Ids that a step would write into the project, which it may not have. What it has there already is not named. */
function foreignNotices(divergences: readonly Divergence[], { objects }: Identified): string[] {
  const known = new Set(
    [...objects.values()].flatMap(({ kind, members }) => foreignIds(kind, members).map(({ id }) => id)),
  )
  return divergences.flatMap(({ address, file, differences }) => {
    if (file === undefined) return []
    const members = new Map(differences.map(({ member, after }) => [member, after]))
    const ids = [...new Set(foreignIds(file.kind, members).map(({ id }) => id))].filter((id) => !known.has(id))
    const what = ids.length === 1 ? 'is of something' : 'are of things'
    return ids.length === 0
      ? []
      : [`${address}: ${listNames(ids)} ${what} that the files do not have; does this project?`]
  })
}

/** Codes that exist keep what they have where the service does not let a change reach them. */
function codesNotice({ address, wire }: ProjectObject, made: readonly Draft[]): string[] {
  const count = Number(wire.vouchers_count ?? 0)
  if (count === 0 || !made.some(({ act }) => act === 'update')) return []
  return [`${address}: ${formatCount(count, 'code')} exist; those published or redeemed may keep their old values`]
}

/** The kinds of which a plan may delete objects. */
export const prunableKinds: readonly string[] = kinds
  .filter(({ calls }) => calls.delete !== undefined)
  .map(({ name }) => name)

/** The fingerprints of the members of each object, by which a later change is noticed. */
export function fingerprints(
  objects: Identified['objects'],
): Record<string, { id: string; members: Record<string, string> }> {
  const sorted = [...objects.values()].toSorted((a, b) => byText(a.address, b.address))
  return Object.fromEntries(
    sorted.map(({ address, id, kind, members }) => {
      const prints = [...members].map(([path, value]) => [path, fingerprint(value, memberOf(kind, path).form)])
      return [address, { id, members: Object.fromEntries(prints) }]
    }),
  )
}
