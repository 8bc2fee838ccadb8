// A plan as a file: reviewed, committed, and applied by someone else. It holds values, and no secrets.
import { statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { z } from 'zod'
import { readNamed } from '../base/files/named-file.ts'
import { deepestNesting, readJson } from '../base/nesting.ts'
import { isRecord } from '../base/record.ts'
import { argumentWords, shellWord } from '../base/shell-word.ts'
import { readReasonOf } from '../base/sqlite.ts'
import { sanitizeJson } from '../base/text/sanitize.ts'
import { PromoError } from '../errors.ts'
import { fileKinds, kindNamed } from '../model/kinds.ts'
import { kindAt } from './addresses.ts'
import { keyGrammar } from './names.ts'
import { textChecksum } from './records.ts'
import { callFor, stepForm } from './steps.ts'

const texts = z.record(z.string(), z.string())
const form = z.strictObject({
  format: z.literal(1),
  /** The only project that it can be applied to. */
  project: z.string(),
  /** The folder it was made from, from that of the plan: new ids are recorded there. */
  folder: z.string(),
  made_at: z.string(),
  promo_version: z.string(),
  /** What was read: the same is read before it is applied. */
  managed: z.array(z.enum(fileKinds)).readonly(),
  whole: z.array(z.string()).readonly(),
  /** Kinds of which only a part was planned: other objects of theirs may change. */
  partial: z.array(z.string()).readonly().optional(),
  unreadable: z.array(z.string()),
  /** Values of the environment that steps use: the SHA-256 of each. */
  environment: texts,
  /** Every object that was read, with the fingerprints of its members. */
  read: z.record(z.string(), z.strictObject({ id: z.string(), members: texts })),
  /** Objects that were recognized by their names, and whose ids are recorded when the plan is applied. */
  adopted: z.array(z.string()),
  /** Errors of promo check that the project would have only after it, in words. */
  findings: z.array(z.string()).optional(),
  steps: z.array(stepForm),
})

/** A plan as it is kept. Its checksum is the SHA-256 of everything else: a plan is made by promo and not edited. */
export type Plan = z.infer<typeof form> & { checksum: string }

/** Completes a plan by its checksum. */
export function sealPlan(plan: Omit<Plan, 'checksum'>): Plan {
  return { ...plan, checksum: textChecksum(JSON.stringify(plan)) }
}

/** The text of the file of a plan. */
export function planText(plan: Plan): string {
  return `${sanitizeJson(JSON.stringify(plan, null, 1))}\n`
}

/** The path of a folder as a plan keeps it. */
export function folderOfPlan(path: string, folder: string): string {
  return relative(dirname(resolve(path)), resolve(folder)) || '.'
}

/** The folder that a plan was made from. Throws `input` (exit 2) when it is not there. */
export function resolvedFolder(path: string, { folder }: Plan): string {
  const found = resolve(dirname(path), folder)
  if (statSync(found, { throwIfNoEntry: false })?.isDirectory()) return found
  throw new PromoError('input', `"${found}", the folder that the plan was made from, is not there`, {
    hint: 'new ids are recorded in it; keep the plan at its place beside the folder, or make it again',
  })
}

/** The command that makes a plan again. */
export function planAgain(path: string, { folder }: Pick<Plan, 'folder'>, more = ''): string {
  return `promo config plan ${argumentWords(resolve(dirname(path), folder))}${more} --out ${shellWord(path)}`
}

/** Reads a plan. Throws `input` (exit 2) for a file that is none, or that was changed by anything but promo. */
export async function readPlan(path: string, signal?: AbortSignal): Promise<Plan> {
  const json = await jsonIn(path, signal)
  if (!isRecord(json) || !Array.isArray(json.steps) || typeof json.checksum !== 'string') {
    throw new PromoError('input', `"${path}" is not a plan of "config plan"`, { hint: 'promo config plan --help' })
  }
  if (json.format !== 1) {
    throw new PromoError('input', `"${path}" is a plan of another version of promo (format ${String(json.format)})`)
  }
  const { checksum, ...rest } = json
  if (textChecksum(JSON.stringify(rest)) !== checksum) {
    throw new PromoError('input', `the plan "${path}" was edited: its checksum does not fit; nothing was sent`, {
      hint:
        typeof json.folder === 'string'
          ? `change the files, and ${planAgain(path, { folder: json.folder })}`
          : 'promo config plan --help',
    })
  }
  const fault = faultIn(rest)
  if (fault !== undefined) throw unusable(path, `is not a whole plan: ${fault}`)
  return json as unknown as Plan
}

/** What is wrong with a plan whose checksum fits: whoever can seal one again can write anything. */
function faultIn(plan: unknown): string | undefined {
  const read = form.safeParse(plan)
  if (!read.success) {
    const [{ path, message } = { path: [], message: '' }] = read.error.issues
    return `${path.map(String).join('.')}: ${message}`
  }
  for (const [index, { step, act, object, kind, call, needs }] of read.data.steps.entries()) {
    if (step !== index + 1 || needs.some((number) => number < 1 || number >= step))
      return `step ${step} is out of order`
    if (kindAt(object)?.name !== kind || !object.split('/').every((name) => keyGrammar.test(name)))
      return `step ${step}: ${JSON.stringify(object)} is no object of the kind ${JSON.stringify(kind)}`
    // What is asked and shown follows from the act, and so does what is sent.
    if (callFor(kindNamed(kind), act)?.id !== call)
      return `step ${step}: the act ${JSON.stringify(act)} does not make the call ${JSON.stringify(call)}`
  }
  return undefined
}

/** As much as the files of imports may have. */
const mostMib = 256

async function jsonIn(path: string, signal?: AbortSignal): Promise<unknown> {
  try {
    const read = await readNamed(path, mostMib * 1024 * 1024, signal)
    // A plan nests the members of objects in its own.
    if ('text' in read) return readJson(read.text, 2 * deepestNesting)
    const { oddKind } = read
    throw unusable(path, oddKind === 'too long' ? `is longer than ${mostMib} MiB` : `is ${oddKind}, not a file`)
  } catch (error) {
    if (error instanceof PromoError) throw error
    signal?.throwIfAborted()
    if (error instanceof RangeError) throw unusable(path, 'is nested too deeply')
    const why = error instanceof SyntaxError ? 'it is not JSON' : readReasonOf(error)
    throw new PromoError('input', `the plan "${path}" cannot be read: ${why}`, {
      cause: error,
      hint: 'promo config plan --help',
    })
  }
}

function unusable(path: string, why: string): PromoError {
  return new PromoError('input', `the plan "${path}" ${why}`, { hint: 'promo config plan --help' })
}
