// `--if-exists`: what a command that creates does when there already is one of that name or code, so that a script can be
// run twice. Source: docs/command-line.md#flags.
import { Flags } from '@oclif/core'
import type { Client } from '../../api/client.ts'
import { CallError, withNextStep } from '../../api/outcome/call-error.ts'
import type { RowResult } from '../../bulk/run.ts'
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts'

/** The values of the flag where names are unique. */
const ifExistsChoices = ['fail', 'reuse', 'update'] as const

export type IfExistsChoice = (typeof ifExistsChoices)[number]

/** Makes the flag of a command whose objects have unique names, with what its values mean there. */
export const ifExistsSaying = (description: string) => ({
  'if-exists': Flags.option({ default: 'fail', description, options: ifExistsChoices })(),
})

/** The flag where one that exists is reused as it is. */
export const ifExistsFlag = ifExistsSaying('if it exists: fail, reuse it as it is, or update it')

/** How the one that exists is found and changed. */
export interface Existing<E extends Endpoint> {
  choice: IfExistsChoice
  /** What it is called in the notice: `campaign "Spring"`. */
  named: string
  /** What is deleted goes to the bin, where its name stays taken. */
  isBinned?: boolean
  find: (client: Client) => Promise<AnswerOf<E> | undefined>
  /** Absent where no call changes it. */
  update?: (client: Client, found: AnswerOf<E>) => Promise<AnswerOf<E>>
}

/**
 * Returns the object that exists after a creation was refused because its name is taken, updated where that is the choice.
 *
 * Throws the refusal when that is the choice, or when nothing is found; otherwise what the calls throw.
 */
export async function existingInstead<E extends Endpoint>(
  { error: refusal }: RowResult,
  client: Client,
  { choice, find, update, isBinned = false }: Existing<E>,
): Promise<AnswerOf<E>> {
  const found = choice === 'fail' ? undefined : await find(client)
  const steps = stepsAfter(choice, isBinned)
  if (found === undefined) throw refusal instanceof CallError && steps !== '' ? withNextStep(refusal, steps) : refusal
  return choice === 'update' && update ? await update(client, found) : found
}

function stepsAfter(choice: IfExistsChoice, isBinned: boolean): string {
  const bin = 'promo api GET /v1/trash-bin --paginate lists what is in the bin, where a name stays taken'
  const asked = choice === 'fail' ? ['--if-exists reuse takes the one that there is as it is'] : []
  return [...asked, ...(isBinned ? [bin] : [])].join('; ')
}

/** Returns the members of a body that a schema of changes has. */
export function membersIn(body: object, shape: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(shape, name)))
}

/** Returns the first item with this name, for lists of objects that the service finds by id only. */
export async function namedAmong<Item>(items: AsyncIterable<unknown>, name: string): Promise<Item | undefined> {
  for await (const item of items) if ((item as { name?: unknown }).name === name) return item as Item
  return undefined
}
