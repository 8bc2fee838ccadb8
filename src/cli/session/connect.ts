// From flags to a client: the profile is resolved, its secrets are read, and for the built-in sandbox profile the
// embedded service is started inside this process.

import { join } from 'node:path'
import type { Client } from '../../api/client.ts'
import type { Connection, Credentials, Lines } from '../../api/connection.ts'
import type { Rate } from '../../api/pacing/rate.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import { withoutUndefined } from '../../base/record.ts'
import { jsonChecksum } from '../../bulk/input/input-checksum.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { tell } from '../../output/tell.ts'
import { folders, stateFolder } from '../../profiles/folders.ts'
import { regions } from '../../profiles/regions.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import type { Secrets } from '../../profiles/secrets.ts'
import type { serviceFlags } from '../flags/flags.ts'
import type { ValuesOf } from '../flags/kinds.ts'
import type { AskFlags, Question } from '../prompt/confirm.ts'
import { canAsk } from '../prompt/prompts.ts'
import type { Home, Host, ProgramConfig } from '../run/host.ts'
import { type Recorder, recorderFor, type Why } from './history.ts'
import { withSandbox } from './sandbox.ts'

export type ConnectFlags = ValuesOf<typeof serviceFlags>

export interface ConnectOptions {
  /** The name of the profile, whatever the command line says. */
  name?: string | undefined
  /** The profile, if it is already resolved; its secrets can be read only once. */
  profile?: Resolved
  /** How long the service may be unavailable before all calls end; absent: a call ends when its attempts are used up. */
  maxOutageMs?: number
  /** Once aborted, no new request begins; requests in flight may end. */
  drain?: AbortSignal
  /** Requests in flight at once; 8 unless given. */
  concurrency?: number
  rate?: Rate
  /** How long an answer may take, unless --timeout says otherwise; in milliseconds. */
  timeoutMs?: number
  /** Attempts after the first, unless --retries says otherwise; 2 unless given. */
  retries?: number
  /** Ends everything at once, including requests in flight; default: the stop signal of the host. */
  signal?: AbortSignal
  /** Nothing will be sent: the embedded service is not started and no secret is read. */
  planOnly?: boolean
  /** The project is part of the URL. The embedded service must be asked for its own, even for a plan. */
  needsProject?: boolean
  /** The origin that client-side calls name. */
  clientOrigin?: string
  /** Receives the status and the headers of every answer. */
  onReply?: Connection['onReply']
  /** Is told of every request that was sent, answered or not. */
  onSent?: Connection['onSent']
  /** Returns whether single calls are left out of the history, because they are rows of a job. */
  isJob?: () => boolean
}

export interface ClientSession {
  client: Client
  profile: Resolved
  /** Fingerprints of the service and the project, by which a job is recognised; the first is recorded in a new job. */
  projects: readonly string[]
  /** The history of this computer. */
  history: Recorder
  /** Asks for the confirmation without which nothing is written (prompt/confirm.ts). Throws `confirmation` (exit 11). */
  agree: (question: Question) => Promise<void>
  close: () => Promise<void>
  /** Ends this client, and leaves its service and connections to the next one of the run that has the same profile. */
  leave: () => Promise<void>
}

/** What a client left, until the next one takes it over or the run ends. */
interface Left {
  /** The profile as its flag names it. */
  flag: string | undefined
  profile: Resolved
  service: Service
  lines: Lines
  close: () => Promise<void>
}

/** The origin of the sandbox profile while it is not started: its port is chosen at start. */
const unstartedSandbox = 'http://127.0.0.1'

/**
 * Opens a client for the profile that the flags, the environment or `profiles use` name.
 *
 * Throws `config` or `auth` (exit 4) when there is no profile, or no credentials for it.
 */
export async function connect(
  given: ConnectFlags & Why & Partial<AskFlags>,
  host: Host,
  config: ProgramConfig,
  options: ConnectOptions = {},
): Promise<ClientSession> {
  const flags = options.name === undefined ? given : { ...given, profile: options.name }
  const left = leftTo(flags, host, options)
  const profile = options.profile ?? left?.profile ?? (await resolveProfile(flags, host))
  const service = left?.service ?? (await serviceOf(profile, host, options))
  const lines = left?.lines ?? { free: [] }
  const { createClient } = await import('../../api/client.ts')
  if (left === undefined) await hideIn(host, service.credentials)
  const { parseRate } = await import('../../api/pacing/rate.ts')
  const retries = flags.retries ?? options.retries
  const rate = options.rate ?? (profile.rate === undefined ? undefined : parseRate(profile.rate))
  const reached = {
    ...profile,
    origin: service.origin,
    ...(service.projectId !== undefined && { projectId: service.projectId }),
  }
  const history = recorderFor(reached, host, flags)
  const { concurrency, clientOrigin, maxOutageMs, drain, onReply, onSent } = options
  // What is read to explain a refusal may be refused itself.
  let isExplaining = false
  let isAgreed = false
  const mayAsk = () => host.ask === undefined && flags.yes !== true && canAsk(flags, host)
  const client: Client = Object.assign(
    createClient({
      origin: service.origin,
      ...(profile.downloadOrigin !== '' && { downloadOrigin: profile.downloadOrigin }),
      credentials: service.credentials,
      isEmbedded: service.isOnTime === true,
      describe: await describe(reached, options),
      ...withoutUndefined({
        readOnly: profile.readOnly,
        apiVersion: profile.apiVersion,
        timeoutMs: flags.timeout ?? options.timeoutMs,
      }),
      ...withoutUndefined({ retries, rate, concurrency, clientOrigin, maxOutageMs, drain, onReply, onSent }),
      ...(flags.verbose && { observe: (line: string) => tell(host.stderr, line) }),
      async onRefusal(error, endpoint, path, body) {
        const { status, phase } = error as { status?: number; phase?: string }
        if (isExplaining || options.isJob?.()) return
        if (phase === 'ambiguous')
          return (await import('./where-to-look.ts')).sayWhereToLook(error, endpoint, path, body)
        if (status !== 404) return
        isExplaining = true
        const { nameWhatIsMeant } = await import('./what-is-meant.ts')
        await nameWhatIsMeant(error, endpoint, path, client, host.stderr.isTTY === true)
        isExplaining = false
      },
      onChange(call) {
        if (!isAgreed) throw new Error('nobody was asked whether to write')
        return options.isJob?.() ? undefined : history.onChange(call)
      },
      proxy: host.env,
      signal: options.signal ?? host.stop,
      lines,
      userAgent: `promo/${config.version}`,
    }),
    {
      async lostCall(endpoint: Endpoint, request: LooseRequest, source: string) {
        const { lostCallIn } = await import('./lost-call.ts')
        return await lostCallIn({ host, mayAsk, profile: reached, client }, endpoint, request, source)
      },
    },
  )
  return {
    client,
    profile: reached,
    history,
    async agree(question) {
      const { confirmWrite } = await import('../prompt/confirm.ts')
      await confirmWrite({ ...question, profile: reached, flags, host })
      isAgreed = true
    },
    // A getter, because the first checksum loads OpenSSL, and only jobs need it.
    get projects() {
      return projectFingerprints(reached, service.credentials)
    },
    close,
    async leave() {
      await client.close(true)
      const left: Left = { flag: flags.profile, profile, service, lines, close }
      host.left = left
    },
  }

  async function close() {
    await client.close()
    await service.close()
  }
}

/** From now on no message repeats a secret that the service said: in a name, an id, a complaint. Results are data, and stay. */
async function hideIn({ stderr }: Pick<Host, 'stderr'>, credentials: Credentials): Promise<void> {
  const { scrubberFor } = await import('../../api/request/redact.ts')
  const { hide: before } = stderr
  const scrub = scrubberFor(credentials)
  stderr.hide = before === undefined ? scrub : (text) => scrub(before(text))
}

/** Takes over what the client before left, unless nothing is to be sent or it is of another profile. */
function leftTo({ profile }: ConnectFlags, host: Pick<Host, 'left'>, { planOnly }: ConnectOptions): Left | undefined {
  const left = host.left as Left | undefined
  if (planOnly || left?.flag !== profile) return undefined
  host.left = undefined
  return left
}

/** Resolves the profile without opening anything: what `whoami` shows. Throws `config` (exit 4) when there is none. */
export async function resolveProfile(
  flags: ConnectFlags,
  host: Home & Pick<Host, 'profile' | 'stop' | 'stderr'>,
): Promise<Resolved> {
  if (host.profile) return host.profile
  const { resolve } = await import('../../profiles/resolve.ts')
  const { openStore } = await import('../../profiles/store.ts')
  const { config } = folders(host.env, host.platform, host.home)
  const profile = await resolve({
    flag: flags.profile,
    env: host.env,
    store: openStore(config),
    dir: config,
    signal: host.stop,
  })
  if (!warned.has(host.env)) for (const line of profile.unused) tell(host.stderr, line)
  warned.add(host.env)
  return profile
}

/** The environments of which it was said what is not used: a run may resolve its profile more than once. */
const warned = new WeakSet<object>()

/**
 * Returns the SHA-256 over the service and the project's id, where it is known, and over the service and the id of the key:
 * a job must never be continued in another project. Nothing secret goes into them.
 *
 * ASSUMED A534: where no project id is known, the id of the key replaces it. Another key may belong to another project, so a
 * job whose key was changed is continued only when the user says that it is the same project.
 */
function projectFingerprints(
  profile: Pick<Resolved, 'isSandbox' | 'origin' | 'projectId'>,
  keys: Credentials,
): readonly string[] {
  // The sandbox chooses its port at every start.
  const service = profile.isSandbox ? 'sandbox' : profile.origin
  const key = keys.application?.id ?? keys.management?.id ?? keys.client?.id ?? ''
  return [profile.projectId, key].filter((id) => id !== undefined).map((id) => jsonChecksum([service, id]))
}

/** Returns those fingerprints before anything is connected. */
export async function fingerprintsOf(profile: Resolved): Promise<readonly string[]> {
  return projectFingerprints(profile, credentialsOf(await profile.credentials()))
}

/** What hints about refused keys may name; no part of a secret. */
async function describe(profile: Resolved, { planOnly }: ConnectOptions): Promise<NonNullable<Connection['describe']>> {
  const { name, projectId, region, isSandbox } = profile
  const asked = { profile: name, ...(projectId !== undefined && { project: projectId }) }
  if (isSandbox || planOnly) return asked
  const sources = new Map((await profile.credentialValues()).map(({ setting, source }) => [setting, source]))
  const from = (secret: string) => {
    const source = sources.get(secret) ?? ''
    return source === '' || source.startsWith('PROMO_')
      ? source
      : `profile "${name}" (chosen by ${profile.source}), kept in ${source}`
  }
  const found = { application: from('app_token'), management: from('management_token') }
  const others = { client: from('client_token'), accessToken: from('access_token') }
  return {
    ...asked,
    ...(region !== undefined && { region }),
    otherRegions: Object.keys(regions).filter((other) => other !== region),
    keysFrom: Object.fromEntries(Object.entries({ ...found, ...others }).filter(([, source]) => source !== '')),
  }
}

interface Service {
  origin: string
  /** Whether it runs in this process, by the clock of this computer. */
  isOnTime?: boolean
  projectId?: string
  credentials: Credentials
  close: () => Promise<void>
}

async function serviceOf(profile: Resolved, host: Home, { planOnly, needsProject }: ConnectOptions): Promise<Service> {
  const nothing = async () => {}
  if (planOnly && !(profile.isSandbox && needsProject))
    return { origin: profile.isSandbox ? unstartedSandbox : profile.origin, credentials: {}, close: nothing }
  if (!profile.isSandbox) {
    return { origin: profile.origin, credentials: credentialsOf(await profile.credentials()), close: nothing }
  }
  const { url, credentials, isOnTime, close } = await withSandbox(({ startSandbox }) =>
    startSandbox({ file: sandboxFile(host), port: 0, demo: true }),
  )
  const secrets = { ...credentials, client_id: credentials.client_app_id }
  return { origin: url, isOnTime, projectId: credentials.project_id, credentials: credentialsOf(secrets), close }
}

/** Returns the file of the built-in sandbox profile, in the state folder. Throws `config` (exit 4). */
export function sandboxFile(host: Home): string {
  return join(stateFolder(host), 'sandbox.db')
}

function credentialsOf(secrets: Secrets): Credentials {
  const { app_id, app_token, management_id, management_token, client_id, client_token, access_token } = secrets
  return {
    ...(app_id !== undefined && app_token !== undefined && { application: { id: app_id, token: app_token } }),
    ...(management_id !== undefined &&
      management_token !== undefined && { management: { id: management_id, token: management_token } }),
    ...(client_id !== undefined && client_token !== undefined && { client: { id: client_id, token: client_token } }),
    ...(access_token !== undefined && { accessToken: access_token }),
  }
}
