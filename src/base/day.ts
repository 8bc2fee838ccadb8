/** The milliseconds of a day by UTC. */
export const dayMs = 86_400_000
