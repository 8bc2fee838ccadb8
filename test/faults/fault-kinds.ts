// Everything that can go wrong between a request and its answer, as data. Source: docs/reliability.md#fault-server.

/** How a kind of fault affects a request. */
export interface FaultKind {
  /** Whether the service applies the request before the fault. */
  applies: boolean
  /**
   * What the client can know afterwards: it was not applied (`rejected`), it was applied (`confirmed`), or neither
   * (`ambiguous`).
   */
  proves: 'rejected' | 'ambiguous' | 'confirmed'
  /** Whether it delays or stops the entire run, so that a plan can contain only a few. */
  isCostly?: true
  /** Whether a client without a time limit would wait for its answer for ever. */
  isEndless?: true
  /** Whether it only meets an operation of which an answer was lost before. */
  isAfterLoss?: true
}

const notApplied = { applies: false, proves: 'ambiguous' } as const
const appliedAndLost = { applies: true, proves: 'ambiguous' } as const

/** Every kind of fault, by its name; those that begin with `apply` lose the answer of an applied request. */
export const faultKinds = {
  /** 429 without a time to retry at. */
  throttle: { applies: false, proves: 'rejected', isCostly: true },
  /** 429 with `Retry-After: 1`. */
  'throttle-with-time': { applies: false, proves: 'rejected', isCostly: true },
  /** 200 whose body has the code 429: the specification leaves the status of a 429 open. */
  'throttle-in-body': { applies: false, proves: 'rejected', isCostly: true },
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
  /** 200 with a JSON content type and a body that is not JSON. */
  'bad-json': notApplied,
  /** 200 with a correct answer about something else. */
  other: notApplied,
  /** 400, as a second attempt meets it after the rules have changed, or behind another gateway. */
  'status-400': { applies: false, proves: 'rejected', isCostly: true, isAfterLoss: true },
  /** No answer, for longer than any client waits. */
  stall: { ...notApplied, isCostly: true, isEndless: true },
  /** 302 to another host; clients must not follow it, and stop. */
  redirect: { ...notApplied, isCostly: true },
  'apply-reset': appliedAndLost,
  'apply-close': appliedAndLost,
  /** Fewer bytes than `Content-Length` promised. */
  'apply-short': appliedAndLost,
  /** A chunked body that never ends. */
  'apply-chunk': appliedAndLost,
  /** A truncated body delimited by the end of the connection: only its JSON shows the truncation. */
  'apply-cut': appliedAndLost,
  'apply-500': appliedAndLost,
  'apply-504': appliedAndLost,
  'apply-html': appliedAndLost,
  'apply-empty': appliedAndLost,
  'apply-bad-json': appliedAndLost,
  'apply-other': appliedAndLost,
  'apply-stall': { ...appliedAndLost, isCostly: true, isEndless: true },
  /** A correct answer that is slow. */
  'apply-slow': { applies: true, proves: 'confirmed', isCostly: true },
} as const satisfies Record<string, FaultKind>

export type FaultName = keyof typeof faultKinds

/** How many faults of each kind; an omitted kind does not occur. */
export type FaultCounts = Partial<Record<FaultName, number>>

/** The names of all kinds, in the order of the table. */
export const faultNames = Object.keys(faultKinds) as FaultName[]

/** The kinds a plan can contain any number of. */
export const cheapFaults = faultNames.filter((name) => !('isCostly' in faultKinds[name]))

/** Adds up all faults, or those that match a predicate. */
export function faultsIn(counts: FaultCounts, matches: (kind: FaultKind) => boolean = () => true): number {
  return faultNames.reduce((sum, name) => sum + (matches(faultKinds[name]) ? (counts[name] ?? 0) : 0), 0)
}
