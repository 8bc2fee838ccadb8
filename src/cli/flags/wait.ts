// --wait, for work of the service that goes on after its answer.
import { duration, switchFlag } from './kinds.ts'

/** Says how long to wait. */
export const timeoutWait = duration('stop waiting after this long (default 10m); the service continues', '10m')

/** The values of `waitFlags`. */
export interface WaitFlags {
  wait?: boolean
  'timeout-wait'?: number | undefined
}

/** Flags of a command that can wait for what it starts or reads. */
export const waitFlags = {
  wait: switchFlag('wait until it is done (exit code 3 if anything failed)'),
  'timeout-wait': { ...timeoutWait, dependsOn: ['wait'] },
}
