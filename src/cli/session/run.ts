// A run of promo as its command line asks for it. `command.ts` reads the flags that many commands have; below it, no function knows
// them by name.
import type { Resolved } from '../../profiles/resolve.ts'
import type { Clock } from '../flags/time.ts'
import type { Question } from '../prompt/confirm.ts'
import type { Showing } from '../result/output.ts'
import type { Host } from '../run/host.ts'
import type { ClientSession, ConnectOptions } from './connect.ts'

/** One run. A command is one. */
export interface Run {
  host: Host
  /** How results are shown, and what is told besides. */
  readonly show: Showing
  /** Only what would be sent is shown. */
  readonly isDryRun: boolean
  /** Whether an answer is explained. */
  readonly explains: boolean
  /** Nobody is asked. */
  readonly isAgreed: boolean
  /** Whether the user can be asked. */
  canAsk: () => boolean
  /** Resolves the profile, and opens nothing. Throws `config` (exit 4) when there is none. */
  profile: () => Promise<Resolved>
  /** Returns when and where it runs: the time zone is that of its days, or of those of another profile. Throws `config`. */
  clock: (profileName?: string) => Promise<Clock>
  /** Opens a client, which the caller closes. Throws `auth` or `config` (exit 4). */
  openSession: (options?: ConnectOptions) => Promise<ClientSession>
  /** Asks about what concerns only this computer. Throws `confirmation` (exit 11). */
  agree: (question: Question) => Promise<void>
}
