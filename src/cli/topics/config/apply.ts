// Applies a plan as a job: the project must still be what the plan read, then each step is a row.

import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Client } from '../../../api/client.ts'
import { isRepeatable } from '../../../api/outcome/retry.ts'
import { refuseSharedState } from '../../../base/files/privacy.ts'
import { listNames } from '../../../base/name-list.ts'
import { formatCount } from '../../../base/numbers.ts'
import { ownValue } from '../../../base/record.ts'
import { argumentWords, shellWord } from '../../../base/shell-word.ts'
import { placeOf, type Row } from '../../../bulk/input/row.ts'
import { readJournal } from '../../../bulk/journal/job.ts'
import { outcomesIn, type RecordedRow } from '../../../bulk/journal/outcome-store.ts'
import type { RowOutcome } from '../../../bulk/run.ts'
import { kindAt, wholeOf } from '../../../config/addresses.ts'
import { replacePlaceholders } from '../../../config/placeholders.ts'
import { fingerprints } from '../../../config/plan.ts'
import { type Plan, planAgain, readPlan, resolvedFolder } from '../../../config/plan-file.ts'
import { identify, readProject } from '../../../config/project.ts'
import { readRecords, textChecksum, writeIds } from '../../../config/records.ts'
import type { Step } from '../../../config/steps.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { PromoError } from '../../../errors.ts'
import { decodeValue, FromEnvironment, fingerprint, memberOf } from '../../../model/value.ts'
import { stepOutcomeColumns } from '../../../output/columns/plan.ts'
import type { BulkDefinition } from '../../bulk/definition.ts'
import { jobsIn } from '../../bulk/known-jobs.ts'
import type { Keeper } from '../../run/host.ts'
import { countedSteps } from './changes.ts'
import { outsideUsers } from './make-plan.ts'
import { configState } from './state.ts'
import { type Applying, callOfStep, requestOf, stepOf, stepsOf } from './step.ts'

/** A plan that is about to be applied. */
export interface OpenPlan extends Applying {
  path: string
  /** An earlier run may have applied some of it. */
  isResumed: boolean
  /** Takes up what earlier runs recorded. */
  resume: (rows: Iterable<RecordedRow>) => void
}

/**
 * Opens a plan: its file, the folder that new ids are recorded in, and what earlier runs did. `resends`: the user is asked whether what may
 * count twice is sent again.
 *
 * Throws `input` (exit 2) for a plan that cannot be used here.
 */
export async function openPlan(path: string, projectId: string, host: Keeper, resends = false): Promise<OpenPlan> {
  // What others could write there would be sent with this user's keys.
  if (dirname(path) === configState(host)) refuseSharedState(path)
  const plan = await readPlan(path, host.stop)
  if (plan.project !== projectId) {
    const message = `the plan "${path}" is for project ${plan.project}, and the profile leads to project ${projectId}; nothing was sent`
    throw new PromoError('input', message, { hint: `promo config apply ${argumentWords(resolvedFolder(path, plan))}` })
  }
  const root = resolvedFolder(path, plan)
  const fromEnvironment = environmentOf(path, plan, host)
  const folderIds = readRecords(root, projectId).ids
  const done = new Set<number>()
  const ids = new Map(Object.entries(plan.read).map(([address, { id }]) => [address, id]))
  const before = new Set(ids.values())
  const open: OpenPlan = {
    path,
    plan,
    folder: root,
    ids,
    fromEnvironment,
    done,
    resends,
    isResumed: false,
    resume(rows) {
      open.isResumed = true
      for (const { row, outcome } of rows) {
        const { step, act, object } = stepOf(row)
        if (outcome?.state === 'ok' || outcome?.state === 'ok_inferred') done.add(step)
        // What an earlier run of this plan created is recorded in the folder; until then the object that it replaces is.
        const id = act === 'create' ? folderIds.get(object) : undefined
        if (id !== undefined && !before.has(id)) ids.set(object, id)
      }
    },
    settled(step, id) {
      if (id !== undefined) ids.set(step.object, id)
      if (id !== undefined || step.act === 'delete') {
        record(root, projectId, (now) => (id === undefined ? now.delete(step.object) : now.set(step.object, id)))
      }
      done.add(step.step)
    },
  }
  return open
}

/** Changes the ids that a folder records. Throws `io` (exit 10), also where it was moved: what was recorded would be elsewhere. */
function record(root: string, projectId: string, change: (ids: Map<string, string>) => unknown): void {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new PromoError('io', `ids cannot be recorded in "${root}", which was moved or removed meanwhile`, {
      hint: `move it back; promo jobs resume latest`,
    })
  }
  const now = readRecords(root, projectId).ids
  change(now)
  writeIds(root, projectId, now)
}

/** Records the ids of the objects that the files of a plan are. Throws `io` (exit 10) where new ids cannot be recorded: then nothing is made. */
export function beginPlan({ plan, path }: OpenPlan): void {
  const isRecording = plan.steps.some(({ act }) => act === 'create' || act === 'delete')
  if (!isRecording && plan.adopted.length === 0) return
  record(resolvedFolder(path, plan), plan.project, (now) => {
    for (const address of plan.adopted) {
      const id = plan.read[address]?.id
      if (id !== undefined && !kindAt(address)?.isSingle) now.set(address, id)
    }
  })
}

/** Values of the environment are not in a plan: they must be what they were when it was made. Throws `input` (exit 2). */
function environmentOf(path: string, plan: Plan, host: Keeper) {
  const { environment } = plan
  for (const [name, sum] of Object.entries(environment)) {
    const value = ownValue(host.env, name)
    if (value !== undefined && textChecksum(value) === sum) continue
    const why = value === undefined ? 'is not set' : 'is not what it was when the plan was made'
    throw new PromoError('input', `the variable ${name}, which the plan uses, ${why}; nothing was sent`, {
      hint: `set it as it was, or make the plan again: ${planAgain(path, plan)}`,
    })
  }
  // Only those that the plan names, with the checksum of their values: nothing else of the environment is sent.
  const readVariable = (name: string) => (Object.hasOwn(environment, name) ? (ownValue(host.env, name) ?? '') : '')
  return (text: string) => new FromEnvironment(text, replacePlaceholders(text, readVariable))
}

/**
 * Throws `journal` (exit 9) when the project is not what the plan read: each object and member that moved is named, and
 * nothing was sent. What earlier runs of the plan changed is expected. Throws `config` (exit 4) where the keys cannot read
 * what the plan read.
 */
async function mustBeAsRead(open: OpenPlan, client: Client, host: Keeper): Promise<void> {
  const { plan, ids, isResumed } = open
  const wanted = new Map<string, string[]>()
  const made = madeBy(open).map(({ object }) => [object, { id: ids.get(object) ?? '' }] as const)
  for (const [address, { id }] of [...Object.entries(plan.read), ...made]) {
    const kind = kindAt(address)
    if (kind?.isCatalogue) wanted.set(kind.name, [...(wanted.get(kind.name) ?? []), id])
  }
  // What the keys could not read when the plan was made is no news, and what they cannot read now is not gone.
  const managed = plan.managed.filter((kind) => !plan.unreadable.includes(kind))
  const read = await readProject(client, plan.project, { managed, whole: plan.whole, wanted })
  if (read.unreadable.length > 0) {
    const message = `the plan read ${listNames(read.unreadable)}, which cannot be read without management keys; nothing was sent`
    throw new PromoError('config', message, { hint: 'set PROMO_MANAGEMENT_ID and PROMO_MANAGEMENT_TOKEN' })
  }
  const known = new Map(
    [...ids.keys()].flatMap((address) => {
      const kind = kindAt(address)
      return kind === undefined ? [] : [[address, { kind, name: undefined }] as const]
    }),
  )
  const { objects } = identify(read, known, ids)
  const now = fingerprints(objects)
  const gone = madeBy(open).filter(({ object }) => now[object] === undefined)
  const deleted = plan.steps.flatMap(({ act, object }) => (act === 'delete' ? (objects.get(object) ?? []) : []))
  const users = await outsideUsers(client, plan.project, deleted, read)
  const moved = [
    ...movedObjects(open, now),
    ...gone.map(({ object }) => `${object} is gone`),
    ...deleted.flatMap(({ address, id }) => users.get(id)?.map((user) => `${user} refers to ${address}`) ?? []),
  ]
  if (moved.length === 0) return
  const shown = moved.slice(0, 10).join('; ')
  const more = moved.length > 10 ? `; and ${moved.length - 10} more` : ''
  const when = isResumed ? ', by someone else,' : ''
  throw new PromoError(
    'journal',
    `the project has changed${when} since the plan was made: ${shown}${more}; nothing was sent`,
    { hint: withNewPlan(open, host) },
  )
}

/** The command that goes on once the project has changed: a plan of a folder is promo's own, and nobody has its path. */
function withNewPlan({ path, plan, isResumed }: OpenPlan, host: Keeper): string {
  if (dirname(path) !== configState(host)) return planAgain(path, plan)
  return `promo config ${isResumed ? 'apply' : 'diff'} ${shellWord(resolvedFolder(path, plan))}`
}

/** The steps of earlier runs of a plan that created something. */
function madeBy({ plan, done }: OpenPlan) {
  return plan.steps.filter(({ act, step }) => act === 'create' && done.has(step))
}

type Prints = ReturnType<typeof fingerprints>

function movedObjects({ plan, isResumed, fromEnvironment, ids }: OpenPlan, now: Prints): string[] {
  const steps = Map.groupBy(plan.steps, ({ object }) => object)
  const createdKinds = new Set(plan.steps.filter(({ act }) => act === 'create').map(({ kind }) => kind))
  const moved: string[] = []
  for (const [address, { id, members }] of Object.entries(plan.read)) {
    const there = now[address]
    const own = isResumed ? (steps.get(address) ?? []) : []
    if (there === undefined || there.id !== id) {
      if (!own.some(({ act }) => act === 'delete')) moved.push(`${address} is gone`)
      continue
    }
    const kind = kindAt(address)
    const paths = new Set([...Object.keys(members), ...Object.keys(there.members)])
    const different = [...paths].filter((path) => {
      if (members[path] === there.members[path]) return false
      if (!isResumed || kind === undefined) return true
      const { change, form, standard } = memberOf(kind, path)
      if (change === 'position') return false
      if (change === 'rules') return !own.some(({ act }) => act === 'assign' || act === 'unassign')
      // As a step of this plan leaves it, whether its answer arrived or not.
      return !own.some(({ changes }) =>
        changes.some(({ member, after }) => {
          if (member !== path) return false
          const value = decodeValue(after, fromEnvironment) ?? standard
          return fingerprint(value, form) === (there.members[path] ?? fingerprint(standard, form))
        }),
      )
    })
    if (different.length > 0) moved.push(`${address} (${different.join(', ')})`)
  }
  for (const address of Object.keys(now)) {
    if (plan.read[address] !== undefined) continue
    const whole = wholeOf(address)
    if (plan.partial?.includes(whole.split('/')[0] ?? '') && plan.read[whole] === undefined && !steps.has(whole))
      continue
    const kind = kindAt(address)
    // An object that a step made, recorded or not: its answer may have been lost.
    const isOurs = isResumed && (ids.has(address) || (kind !== undefined && createdKinds.has(kind.name)))
    if (!isOurs) moved.push(`${address} is new`)
  }
  return moved
}

/** Defines the job of a plan: a row for each step, one after the other. */
export function jobOfPlan(open: OpenPlan, host: Keeper): BulkDefinition<Endpoint> {
  const { plan, path } = open
  const known = new Map(Object.entries(plan.read).map(([address, { id }]) => [address, id]))
  // Not its path: the checksum of a plan is its own, and not that of its file.
  const input = `plan ${plan.checksum}`
  const { confirm: _, ...call } = callOfStep(plan.steps[0] as Step)
  // A step looks before it sends, and what may count twice is never sent again by itself.
  const endpoint: Endpoint = {
    ...call,
    repeat: 'idempotent',
    ...(plan.steps.some(({ act }) => act === 'delete') && { confirm: 'final' }),
  }
  return {
    words: { noun: 'step', verb: 'apply', done: 'applied', unchanged: 'applied already', key: 'object' },
    endpoint,
    callOf: (row) => callOfStep(stepOf(row)),
    // The same in every run of the job: what its steps create has no id in it.
    request: (row) => requestOf(stepOf(row), { ...open, ids: known }) as never,
    onDuplicate: 'keep',
    forms: (common) => ({ ...common, columns: stepOutcomeColumns, record: outcomeOf }),
    action(rows) {
      const isDoubtful = (row: Row) => row.past?.lost && !isRepeatable(callOfStep(stepOf(row)).repeat)
      const doubtful = open.resends ? [...rows].filter(isDoubtful).length : 0
      const twice = `, of which ${formatCount(doubtful, 'step')} may have been applied before and would then count twice`
      return `apply ${formatCount(plan.steps.length, 'step')} (${countedSteps(plan.steps)})${doubtful > 0 ? twice : ''}`
    },
    act: stepsOf(open),
    forRows: async () => ({
      endpoint,
      planFacts: undefined,
      async examine({ client }, recorded) {
        // Also a job that is over, which the plan is applied after once more.
        for (const { file, header } of await jobsIn(host))
          if (header?.input === input) open.resume(readJournal(file.path, (database) => outcomesIn(database).all()))
        if (recorded) open.resume(recorded)
        await mustBeAsRead(open, client, host)
        beginPlan(open)
      },
    }),
    input: {
      read: () => ({
        rows: plan.steps.map(rowOf),
        name: path,
        input,
        sha256: () => plan.checksum,
        sha256Now: async () => plan.checksum,
        placeOf,
        layout: () => ({ place: open.folder }),
      }),
      told: () => undefined,
    },
  }
}

function outcomeOf({ row, state, changed, error, requestId, attempts, value }: RowOutcome): object {
  const { step, act, object } = stepOf(row)
  return {
    t: 'item',
    step,
    act,
    object,
    state,
    ...(changed !== undefined && { changed }),
    ...(value as object | undefined),
    ...(error !== undefined && { error: { kind: error.kind, message: error.message, ...error.facts } }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(attempts !== undefined && { attempts }),
  }
}

function rowOf(step: Step): Row {
  return { line: step.step, key: step.object, fields: Object.assign(Object.create(null), step) }
}
