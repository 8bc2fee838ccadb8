// Waiting that ends when the work must end.

/** Gives what a promise gives, or rejects with the signal's reason as soon as it aborts. The promise itself goes on. */
export async function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise<Value>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    // The listener goes with the wait: one signal outlives a million rows.
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
