// Memory of a long run: V8 would rather take 150 MB more than collect garbage early, which makes half a million rows look
// like a leak. What is alive is under 20 MB, whatever the number of rows.

/** Bytes of both halves of the young generation: 16 MB for new objects, and as many for those of them that survive. */
const youngBytes = 32 * 1024 * 1024

/**
 * Tells V8 to keep its heap close to what is alive, for the rest of this process.
 *
 * Young objects get 16 MB instead of 128: with less, the rows in flight would be copied again and again, and take more time
 * than all else that is done with them. Old ones may grow by half before they are collected.
 */
export function keepHeapSmall(): void {
  const v8 = process.getBuiltinModule('node:v8')
  v8.setFlagsFromString('--heap-growing-percent=50')
  // The young generation begins with 1 MB and can be told to grow no further, but not where to stop.
  const watch = setInterval(() => {
    const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    if (young === undefined || young.space_size >= youngBytes) {
      v8.setFlagsFromString('--semi-space-growth-factor=1')
      clearInterval(watch)
    }
  }, 20)
  watch.unref()
}
