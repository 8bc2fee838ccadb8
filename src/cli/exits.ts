// The exit codes that come with the building blocks of a command. Its own statics name a block, or a flag brings one.
import { EXIT, type ExitCode } from '../errors.ts'

/** A building block of commands, and the exit codes that a command has because of it. */
export interface ExitBlock {
  name: string
  exits: readonly ExitCode[]
}

/** Any command may meet a bug, bad usage, a full disk or a signal. */
export const everyCommand = {
  name: 'every command',
  exits: [EXIT.ok, EXIT.bug, EXIT.usage, EXIT.io, EXIT.hangup, EXIT.interrupted, EXIT.closedPipe, EXIT.terminated],
} as const

/** Calls of the service. */
export const callsService = { name: 'calls', exits: [EXIT.refused, EXIT.auth, EXIT.unavailable] } as const

/** A write whose answer may be lost. */
export const writesToService = { name: 'writes', exits: [EXIT.unknown] } as const

/** A job of many rows, with its journal and its lock. */
export const runsJob = { name: 'job', exits: [EXIT.stopped, EXIT.held, EXIT.journal] } as const

/** Finding the journal of one job, and reading it. */
export const readsJournal = { name: 'journal', exits: [EXIT.auth, EXIT.journal] } as const

/** Finding the folder of the jobs. */
export const usesJobsFolder = { name: 'jobs folder', exits: [EXIT.auth] } as const

/** Reading the stored profiles. */
export const readsSettings = { name: 'settings', exits: [EXIT.auth] } as const

/** Changing the stored profiles, one process at a time. */
export const changesSettings = { name: 'changed settings', exits: [EXIT.auth, EXIT.held] } as const

/** The data file of the embedded service, which the `sandbox` profile opens as well. */
export const usesSandboxFile = {
  name: 'sandbox file',
  exits: [EXIT.usage, EXIT.auth, EXIT.held, EXIT.io],
} as const

/** The copy of what happened: its guards, and the locks of whoever reads and writes it. */
export const usesCopy = { name: 'copy', exits: [EXIT.auth, EXIT.held] } as const

/** The control server of a sandbox that serves somewhere, or of one started on a data file. */
export const controlsSandbox = {
  name: 'control',
  exits: [EXIT.usage, EXIT.auth, EXIT.unavailable, EXIT.held, EXIT.io],
} as const

/** A confirmation before something is done. */
export const asksFirst = { name: 'confirmation', exits: [EXIT.unconfirmed] } as const

/** Makes a flag or an argument bring a block to every command that takes it. */
export function bringing<Definition extends object>(block: ExitBlock, definition: Definition): Definition {
  return Object.assign(definition, { brings: block } satisfies Bringing)
}

/** The part of a flag or an argument that is read here. */
export interface Bringing {
  brings?: ExitBlock
}
