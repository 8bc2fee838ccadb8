// The columns of a declared write that starts a background job of the service.
import { getAsyncAction } from '../../../contract/async-actions.ts'
import { asyncActionColumns, startedActionColumns } from '../../../output/columns/resources/project.ts'
import type { Background } from '../../declared/write.ts'

/** The write has --wait, and shows the job that it started, or how that ended. */
export const inBackground: Background = {
  started: startedActionColumns,
  ended: asyncActionColumns,
  read: getAsyncAction,
  following: async () => (await import('./action.ts')).following,
}
