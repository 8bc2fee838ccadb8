// How much the loops do: enough for a proof, or the size at which a rare fault shows.

/** Chooses the quick size, or the full one when FAULT_SIZE is `full` (`npm run faults`), which takes minutes. */
export function sized<Size>({ quick, full }: { quick: Size; full: Size }): Size {
  return process.env.FAULT_SIZE === 'full' ? full : quick
}
