// Errors of the sandbox itself, as opposed to requests that it refuses (refusal.ts).

/** Why the sandbox cannot start, be read or be reset; the CLI turns it into a message and an exit code. */
export type SandboxErrorReason =
  | 'not-a-sandbox' // the file is something else, or damaged
  | 'incomplete' // its latest writes are in a log that is not there
  | 'newer-schema' // written by a later version of promo
  | 'held' // another live server has the file open
  | 'port-taken'
  | 'bad-fixture'
  | 'bad-option' // what it was asked to start with cannot be used
  | 'no-file'
  | 'file-access'
  | 'bad-control' // a call of the control server that cannot be done
  | 'control-refused' // its token is not the one of the sandbox, or it does not answer there
  | 'not-served' // no live server to control

/** The next steps of calls of the control server: a client prints these, and none that another process wrote. */
export const nextSteps = {
  allowBack: 'add --allow-back, or reset the data first',
  clearFaults: 'promo sandbox faults clear',
  listFaults: 'promo sandbox faults list',
  listSnapshots: 'promo sandbox snapshot list',
  nameSnapshot: 'use up to 64 letters, digits, _, - and dots, such as before-checkout',
  saveAgain: 'save it again',
  sameVersion: 'use the version of promo that saved it, or seed the data again',
  writePattern: "write it like 'POST /v1/redemptions', '* /v1/vouchers/*' or 'GET /v1/**'",
} as const

/** States why an operation on the sandbox failed. The message is lower case, without a full stop, and names the file. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly reason: SandboxErrorReason
  readonly hint: string | undefined

  constructor(reason: SandboxErrorReason, message: string, facts: { hint?: string; cause?: unknown } = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.reason = reason
    this.hint = facts.hint
  }
}
