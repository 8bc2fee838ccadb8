// Waiting that a signal can end.

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
