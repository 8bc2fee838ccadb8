// The entry point for the CLI: starts the sandbox on a file, describes it, and exports the operations on a stopped one.
import { type DataFileOptions, openDataFile } from './data-file.ts'
import { createApp } from './http/app.ts'
import { isReadable } from './http/auth.ts'
import { withClientSide } from './http/client-side.ts'
import { declaredJobs } from './http/resource.ts'
import { serve } from './http/serve.ts'
import { type RequestHandler, type Simulation, simulated } from './http/simulation.ts'
import { type IdSource, secureRandom, timeOrderedIds } from './id.ts'
import { runnerOf } from './jobs/runner.ts'
import type { SandboxCredentials } from './resources/projects/credentials.ts'
import { resources } from './resources.ts'
import { setServerUrl, unregisterServer } from './storage/open-servers.ts'

export { resetSandbox, sandboxStatus, seedSandbox } from './data-file.ts'
export { sampleDelivery } from './samples/sample.ts'

export interface SandboxOptions extends DataFileOptions {
  /** 0 for any free port. */
  port: number
  ipv6?: boolean
  allowedOrigins?: readonly string[]
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
}

export interface RunningSandbox {
  /** Without a trailing slash, such as `http://127.0.0.1:41234`. */
  url: string
  credentials: SandboxCredentials
  file: string
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
  const now = options.now ?? (() => new Date().toISOString())
  const { now: clock } = options
  const nowMs = clock === undefined ? Date.now : () => Date.parse(clock())
  const id = options.id ?? timeOrderedIds(nowMs, secureRandom)
  const report = options.report ?? (() => {})
  const { store, credentials, server } = openDataFile(options, now, id)
  try {
    const parts = { store, now, id, report, timeScale: options.timeScale ?? 1 }
    let port: number | undefined
    const reach = { allowedHosts: options.webhookAllow ?? [], ownPort: () => port }
    const jobs = declaredJobs(resources)
    const runner = runnerOf({ ...parts, jobs, holder: server, reach, isShared: options.file !== ':memory:' })
    const app = createApp({ ...parts, resources, wake: runner.wake })
    const between = (answer: RequestHandler) =>
      withClientSide(simulated(answer, options.simulation ?? {}, nowMs), nowMs, (headers) => isReadable(headers, store))
    const served = await serve({ ...options, app, report, between })
    port = served.port
    runner.wake()
    setServerUrl(store.db, server, served.url)
    let closing: Promise<void> | undefined
    const close = async () => {
      await served.close()
      await runner.close(drainMs)
      unregisterServer(store.db, server)
      store.close()
    }
    return {
      url: served.url,
      credentials,
      file: options.file,
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

/** Returns an OpenAPI 3.1 document of what the sandbox serves; needs no data file. */
export async function sandboxOpenApi(): Promise<Record<string, unknown>> {
  const { openApiOf } = await import('./http/openapi.ts')
  return openApiOf(resources.flatMap((resource) => resource.routes ?? []))
}
