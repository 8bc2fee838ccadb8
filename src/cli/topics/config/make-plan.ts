// Makes the plan of a folder for the project of a profile.
import { join } from 'node:path'
import type { Client } from '../../../api/client.ts'
import { listNames } from '../../../base/name-list.ts'
import { formatCount } from '../../../base/numbers.ts'
import { argumentWords, shellWord } from '../../../base/shell-word.ts'
import type { Placed } from '../../../check/ignores.ts'
import { fingerprints, planSteps } from '../../../config/plan.ts'
import { type Plan, sealPlan } from '../../../config/plan-file.ts'
import type { ProjectObject, Read } from '../../../config/project.ts'
import { type Referrers, referrersOf } from '../../../config/referrers.ts'
import { rootFile } from '../../../config/root-file.ts'
import { takenNames } from '../../../config/taken-names.ts'
import { PromoError, usageError } from '../../../errors.ts'
import type { OpenProject, Surrounding } from './open.ts'
import { managedAddresses, withReferences } from './pull.ts'

/** What the plan says about itself. */
export interface PlanFacts {
  /** The folder, from that of the plan. */
  folder: string
  prune: readonly string[]
  now: number
  version: string
  /** Returns what promo check would find only after a plan. */
  find: (opened: OpenProject, nowMs: number) => Placed[]
  /** Campaigns whose codes an earlier apply left. */
  generations?: ReadonlySet<string> | undefined
}

/**
 * Makes a plan and says what is good to know about it.
 *
 * Throws `input` (exit 2) when the files ask for something that cannot be done, with every reason, and `config` (exit 4) when
 * files are of kinds that the keys cannot read.
 */
export async function makePlan(
  opened: OpenProject,
  { folder, prune, now, version, find, generations = new Set() }: PlanFacts,
  { client, messages }: Pick<Surrounding, 'client' | 'messages'>,
): Promise<Plan> {
  const { project, read, projectId, managed, whole } = opened
  const unread = [...opened.folder.objects.values()].find(({ kind }) => read.unreadable.includes(kind.name))
  if (unread !== undefined) {
    throw new PromoError('config', `${unread.file} cannot be compared: the profile has no management keys to read it`, {
      hint: `add the keys to the profile, or remove "${unread.kind.name}" from the kinds of promo.yaml`,
    })
  }
  const cut = prune.filter((kind) => opened.folder.partial.includes(kind))
  if (cut.length > 0) {
    const kinds = shellWord(cut.join(','))
    throw usageError(
      `--prune ${kinds} would delete what the folder does not manage: by ${rootFile} its files are a part of them`,
      `promo config pull ${argumentWords(opened.root)} --only ${kinds}`,
    )
  }
  const replaced = [...project.replaced.keys()]
  const old = new Set(project.replaced.values())
  const objects = [...project.objects.values()].filter(
    ({ kind, address }) => prune.includes(kind.name) || old.has(address),
  )
  const users = await outsideUsers(client, projectId, objects, read)
  const made = planSteps(opened.folder, project, { pruned: prune, replaced, users, generations })
  const taken = await takenNames(client, made.divergences)
  mustBePossible([...made.problems, ...taken.problems])
  for (const notice of [...opened.folder.unread, ...made.notices, ...taken.notices]) messages.say(notice)
  // What is deleted may be referred to by anything.
  const isPart = opened.folder.partial.length > 0 && !made.steps.some(({ act }) => act === 'delete')
  const part = isPart ? withReferences(project, managedAddresses(opened)) : project
  const adopted = [...project.objects.values()].filter(({ isAdopted }) => isAdopted).map(({ address }) => address)
  if (adopted.length > 0)
    messages.say(`${formatCount(adopted.length, 'object')} adopted by name: ${listNames(adopted, mostNamed)}`)
  const added = made.steps.length === 0 ? [] : find(opened, now)
  for (const { severity, rule, file, line, message } of added)
    messages.say(`${severity} ${rule} ${join(opened.root, String(file))}:${line}: ${message}`)
  const findings = added
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, object, message }) => `${rule} ${object}: ${message}`)
  return sealPlan({
    format: 1,
    project: projectId,
    folder,
    made_at: new Date(now).toISOString(),
    promo_version: version,
    managed,
    whole,
    ...(isPart && { partial: opened.folder.partial }),
    unreadable: read.unreadable,
    environment: Object.fromEntries(opened.folder.fromEnvironment),
    read: fingerprints(part.objects),
    adopted,
    ...(findings.length > 0 && { findings }),
    steps: made.steps,
  })
}

/**
 * Reads what refers to `objects`, which may be deleted, by the id of each, beside what was read with them. Throws `config` where the keys
 * cannot read that.
 */
export async function outsideUsers(
  client: Client,
  projectId: string,
  objects: readonly ProjectObject[],
  read: Pick<Read, 'kinds' | 'found'>,
): Promise<Referrers['users']> {
  if (objects.length === 0) return new Map()
  const ids = new Set(read.found.map(({ id }) => id))
  const { users, unreadable } = await referrersOf(client, projectId, objects, { kinds: read.kinds, ids })
  if (unreadable.length === 0) return users
  const message = `whether ${listNames(unreadable)} refer to what would be deleted cannot be read without management keys`
  throw new PromoError('config', message, { hint: 'set PROMO_MANAGEMENT_ID and PROMO_MANAGEMENT_TOKEN' })
}

const mostNamed = 5

function mustBePossible(problems: readonly string[]): void {
  if (problems.length === 0) return
  const many = `${problems.length} things that the files ask for cannot be done`
  const what = problems.length === 1 ? 'the files ask for something that cannot be done' : many
  throw new PromoError('input', [`${what}:`, ...problems].join('\n'), { hasLines: true })
}
