// Parts of a result that the service refuses, because the key may not read them or they are gone: the rest is shown.
import { CallError } from '../../api/outcome/call-error.ts'

/** Returns what `read` returns; undefined where the service refuses it, after `refused`. Throws whatever else went wrong. */
export async function unlessRefused<Result>(
  read: () => Promise<Result>,
  refused: (refusal: CallError) => void,
): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof CallError) || error.phase !== 'rejected') throw error
    refused(error)
    return undefined
  }
}
