// Waiting for what other work brings about, without a guess of how long it takes.
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Looks until what it sees is as wanted, and returns that; by default until it is truthy.
 *
 * There is no limit of its own: the time limit of the test ends the wait, so a busy machine only makes it longer.
 */
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
  isWanted: (seen: Seen) => boolean = Boolean,
): Promise<Seen> {
  for (;;) {
    const seen = await look()
    if (isWanted(seen)) return seen
    await pause(5)
  }
}
