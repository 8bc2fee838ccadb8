// Everything that can go wrong between a request and its answer, as data. Source: docs/reliability.md#fault-server.

/** What a kind of fault does to a request. */
export interface FaultKind {
  /** Whether the service does what it was asked before the fault. */
  applies: boolean
  /**
   * What the client can know afterwards: that nothing was done (`rejected`), that it was done (`confirmed`), or neither
   * (`ambiguous`).
   */
  tells: 'rejected' | 'ambiguous' | 'confirmed'
  /** Whether it holds up the whole run, or stops it, so that a plan can only afford a few. */
  isDear?: true
}

const notApplied = { applies: false, tells: 'ambiguous' } as const
const appliedAndLost = { applies: true, tells: 'ambiguous' } as const

/** Every kind of fault, by its name; those that begin with `apply` lose an answer after the work was done. */
export const faultKinds = {
  /** 429 that says nothing about when to come back. */
  throttle: { applies: false, tells: 'rejected', isDear: true },
  /** 429 with `Retry-After: 1`. */
  'throttle-with-time': { applies: false, tells: 'rejected', isDear: true },
  /** 200 whose body has the code 429: the specification leaves the status of a 429 open. */
  'throttle-in-body': { applies: false, tells: 'rejected', isDear: true },
  'status-500': notApplied,
  'status-502': notApplied,
  'status-503': notApplied,
  'status-504': notApplied,
  'status-408': notApplied,
  /** RST after the request was read. */
  reset: notApplied,
  /** FIN after the request was read. */
  close: notApplied,
  /** 200 with a web page, as a captive portal sends it. */
  html: notApplied,
  /** 200 with an empty body. */
  empty: notApplied,
  /** 200 with a body that calls itself JSON and is not. */
  'bad-json': notApplied,
  /** Nothing at all, for longer than anybody waits. */
  stall: { ...notApplied, isDear: true },
  /** 302 to the other side of the street; clients must not follow it, and stop. */
  redirect: { ...notApplied, isDear: true },
  'apply-reset': appliedAndLost,
  'apply-close': appliedAndLost,
  /** Fewer bytes than `Content-Length` promised. */
  'apply-short': appliedAndLost,
  /** A chunked body that never ends. */
  'apply-chunk': appliedAndLost,
  /** A body whose end is the end of the connection, cut: only its JSON shows it. */
  'apply-cut': appliedAndLost,
  'apply-500': appliedAndLost,
  'apply-504': appliedAndLost,
  'apply-html': appliedAndLost,
  'apply-empty': appliedAndLost,
  'apply-bad-json': appliedAndLost,
  'apply-stall': { ...appliedAndLost, isDear: true },
  /** A correct answer that takes its time. */
  'apply-slow': { applies: true, tells: 'confirmed', isDear: true },
} as const satisfies Record<string, FaultKind>

export type FaultName = keyof typeof faultKinds

/** How many faults of each kind; a kind left out does not happen. */
export type FaultCounts = Partial<Record<FaultName, number>>

/** The names of all kinds, in the order of the table. */
export const faultNames = Object.keys(faultKinds) as FaultName[]

/** The kinds a plan can afford any number of. */
export const cheapFaults = faultNames.filter((name) => !('isDear' in faultKinds[name]))

/** Adds up faults, all of them or those of which something is true. */
export function faultsIn(counts: FaultCounts, matches: (kind: FaultKind) => boolean = () => true): number {
  return faultNames.reduce((sum, name) => sum + (matches(faultKinds[name]) ? (counts[name] ?? 0) : 0), 0)
}
