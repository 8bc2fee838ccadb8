// An answer that never arrives: the service did its work, or did not, and the client cannot tell.
import type { ServerResponse } from 'node:http'

/** How a client sees it: the connection breaks, or nothing comes. */
export type LossKind = 'reset' | 'hang'

/** Thrown instead of an answer. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer'
  readonly how: LossKind
  /** The id of the request, if it reached the service. */
  readonly requestId: string | undefined

  constructor(how: LossKind, requestId?: string) {
    super(`the answer is lost: ${how}`)
    this.how = how
    this.requestId = requestId
  }
}

/** Drops answers, and closes the connections of those that never come. */
export function answerDropper() {
  const waiting = new Set<ServerResponse>()
  return {
    drop: async (response: ServerResponse, how: LossKind) => {
      if (how === 'reset') {
        response.socket?.resetAndDestroy()
        return
      }
      waiting.add(response)
      await new Promise((resolve) => response.once('close', resolve))
      waiting.delete(response)
    },
    release: () => {
      for (const response of waiting) response.destroy()
    },
  }
}
