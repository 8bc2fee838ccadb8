// Parts of a result that cannot be read, because the key may not, they are gone, or what names them is not a name: the rest is shown.
import { CallError } from '../../api/outcome/call-error.ts'
import { PromoError } from '../../errors.ts'

/** Why a part was not read; `status` is that of the service's answer. */
export interface Refusal {
  status?: number | undefined
  message: string
}

/**
 * Returns what `read` returns; undefined, after `refused`, where the service refuses it, or where an id that it answered
 * cannot be part of an address. Throws whatever else went wrong.
 */
export async function tryRead<Result>(
  read: () => Promise<Result>,
  refused: (refusal: Refusal) => void,
): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    const isRefused = error instanceof CallError && error.phase === 'rejected'
    if (!isRefused && !(error instanceof PromoError && error.kind === 'usage')) throw error
    refused(error)
    return undefined
  }
}

/** Makes a function that reads one part of several: of one that is refused it returns `otherwise`, after `refused` was told why. */
export function partReader(refused: (part: string, why: string) => void) {
  return async <Result>(part: string, otherwise: Result, read: () => Promise<Result>): Promise<Result> =>
    (await tryRead(read, ({ message }) => refused(part, message))) ?? otherwise
}
