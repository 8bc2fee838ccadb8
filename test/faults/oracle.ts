// Compares what promo recorded with what the service really did.
// Source: docs/reliability.md#outcome-model; docs/reliability.md#oracle; docs/reliability.md#goals.
import type { RowState } from '../../src/bulk/summary.ts'
import type { Entry } from './ledger.ts'
import type { Effect } from './witnessed-service.ts'

/** The kinds of work: with a unique key, towards an end state, neither, and neither with a proof that rows may share. */
export type RowClass = 'create' | 'disable' | 'events' | 'points'

/** What promo recorded for one row. */
export interface Recorded {
  key: string
  state: RowState
  changed?: boolean | undefined
}

export interface Evidence {
  rowClass: RowClass
  /** The rows of the input, by the keys of the ledger. */
  keys: readonly string[]
  recorded: readonly Recorded[]
  ledger: readonly Entry[]
  /** Rows whose key another client has taken: after a lost answer the creator of the code cannot be known. */
  taken?: readonly string[]
  /** The most requests whose outcome cannot be known: ambiguous faults, and those in flight at a kill. */
  doubtful: number
}

/** The ways in which a record may be wrong. All but the last two concern one row. */
export const violationKinds = [
  'no outcome',
  'two outcomes',
  'not in the input',
  'recorded as ok, but not applied',
  'recorded as not applied, but applied',
  'applied twice',
  'unknown, though it could be known',
  'recorded as changed, but unchanged',
  'recorded as unchanged, but changed',
  'more unknown than doubtful requests',
  'more repeats than doubtful requests',
] as const

export type ViolationKind = (typeof violationKinds)[number]

export interface Judgement {
  /** Keys by kind of violation; empty when there are none. */
  violations: Partial<Record<ViolationKind, string[]>>
  /** Rows by recorded state. */
  states: Partial<Record<RowState, number>>
  /** Effects beyond the first of their row, where the class allows them. */
  repeats: number
  /** Unknown rows that were applied. */
  unknownApplied: number
}

/** The effect that proves that a row's work was done. */
const applies: Record<RowClass, readonly Effect[]> = {
  create: ['created'],
  // A success that found the voucher already disabled is as good: the end state was reached.
  disable: ['disabled', 'off already'],
  events: ['recorded'],
  points: ['points added'],
}

/** Judges a finished job. */
export function judge({ rowClass, keys, recorded, ledger, taken = [], doubtful }: Evidence): Judgement {
  const effectsOf = Map.groupBy(
    ledger.filter(({ effect }) => applies[rowClass].includes(effect)),
    ({ key }) => key,
  )
  const outcomesOf = Map.groupBy(recorded, ({ key }) => key)
  const judgement: Judgement = { violations: {}, states: {}, repeats: 0, unknownApplied: 0 }
  const accuse = (kind: ViolationKind, key: string) => {
    judgement.violations[kind] = [...(judgement.violations[kind] ?? []), key]
  }

  const isOfInput = new Set(keys)
  const isTaken = new Set(taken)
  for (const key of new Set([...outcomesOf.keys(), ...effectsOf.keys()])) {
    if (!isOfInput.has(key)) accuse('not in the input', key)
  }
  for (const key of keys) {
    const [outcome, ...more] = outcomesOf.get(key) ?? []
    const effects = effectsOf.get(key) ?? []
    const repeats = Math.max(0, effects.length - 1)
    if (more.length > 0) accuse('two outcomes', key)
    if (rowClass !== 'disable' && repeats > 0) accuse('applied twice', key)
    judgement.repeats += repeats
    if (outcome === undefined) accuse('no outcome', key)
    else {
      judgement.states[outcome.state] = (judgement.states[outcome.state] ?? 0) + 1
      const mayBeUnknown = rowClass === 'events' || rowClass === 'points' || isTaken.has(key)
      for (const kind of lies(outcome, effects, mayBeUnknown)) accuse(kind, key)
      if (outcome.state === 'unknown' && effects.length > 0) judgement.unknownApplied += 1
    }
  }
  const { unknown = 0 } = judgement.states
  if (unknown > doubtful) accuse('more unknown than doubtful requests', `${unknown} > ${doubtful}`)
  if (judgement.repeats > doubtful) {
    accuse('more repeats than doubtful requests', `${judgement.repeats} > ${doubtful}`)
  }
  return judgement
}

function lies({ state, changed }: Recorded, effects: readonly Entry[], mayBeUnknown: boolean): ViolationKind[] {
  const isApplied = effects.length > 0
  switch (state) {
    case 'ok':
    case 'ok_inferred':
      return isApplied ? falseChange(changed, effects) : ['recorded as ok, but not applied']
    case 'failed':
    case 'conflict':
    case 'exhausted':
      return isApplied ? ['recorded as not applied, but applied'] : []
    case 'unknown':
      return mayBeUnknown ? [] : ['unknown, though it could be known']
    case 'pending':
    case 'skipped':
    case 'duplicate':
      return ['no outcome']
  }
}

function falseChange(changed: boolean | undefined, effects: readonly Entry[]): ViolationKind[] {
  const isChanged = effects.some(({ effect }) => effect !== 'off already')
  if (changed === undefined || changed === isChanged) return []
  return [changed ? 'recorded as changed, but unchanged' : 'recorded as unchanged, but changed']
}

export interface UndoEvidence {
  /** The rows of the job, which disabled. */
  keys: readonly string[]
  /** Those that were off before the job. */
  wasOff: readonly string[]
  /** Of the job and of its undo. */
  ledger: readonly Entry[]
  /** For how many rows the undo said that it left them alone. */
  leftAlone: number
  /** The rows of which the job has not recorded whether it changed them: only these may be left alone. */
  unsure: readonly string[]
}

/** Judges the undo of a job: nothing that was off before may be on, and what is still off must have been announced. */
export function judgeUndo({ keys, wasOff, ledger, leftAlone, unsure }: UndoEvidence) {
  const switches = ledger.filter(({ effect }) => effect === 'disabled' || effect === 'enabled')
  const last = new Map(switches.map(({ key, effect }) => [key, effect]))
  const wasOffAtFirst = new Set(wasOff)
  const stillOff = keys.filter((key) => !wasOffAtFirst.has(key) && last.get(key) === 'disabled')
  const isUnsure = new Set(unsure)
  return {
    wronglyOn: wasOff.filter((key) => last.get(key) === 'enabled'),
    restored: keys.filter((key) => !wasOffAtFirst.has(key) && last.get(key) === 'enabled').length,
    silentlyOff: stillOff.length > leftAlone ? stillOff : stillOff.filter((key) => !isUnsure.has(key)),
  }
}

/** Describes each kind of violation in one line, with some of the keys; empty when there are none. */
export function violationLines({ violations }: Judgement): string[] {
  return violationKinds.flatMap((kind) => {
    const keys = violations[kind] ?? []
    return keys.length === 0 ? [] : [`${kind}: ${keys.length} (${keys.slice(0, 5).join(', ')})`]
  })
}
