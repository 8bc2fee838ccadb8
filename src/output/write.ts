// Writing to a stream at the speed of its reader.
import { orAborted } from './or-aborted.ts'
import type { OutputStream } from './shape.ts'

/** A destination for the text of a result. */
export interface Writer {
  /** Resolves when the text, or its bytes, were accepted; rejects with the error of the stream or the reason of the signal. */
  write(text: string | Uint8Array): Promise<void>
  /** Finishes with the writer after everything was written; the stream itself stays open. */
  finish(): Promise<void>
  /** Finishes with the writer after a failure. */
  abandon(): Promise<void>
}

/**
 * Opens a stream for writing, one text at a time.
 *
 * A closed pipe rejects the write with the stream's own error (EPIPE), and never ends the process with an unhandled
 * `error` event.
 */
export function writerTo(stream: OutputStream, signal?: AbortSignal): Writer {
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure ??= error
  }
  stream.on('error', fail)

  // The event comes after the callback of the failed write, so the listener has to stay that long.
  const leave = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    if (!failure) stream.off('error', fail)
  }

  return {
    async write(text) {
      if (text.length === 0) return
      signal?.throwIfAborted()
      if (failure) throw failure
      const taken = new Promise<void>((resolve, reject) => {
        // The callback, not the return value: only the callback reports a failed write.
        stream.write(text, (error) => (error ? reject(failure ?? error) : resolve()))
      })
      await orAborted(taken, signal)
    },
    finish: leave,
    abandon: leave,
  }
}
