// Looks at what the service has, before and after a write. A look that fails is a finding: it says nothing about the write.
import { CallError } from '../api/outcome/call-error.ts'
import { PromoError } from '../errors.ts'

/** What a look found. */
export type Found<Value> = { is: 'found'; value: Value } | { is: 'absent' } | { is: 'unread'; error: PromoError }

/** Reads something; undefined is absent. Throws nothing but a stop. */
export async function look<Value>(read: () => Promise<Value | undefined>): Promise<Found<Value>> {
  try {
    const value = await read()
    return value === undefined ? { is: 'absent' } : { is: 'found', value }
  } catch (error) {
    if (error instanceof CallError && error.kind === 'stopped') throw error
    if (error instanceof PromoError) return { is: 'unread', error }
    // Its message is not shown, because Node puts header values into some.
    const name = error instanceof Error ? error.name : typeof error
    return { is: 'unread', error: new PromoError('bug', `an unexpected ${name} ended the reading`, { cause: error }) }
  }
}
