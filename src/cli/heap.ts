// Memory of a long run: V8 prefers to take 150 MB more over collecting garbage early, which makes half a million rows
// look like a leak. Live objects take less than 20 MB, whatever the number of rows.

/** Bytes of both halves of the young generation: 8 MB for new objects, and 8 MB for those that survive. */
const youngBytes = 16 * 1024 * 1024

/**
 * Tells V8 to keep its heap close to the size of live objects, for the rest of this process.
 *
 * Young objects get 8 MB instead of 128: with much less, the rows in flight would be copied repeatedly, which would take more
 * time than everything else done with them. Old ones may grow by half before they are collected.
 */
export function keepHeapSmall(): void {
  const v8 = process.getBuiltinModule('node:v8')
  v8.setFlagsFromString('--heap-growing-percent=50')
  // The young generation begins with 1 MB; its growth can be stopped, but no limit can be set. It may grow once the event loop
  // turns and can stop it: a journal is walked before that.
  const growBy = (factor: 1 | 2) => v8.setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  growBy(1)
  const watch = setInterval(() => {
    const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    const isFull = young === undefined || young.space_size >= youngBytes
    growBy(isFull ? 1 : 2)
    if (isFull) clearInterval(watch)
  }, 20)
  watch.unref()
}
