// The entry point for the CLI: starts the sandbox on a file, describes it, and exports the operations on a stopped one.
import { randomBytes } from 'node:crypto'
import { clockCalls, faultCalls, requestCalls, snapshotCalls } from './control/acts.ts'
import type { Control, FaultRule } from './control/calls.ts'
import { faultsOf } from './control/faults.ts'
import { requestLogOf } from './control/request-log.ts'
import { type ControlActs, controlOf, controlServerOf } from './control/server.ts'
import { type DataFileOptions, fillingAgain, mustBeFixture, openDataFile } from './data-file.ts'
import { createApp } from './http/app.ts'
import { isReadable } from './http/auth.ts'
import { checkAddress, checkHostName, isLocalAddress } from './http/loopback.ts'
import { type RequestHandler, type Simulation, withClientSide, withSimulation } from './http/rate-limits.ts'
import { declaredJobs, routesOf } from './http/route.ts'
import { type ServeOptions, serve } from './http/serve.ts'
import { type IdSource, secureRandom, timeOrderedIds } from './id.ts'
import type { Keys, LoggedRequest } from './in-code-types.ts'
import { runnerOf } from './jobs/runner.ts'
import { resources } from './resources.ts'
import { SandboxError } from './sandbox-error.ts'
import { setServerUrl, unregisterServer } from './storage/open-servers.ts'
import type { Store } from './storage/store.ts'
import { mainProject } from './stores/projects.ts'

export { givenFaults } from './control/acts.ts'
export { controlAddressOf, remoteControl } from './control/client.ts'
export { mustBeFree, newDataFile, resetSandbox, sandboxStatus, seedSandbox, unknownInFixture } from './data-file.ts'
export { evaluatorOf } from './evaluator.ts'
export { givenKeys } from './resources/projects/credentials.ts'
export { sampleDelivery } from './samples/sample.ts'

/** Where it listens, and who may call it. Another `host` than loopback needs `keys`, or `allowDemoKeys`. */
type Listening = Pick<ServeOptions, 'port' | 'ipv6' | 'host' | 'allowedHosts' | 'allowedOrigins'>

export interface SandboxOptions extends DataFileOptions, Listening {
  /** Accepts generated keys although others can reach it. */
  allowDemoKeys?: boolean
  /** Returns ISO 8601 UTC with milliseconds; the computer's clock by default. */
  now?: () => string
  id?: IdSource
  /** Called with failures inside the sandbox, which answers show only as 500 with a request id. */
  report?: (error: unknown, requestId: string) => void
  /** Divides every delay of work done after the answer, such as the retries of webhooks; 1 by default. */
  timeScale?: number
  /** Hosts that webhooks may point to, besides this computer. */
  webhookAllow?: readonly string[]
  /** Slow answers and a rate limit; neither by default. */
  simulation?: Simulation
  /** Faults from the start: rules as the control server takes them. */
  faults?: readonly FaultRule[]
  /** Keeps the bodies of requests and answers in the log of requests, without what is named like a secret. */
  bodies?: boolean
  /** False keeps no log of requests: the measure of what the log costs. */
  isLogged?: boolean
  /** Is told of every request of the service when its answer is known. */
  onRequest?: ((request: LoggedRequest) => void) | undefined
  /** Stops the clock at an instant, after everything that is due until then; back only where that is allowed. */
  time?: { at: string; allowBack?: boolean }
  /** Addresses of this computer on which the control server answers besides loopback; 0.0.0.0 means all. */
  controlHosts?: readonly string[]
}

export interface RunningSandbox {
  /** Without a trailing slash, such as `http://127.0.0.1:41234`. */
  url: string
  credentials: Keys
  /** Opens the control server, and is valid for this server alone. */
  controlToken: string
  /** The calls of the control server, made in this process. */
  control: Control
  file: string
  /** Whether it had the computer's time when it started; its clock may be moved or stopped. */
  isOnTime: boolean
  /** Waits for requests in flight, and up to 2 s for their jobs; then closes sockets and file. May be called twice. */
  close: () => Promise<void>
}

const drainMs = 2_000

/**
 * Starts the service on a data file. Resolves when it accepts connections on 127.0.0.1.
 *
 * Several processes may have the same file open. Throws SandboxError: `not-a-sandbox`, `newer-schema`, `file-access`,
 * `port-taken`, `bad-fixture`.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const reachable = reachableOf(options)
  await mustBeFixture(options)
  const { now } = options
  const computerMs = now === undefined ? Date.now : () => Date.parse(now())
  // By the computer's time: a stopped clock would give the ids of two processes, and of two starts, the same beginning.
  const id = options.id ?? timeOrderedIds(computerMs, secureRandom)
  const report = options.report ?? (() => {})
  const { store, credentials, server, clock } = await openDataFile(beginning(options), computerMs, id)
  const stop = new AbortController()
  try {
    const parts = { store, now: clock.now, id, report, timeScale: options.timeScale ?? 1 }
    let port: number | undefined
    const reach = { allowedHosts: options.webhookAllow ?? [], ownPort: () => port }
    const jobs = declaredJobs(resources)
    const runner = runnerOf({ ...parts, jobs, holder: server, reach, isShared: options.file !== ':memory:' })
    const app = createApp({ ...parts, resources, wake: runner.wake })
    const endpoints = routesOf(resources).map(({ endpoint }) => endpoint)
    const faults = faultsOf(endpoints, computerMs)
    for (const rule of options.faults ?? []) faults.add(rule)
    const log = requestLogOf({
      now: clock.lastKnown,
      elapsedMs: () => performance.now(),
      bodies: options.bodies ?? false,
      faultOf: faults.struck,
      onRequest: options.onRequest,
    })
    // How fast calls may follow each other is a matter of the computer's time.
    const between = (answer: RequestHandler) => {
      const unlogged = withClientSide(
        faults.around(withSimulation(answer, options.simulation ?? {}, computerMs)),
        computerMs,
        (headers) => isReadable(headers, store),
      )
      return options.isLogged === false ? unlogged : log.around(unlogged)
    }
    const advancing = { clock, store, runner, kinds: Object.keys(jobs), stop: stop.signal }
    const { idle, inTurn, ...clockActs } = clockCalls(advancing, computerMs)
    const { close: forget, ...snapshotActs } = snapshotCalls({
      db: store.db,
      file: options.file,
      fill: () => fillingAgain(store, beginning(options), { credentials, clock, id }),
      inTurn,
      wake: runner.wake,
    })
    const logActs = requestCalls(log, endpoints, clock.now)
    const acts: ControlActs = { ...clockActs, ...faultCalls(faults), ...logActs, ...snapshotActs }
    const controlToken = randomBytes(32).toString('hex')
    const controlServer = controlServerOf(acts, controlToken, options.controlHosts ?? [], (error) => report(error, '-'))
    if (options.time) await clockActs['clock.set']({ time: options.time.at, allow_back: options.time.allowBack })
    const clockState = clock.state()
    const served = await serve({
      ...options,
      ...reachable,
      app,
      report,
      between,
      controlServer,
      isHealthy: () => answers(store),
      now: clock.lastKnown,
    })
    port = served.port
    runner.wake()
    setServerUrl(store.db, server, served.url, controlToken)
    let closing: Promise<void> | undefined
    const close = async () => {
      stop.abort()
      await served.close()
      await runner.close(drainMs)
      await idle()
      forget()
      unregisterServer(store.db, server)
      store.close()
    }
    return {
      url: served.url,
      credentials,
      controlToken,
      control: controlOf(acts),
      file: options.file,
      isOnTime: clockState.runs && clockState.ahead_ms === 0,
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    unregisterServer(store.db, server)
    store.close()
    throw error
  }
}

/** Checks who can reach the sandbox, before anything is opened. Throws SandboxError `bad-option`. */
function reachableOf({
  host = '127.0.0.1',
  allowedHosts = [],
  controlHosts = [],
  keys,
  allowDemoKeys,
}: SandboxOptions) {
  for (const address of [host, ...controlHosts]) checkAddress(address)
  if (!isLocalAddress(host) && keys === undefined && !allowDemoKeys)
    throw new SandboxError('bad-option', `on ${host} others can reach the sandbox, so it needs keys of your own`, {
      hint: 'add --keys-from FILE, or --allow-demo-keys to use generated ones',
    })
  return { host, allowedHosts: allowedHosts.map(checkHostName) }
}

function answers(store: Store): boolean {
  try {
    return store.reading(() => mainProject(store) !== undefined)
  } catch {
    return false
  }
}

function beginning({ time, ...options }: SandboxOptions): DataFileOptions {
  return { ...options, ...(time && { beginsAtMs: Date.parse(time.at) }) }
}

/** Returns an OpenAPI 3.1 document of what the sandbox serves; needs no data file. */
export async function sandboxOpenApi(): Promise<Record<string, unknown>> {
  const { openApiOf } = await import('./http/openapi.ts')
  return openApiOf(routesOf(resources))
}
