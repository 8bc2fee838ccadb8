// The plan: what would make a project like the files, as an ordered list of calls.
import { counted } from '../base/grouped.ts'
import { listed } from '../base/listed.ts'
import { generateCampaignVouchers } from '../contract/campaigns.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { assignValidationRule, unassignValidationRule } from '../contract/validation-rules.ts'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds.ts'
import {
  encodeValue,
  ForeignId,
  fingerprint,
  foreignIds,
  isPlain,
  type Members,
  memberOf,
  type Reference,
  referencesIn,
  setAt,
} from '../model/value.ts'
import { compareWith, type Difference, type Divergence } from './compare.ts'
import type { Folder } from './folder.ts'
import { misspelt } from './misspelt.ts'
import { folderOf, type Identified, keyOf, nameOf, type ProjectObject, type Referrers } from './project.ts'

/** What a step does to its object. */
export type Act = (typeof acts)[number]
/** Every act. */
export const acts = ['create', 'update', 'enable', 'disable', 'assign', 'unassign', 'generate', 'delete'] as const

/** One call of a plan, as JSON. References are `{"$ref": address}`. */
export interface Step {
  /** From 1, in the order of the calls. */
  step: number
  act: Act
  object: string
  kind: string
  /** The id of the declared call, which follows from act and kind; for readers. */
  call: string
  /** The object that this one is a part of. */
  parent?: string
  body?: unknown
  /** Of an assignment: the rule, by its address, or by its id where the files do not have it. */
  rule?: string
  /** What the step changes, with the values before and after. */
  changes: { member: string; before: unknown; after: unknown }[]
  /** The steps that must have been applied before. */
  needs: number[]
}

/** A plan before it is written. */
export interface Planned {
  steps: Step[]
  divergences: Divergence[]
  /** What cannot be done, as sentences. */
  problems: string[]
  /** What is good to know, as sentences. */
  notices: string[]
}

interface Draft extends Omit<Step, 'step' | 'needs'> {
  /** Objects that this step refers to. */
  refers: string[]
  /** Drafts that come first. */
  after: Draft[]
  /** Makes an object of the same name, which is the older one where both can be made in that order. */
  elder?: Draft | undefined
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
  const partCreated = new Map<string, Draft[]>()
  const noteParts = (address: string, made: readonly Draft[]) => {
    const parent = folderOf(folderOf(address))
    partCreated.set(parent, [...(partCreated.get(parent) ?? []), ...made])
  }

  for (const divergence of divergences) {
    const { state, address, file, object, differences } = divergence
    if (state === 'extra') continue
    const kind = (file as { kind: Kind }).kind
    notices.push(...(file === undefined ? [] : misspelt(file)))
    const parent = kind.within === undefined ? {} : { parent: folderOf(folderOf(address)) }
    const about = { object: address, kind: kind.name, ...parent }
    if (state === 'create') {
      if (kind.calls.create === undefined) {
        problems.push(`${address}: ${kind.noun} cannot be created by a call`)
        continue
      }
      const made = creation(about, kind, differences, hasParts(folder, address))
      createSteps.set(address, made.create)
      const name = `${folderOf(address)} ${file?.name}`
      made.create.elder = sameName.get(name)
      sameName.set(name, made.create)
      const own = [made.create, ...made.others]
      drafts.push(...own)
      if (made.enable) enableSteps.push(made.enable)
      if (kind.within) noteParts(address, own)
      const { generate } = file ?? {}
      if (generate !== undefined) {
        // Last, when the campaign is as it should be, so that its codes are.
        const codes = generation(about, generate, [...own, ...(made.enable ? [made.enable] : [])])
        generations.push(codes)
        notices.push(`${address}: generates ${counted(generate, 'code')}`)
      } else if (kind.name === 'campaigns' && file?.members.get('voucher.type') !== undefined) {
        withoutCodes.push(keyOf(address))
      }
      continue
    }
    const made = updates(about, kind, differences, object as ProjectObject, problems)
    drafts.push(...made)
    if (kind.within) noteParts(address, made)
    if (kind.name === 'campaigns') notices.push(...codesNotice(address, object as ProjectObject, made))
  }
  notices.push(...foreignNotices(divergences, project))
  if (withoutCodes.length > 0) {
    const which = `${counted(withoutCodes.length, 'campaign')} without codes: ${listed(withoutCodes)}`
    notices.push(`creates ${which}; "generate: N" in a file makes codes with its campaign`)
  }
  for (const finisher of enableSteps) {
    finisher.after.push(...(partCreated.get(finisher.object) ?? []))
    drafts.push(finisher)
  }
  for (const address of left) {
    const { generate, kind } = folder.objects.get(address) ?? {}
    if (generate === undefined || kind === undefined || !project.objects.has(address)) continue
    const after = drafts.filter(({ object }) => object === address)
    generations.push(generation({ object: address, kind: kind.name }, generate, after))
    notices.push(`${address}: generates ${counted(generate, 'code')}, which an earlier apply left`)
  }
  drafts.push(...generations)
  const ordered = inOrder(drafts, createSteps, problems)
  const replacements = replacedObjects(folder, project, { replaced, users }, problems, notices)
  const extras = { pruned, replaced: replacements, users }
  ordered.push(...deletions(divergences, folder, project, extras, problems, ordered))
  const numbers = new Map(ordered.map((draft, index) => [draft, index + 1]))
  const steps = ordered.map(({ refers, after, elder: _, ...step }, index): Step => {
    const makersOf = [...refers, ...(step.parent === undefined ? [] : [step.parent])].flatMap((address) => {
      const maker = createSteps.get(address)
      return maker === undefined ? [] : [maker]
    })
    const first = createSteps.get(step.object)
    const all = [...after, ...makersOf, ...(first ? [first] : [])].map((draft) => numbers.get(draft) as number)
    return {
      step: index + 1,
      ...step,
      needs: [...new Set(all.filter((n) => n !== index + 1))].toSorted((a, b) => a - b),
    }
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

type About = Pick<Step, 'object' | 'kind' | 'parent'>

/** A new object is switched on last, when it has all its rules and parts: nothing is live half made. */
function creation(about: About, kind: Kind, differences: readonly Difference[], isParent: boolean) {
  const members = new Map(differences.map(({ member, after }) => [member, after]))
  const rules = (members.get('validation_rules') ?? []) as unknown[]
  const [first, ...more] = rules
  if (first !== undefined) members.set('validation_rules', [first])
  const activity = Object.entries(kind.members).find(([, { change }]) => change === 'switch')?.[0]
  const isLater = activity !== undefined && members.get(activity) !== false && (more.length > 0 || isParent)
  if (activity !== undefined && isLater) members.set(activity, false)
  const body: Record<string, unknown> = {}
  for (const [path, value] of members)
    if (value !== undefined) setAt(body, kind.members[path]?.createdAs ?? path, value)
  for (const [path, { standard, isNeeded, createdAs }] of Object.entries(kind.members)) {
    if (isNeeded && !members.has(path)) setAt(body, createdAs ?? path, standard)
  }
  const create: Draft = {
    act: 'create',
    ...about,
    call: (kind.calls.create as Endpoint).id,
    body: encodeValue(kind.isArray ? [body] : body),
    changes: changesOf([...members].map(([member, after]) => ({ member, before: undefined, after }))),
    refers: referencesIn(body).map(({ address }) => address),
    after: [],
  }
  const others = more.map((rule) => assignment('assign', about, rule as Rule, [create]))
  const enable: Draft | undefined = isLater
    ? { ...switchDraft('enable', about, kind), after: [create, ...others] }
    : undefined
  return { create, others, enable }
}

function switchDraft(act: 'enable' | 'disable', about: About, kind: Kind): Draft {
  const before = act !== 'enable'
  const changes = [{ member: 'active', before, after: !before }]
  return { act, ...about, call: (kind.calls[act] as Endpoint).id, changes, refers: [], after: [] }
}

type Rule = Reference | ForeignId

function nameOfRule(rule: Rule): string {
  return rule instanceof ForeignId ? rule.id : rule.address
}

function assignment(act: 'assign' | 'unassign', about: About, rule: Rule, after: Draft[]): Draft {
  const changes = [
    act === 'assign'
      ? { member: 'validation_rules', before: null, after: encodeValue(rule) }
      : { member: 'validation_rules', before: encodeValue(rule), after: null },
  ]
  const refers = referencesIn(rule).map(({ address }) => address)
  return { act, ...about, call: `validation-rules.${act}`, rule: nameOfRule(rule), changes, refers, after }
}

/** Codes are generated for a new campaign only: more of them would be made by every apply otherwise. */
function generation(about: About, count: number, after: Draft[]): Draft {
  const changes = [{ member: 'generate', before: null, after: count }]
  return { act: 'generate', ...about, call: generateCampaignVouchers.id, changes, refers: [], after }
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
    made.push({
      act: 'update',
      ...about,
      call: (kind.calls.update as Endpoint).id,
      body: encodeValue(body),
      changes: changesOf(sent),
      refers: referencesIn(body).map(({ address }) => address),
      after: [],
    })
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
    const one = switchDraft(after === false ? 'disable' : 'enable', about, kind)
    // What is switched off is off before it is changed, and what is switched on is on after it was.
    if (after === false) {
      for (const other of made) other.after.push(one)
      made.unshift(one)
    } else made.push({ ...one, after: [...made] })
  }
  return made
}

/** Returns the body of the update that makes these differences; `members` are those of the object as it is. */
export function updateBody(kind: Kind, differences: readonly Difference[], members: Members): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  if (kind.isReplaced) {
    for (const [path, value] of members) setAt(body, path, value)
    for (const [path, { standard }] of Object.entries(kind.members)) {
      if (standard !== undefined && !members.has(path)) setAt(body, path, standard)
    }
  }
  for (const difference of differences)
    setAt(body, memberOf(kind, difference.member).putAs ?? difference.member, sentValue(kind, difference))
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
    ([name, value]) => !Object.hasOwn(was, name) || fingerprint(was[name]) !== fingerprint(value),
  )
  return Object.fromEntries([...changed, ...ends])
}

function changesOf(differences: readonly Difference[]): Step['changes'] {
  return differences.map(({ member, before, after }) => ({
    member,
    before: encodeValue(before),
    after: encodeValue(after),
  }))
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
    return ids.length === 0 ? [] : [`${address}: ${listed(ids)} ${what} that the files do not have; does this project?`]
  })
}

/** Codes that exist keep what they have where the service does not let a change reach them. */
function codesNotice(address: string, { wire }: ProjectObject, made: readonly Draft[]): string[] {
  const count = Number(wire.vouchers_count ?? 0)
  if (count === 0 || !made.some(({ act }) => act === 'update')) return []
  return [`${address}: ${counted(count, 'code')} exist; those published or redeemed may keep their old values`]
}

/**
 * Orders drafts so that each comes after those it needs; a circle is a problem.
 *
 * Whatever need not wait keeps its place, and an object waits for the one before it of the same name: their keys go by their age,
 * so the copy has them as the files do.
 */
function inOrder(drafts: readonly Draft[], makers: ReadonlyMap<string, Draft>, problems: string[]): Draft[] {
  const ordered: Draft[] = []
  const done = new Set<Draft>()
  const open = new Set<Draft>()
  const neededBy = (draft: Draft) => {
    const addresses = [...draft.refers, draft.parent, draft.object]
    const all = [...draft.after, ...addresses.flatMap((address) => makers.get(address ?? '') ?? [])]
    return all.filter((other) => other !== draft)
  }
  let left = drafts
  const take = (isNext: (draft: Draft) => boolean) => {
    for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
      before = left.length
      left = left.filter((draft) => {
        if (!isNext(draft) || neededBy(draft).some((other) => !done.has(other))) return true
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
    for (const other of neededBy(draft)) visit(other)
    open.delete(draft)
    done.add(draft)
    ordered.push(draft)
  }
  for (const draft of left) visit(draft)
  return ordered
}

/**
 * The objects that are deleted once new ones are in their place. What holds codes or cards stays, with everything that is a part of it, and so
 * does what something else refers to.
 */
function replacedObjects(
  folder: Folder,
  { objects, replaced }: Identified,
  { replaced: addresses, users }: Pick<Required<Extras>, 'replaced' | 'users'>,
  problems: string[],
  notices: string[],
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
        !folder.objects.has(other.address) && [...other.members.values()].some((value) => refersTo(value, old.address)),
    )
    const words = user?.address ?? users.get(old.id)?.[0]
    if (words !== undefined) {
      notices.push(`${address}: the ${kind.noun} it replaces (${old.id}) stays, because ${words} refers to it`)
      return []
    }
    return kind.calls.delete === undefined ? [] : [old.address]
  })
}

function refersTo(value: unknown, address: string): boolean {
  return referencesIn(value).some((reference) => reference.address === address)
}

function deletions(
  divergences: readonly Divergence[],
  folder: Folder,
  { objects }: Identified,
  { pruned, replaced, users: outside }: Required<Omit<Extras, 'generations'>>,
  problems: string[],
  before: readonly Draft[],
): Draft[] {
  const rank = new Map(kinds.map((kind, index) => [kind.name, index]))
  const extra = divergences.flatMap(({ state, object }) => (state === 'extra' && object ? [object] : []))
  const gone = extra.filter(({ kind, address }) => pruned.includes(kind.name) || replaced.includes(address))
  const deleted = new Set(gone.map(({ address }) => address))
  const users = new Map<string, string>()
  const note = (address: string, members: Iterable<unknown>) => {
    for (const value of members) for (const reference of referencesIn(value)) users.set(reference.address, address)
  }
  for (const { address, members } of folder.objects.values()) note(address, members.values())
  for (const { address, members } of objects.values()) {
    if (!folder.objects.has(address) && !deleted.has(address)) note(address, members.values())
  }
  const made: Draft[] = []
  const wholes = gone.filter(
    ({ address, kind }) => kind.within === undefined || !deleted.has(folderOf(folderOf(address))),
  )
  for (const object of wholes.toSorted((a, b) => (rank.get(b.kind.name) ?? 0) - (rank.get(a.kind.name) ?? 0))) {
    const { address, kind } = object
    const user = users.get(address) ?? outside.get(object.id)?.[0]
    if (user !== undefined) {
      problems.push(`${address}: cannot be deleted while ${user} refers to it`)
      continue
    }
    if (kind.calls.delete === undefined) continue
    const parent = kind.within === undefined ? {} : { parent: folderOf(folderOf(address)) }
    const changes = [...object.members].map(([member, value]) => ({ member, before: encodeValue(value), after: null }))
    made.push({
      act: 'delete',
      object: address,
      kind: kind.name,
      ...parent,
      call: kind.calls.delete.id,
      changes,
      refers: [],
      after: [...before],
    })
  }
  return made
}

/** The kinds of which a plan may delete objects. */
export const prunableKinds: readonly string[] = kinds
  .filter(({ calls }) => calls.delete !== undefined)
  .map(({ name }) => name)

/** The fingerprints of the members of each object, by which a later change is noticed. */
export function fingerprints(
  objects: Identified['objects'],
): Record<string, { id: string; members: Record<string, string> }> {
  const sorted = [...objects.values()].toSorted((a, b) => (a.address < b.address ? -1 : 1))
  return Object.fromEntries(
    sorted.map(({ address, id, kind, members }) => {
      const prints = [...members].map(([path, value]) => [path, fingerprint(value, memberOf(kind, path).form)])
      return [address, { id, members: Object.fromEntries(prints) }]
    }),
  )
}

/** Returns the call of an act on an object of a kind; undefined where the service has none. */
export function callFor(kind: Kind, act: Act): Endpoint | undefined {
  if (act === 'assign') return assignValidationRule
  if (act === 'unassign') return unassignValidationRule
  return act === 'generate' ? generateCampaignVouchers : kind.calls[act]
}
