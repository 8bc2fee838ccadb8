// What the exit codes mean. Apart from errors.ts, which every start loads.
import { EXIT, type ExitCode } from '../../errors.ts'

/** One row of the table that `promo help exit-codes`, docs/errors.md and the tests are made from. */
export interface ExitCodeRow {
  code: ExitCode
  meaning: string
  again: string
}

/** Every exit code, in ascending order, with what it means and whether running the same command again makes sense. */
export const exitCodes: readonly ExitCodeRow[] = [
  { code: EXIT.ok, meaning: 'everything requested was done', again: '' },
  { code: EXIT.bug, meaning: 'a bug in promo', again: 'no, report it' },
  { code: EXIT.usage, meaning: 'bad usage or bad input, found before any request', again: 'fix the call' },
  { code: EXIT.refused, meaning: 'the service refused the request or at least one row', again: 'fix the rows' },
  { code: EXIT.auth, meaning: 'credentials, permission, wrong region or configuration', again: 'fix the profile' },
  {
    code: EXIT.unavailable,
    meaning: 'network, timeout, 429 or 5xx outlasted the retries; a list or a file is not complete',
    again: 'yes; a bulk job resumes',
  },
  { code: EXIT.unknown, meaning: "at least one row's outcome is unknown", again: 'reconcile first' },
  {
    code: EXIT.stopped,
    meaning: 'stopped by --max-errors, or after ten rows refused for the same reason',
    again: 'check the errors first',
  },
  { code: EXIT.held, meaning: 'the job is held by another live process', again: 'wait' },
  {
    code: EXIT.journal,
    meaning: 'the journal or plan does not fit this input, profile, command or project, or is damaged',
    again: 'no',
  },
  { code: EXIT.io, meaning: 'local I/O: disk full, output cannot be written', again: 'after freeing space' },
  {
    code: EXIT.unconfirmed,
    meaning: 'needs confirmation, which was declined or could not be requested',
    again: 'add --yes; for a protected profile --confirm NAME too',
  },
  {
    code: EXIT.no,
    meaning: 'the answer is no (validate, qualify, introspect, verify, find, trigger, resend, config diff, check)',
    again: '',
  },
  { code: EXIT.hangup, meaning: 'the terminal hung up, after in-flight work was recorded', again: 'yes' },
  { code: EXIT.interrupted, meaning: 'Ctrl-C, after in-flight work was recorded', again: 'yes' },
  { code: EXIT.closedPipe, meaning: 'the reader closed the pipe, after in-flight work was recorded', again: 'yes' },
  { code: EXIT.terminated, meaning: 'SIGTERM, after in-flight work was recorded', again: 'yes' },
]
