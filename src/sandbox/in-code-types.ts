// The types of promo/sandbox, and of what the control server answers. It imports nothing, because the build publishes it as it is.

/** The keys of a project, and the management keys of the sandbox. All but the ids are secrets. */
export interface Keys {
  project_id: string
  app_id: string
  app_token: string
  client_app_id: string
  client_token: string
  management_id: string
  management_token: string
  webhook_secret: string
}

/** What a sandbox begins with. */
export interface StartOptions {
  /** The data file, created if it does not exist; default: in memory. */
  file?: string
  /** 0, the default, for any free port. */
  port?: number
  /** Objects to load into a new file, in the form in which the service returns them; default: nothing. */
  fixture?: Record<string, unknown>
  /** Drops members of the fixture that promo does not know, instead of refusing them. */
  allowUnknown?: boolean
  /** Loads the demo project into a new file. */
  demo?: boolean
  /** Keys of your own; those that are left out are generated. */
  keys?: Partial<Keys>
  /** Stops the service's time at this instant, ISO 8601. */
  time?: string
  /** Divides every delay of background work, such as the retries of webhooks. */
  timeScale?: number
  /** Keeps bodies in the log of requests, with what is named like a secret hidden. */
  bodies?: boolean
}

/** An isolated project of the sandbox. */
export interface Project {
  id: string
  app_id: string
  app_token: string
  client_app_id: string
  client_token: string
}

/** The service's time. */
export interface Time {
  now: string
  /** Whether it goes on by itself. */
  runs: boolean
  /** The computer's time. */
  computer_time: string
  /** The instant of the next work that waits for its time, such as points that expire; null when there is none. */
  next_due_at: string | null
}

/** What happens to which calls: exactly one of `status`, `reset`, `hang`, `latency` and `rate_limit`. */
export interface FaultRule {
  /** `POST /v1/redemptions`; `*` stands for one step of a path, `**` for all that follow. */
  call: string
  status?: number | undefined
  /** The connection breaks. */
  reset?: boolean | undefined
  /** No answer ever. */
  hang?: boolean | undefined
  /** `200ms` or `200ms..2s` */
  latency?: string | undefined
  /** `10/s` */
  rate_limit?: string | undefined
  /** `20%` */
  probability?: string | undefined
  times?: number | undefined
  /** The service does its work first, and only the answer is lost. */
  after_commit?: boolean | undefined
  seed?: number | undefined
}

/** A fault, and how often it struck. */
export interface Fault extends FaultRule {
  id: string
  matched: number
  struck: number
}

/** A request that was answered, or whose answer was lost. */
export interface LoggedRequest {
  /** Counts up from 1, over the life of the sandbox. */
  n: number
  /** The service's time at which it arrived. */
  at: string
  method: string
  /** With its query; the values of parameters that are named like secrets are hidden. */
  path: string
  /** Null: the answer was lost. */
  status: number | null
  /** Until the answer was ready. */
  ms: number
  /** Which kind of key it carried, and the beginning of its id. */
  key: string | null
  request_id: string | null
  /** The fault that struck it. */
  fault: string | null
  /** Only where bodies are kept. */
  body?: unknown
  answer?: unknown
}

/** Which requests to list. */
export interface RequestFilter {
  /** Only requests after this number. */
  after?: number
  call?: string
  /** `503`, `5xx` or `lost` */
  status?: string | undefined
  /** A day, an instant, or an age like `30m`, by the service's time. */
  since?: string
  limit?: number
}

/** A state that can be gone back to. */
export interface Snapshot {
  name: string
  load: () => Promise<void>
}

/** The service, running in this process. */
export interface Sandbox extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string
  keys: Keys
  /** Makes an empty project of its own, for one test. */
  project: (name?: string) => Promise<Project>
  clock: {
    show: () => Promise<Time>
    /** Stops the time at an instant, after everything that is due until then. */
    set: (time: string, options?: { allowBack?: boolean }) => Promise<Time>
    /** Moves the time ahead, by a duration like `30d`, and does everything that is due on the way. */
    advance: (by: string) => Promise<Time>
    resume: (options?: { realTime?: boolean; allowBack?: boolean }) => Promise<Time>
  }
  faults: {
    add: (rule: FaultRule) => Promise<Fault>
    list: () => Promise<Fault[]>
    /** Removes one, or all of them. */
    clear: (id?: string) => Promise<void>
  }
  requests: {
    list: (filter?: RequestFilter) => Promise<LoggedRequest[]>
    clear: () => Promise<void>
  }
  /** Keeps everything that the sandbox holds. */
  snapshot: (name?: string) => Promise<Snapshot>
  /** Goes back to the beginning, with the same keys; projects that were made are gone. */
  reset: () => Promise<void>
  /** Waits for requests in flight, and closes. May be called twice. */
  close: () => Promise<void>
}

/** Starts the service in this process, on a free port of 127.0.0.1. Throws an error that says what is wrong with an option. */
export type StartSandbox = (options?: StartOptions) => Promise<Sandbox>
