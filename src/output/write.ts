// Writing to a stream at the speed of its reader.
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

/** Settles like the promise, or rejects with the signal's reason as soon as it aborts. The promise itself continues. */
export async function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise<Value>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    // The listener is removed after the wait: one signal outlives a million rows.
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
