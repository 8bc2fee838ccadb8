import { Flags } from '@oclif/core'
import { isLoopback } from '../../base/loopback.ts'
import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { count, duration, repeatable, switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { instant } from '../../cli/flags/time.ts'
import { type CallLimit, callLimit } from '../../cli/flags/values.ts'
import { fileLimitBytes } from '../../cli/request/input-text.ts'
import { jsonFrom } from '../../cli/request/json-file.ts'
import { sandboxFile } from '../../cli/session/connect.ts'
import { withSandbox } from '../../cli/session/sandbox.ts'
import { untilStopped } from '../../cli/stop.ts'
import { unknownFlag, warnOfUnknown } from '../../cli/topics/sandbox/fixture.ts'
import { keysOf, keysVariable } from '../../cli/topics/sandbox/keys.ts'
import { type Logged, requestLine } from '../../cli/topics/sandbox/requests.ts'
import { lineOf } from '../../output/form/line.ts'
import { tell, tellJson } from '../../output/tell.ts'
import { wrong } from '../../profiles/environment.ts'
import type { Env } from '../../profiles/folders.ts'

export default class Start extends PromoCommand {
  static override summary = 'Serve the embedded service on this computer, for any HTTP client'
  static override description =
    'It listens on 127.0.0.1 only, unless --host says otherwise, and prints one line when it accepts connections. Ctrl-C or SIGTERM stops it cleanly. The keys are generated at random for each data file and are valid nowhere else. GET /health answers 200 while calls are answered.'
  static override examples = [
    'promo sandbox start',
    'promo sandbox start --json --data :memory: --empty --port 8099',
    'promo sandbox start --host 0.0.0.0 --allow-host promo --keys-from keys.json --port 8099',
    'promo sandbox start --rate-limit 100/m --latency 150ms --time-scale 60',
  ]
  static override effect = 'local' as const
  static override exits = [usesSandboxFile]
  static override flags = {
    port: count('the port to listen on (default: PROMO_SANDBOX_PORT, else a free one)', 0, 65_535),
    host: textFlag('also listen on this address; 0.0.0.0 means all (PROMO_SANDBOX_HOST)', 'ADDRESS'),
    'allow-host': repeatable('also answer requests to this host name, like that of a container', 'NAME'),
    'keys-from': Flags.string({
      description: `a JSON file of keys (default: ${keysVariable}, else generated)`,
      helpValue: 'FILE|-',
    }),
    'allow-demo-keys': switchFlag('allow other computers although the keys are generated'),
    data: textFlag('the data file; :memory: keeps nothing', 'FILE|:memory:'),
    seed: textFlag('start a new data file with this fixture, not the demo project', 'FILE', {
      exclusive: ['empty'],
    }),
    ...unknownFlag,
    empty: switchFlag('start a new data file without the demo project'),
    'time-scale': count('divide the delays of background work by this number', 1, 1_000_000, { default: 1 }),
    'webhook-allow': repeatable('also deliver webhooks to this host (default: only to this computer)', 'HOST'),
    latency: duration('make every answer take at least this long', '200ms'),
    'rate-limit': Flags.custom<CallLimit>({ parse: async (text) => callLimit(text) })({
      description: 'answer 429 beyond this limit of calls',
      helpValue: 'N/s|N/m|N/h',
    }),
    faults: textFlag('a JSON file of faults, as `sandbox faults list --json` prints it', 'FILE|-'),
    verbose: switchFlag('show each request, when it is answered', { char: 'v' }),
    bodies: switchFlag('keep bodies in the log of requests, with secrets hidden'),
    time: instant({
      description: "stop the service's clock at this day or instant",
    }),
    'allow-back': switchFlag('allow a time in the past; this undoes nothing', { dependsOn: ['time'] }),
    'control-host': repeatable('also open the control server on this address; 0.0.0.0 means all', 'ADDRESS'),
    json: switchFlag('print the address, the keys and the control token as one JSON object'),
  }

  async run() {
    const { flags } = await this.input(Start)
    const { show: messages } = this
    const fixture = flags.seed === undefined ? undefined : await jsonFrom(flags.seed, this.host, fileLimitBytes)
    const faults = flags.faults === undefined ? undefined : await jsonFrom(flags.faults, this.host, fileLimitBytes)
    const given = await keysOf(flags['keys-from'], this.host)
    const { env } = this.host
    const host = flags.host ?? sandboxHost(env) ?? '127.0.0.1'
    const allowUnknown = flags['allow-unknown']
    const sandbox = await withSandbox(async ({ startSandbox, givenKeys, givenFaults, unknownInFixture }) => {
      if (allowUnknown) warnOfUnknown(await unknownInFixture(fixture), messages)
      return await startSandbox({
        file: flags.data ?? sandboxFile(this.host),
        port: flags.port ?? sandboxPort(env) ?? 0,
        host,
        allowedHosts: flags['allow-host'] ?? [],
        allowDemoKeys: flags['allow-demo-keys'],
        ...(given !== undefined && { keys: givenKeys(given) }),
        demo: !flags.empty,
        ...(fixture !== undefined && { fixture, allowUnknown }),
        timeScale: flags['time-scale'],
        ...(flags.time !== undefined && { time: { at: flags.time, allowBack: flags['allow-back'] } }),
        ...(faults !== undefined && { faults: givenFaults(faults) }),
        bodies: flags.bodies,
        ...(flags.verbose && { onRequest: (request: Logged) => tell(this.host.stderr, lineOf(requestLine(request))) }),
        controlHosts: flags['control-host'] ?? [],
        webhookAllow: flags['webhook-allow'] ?? [],
        simulation: {
          ...(flags.latency !== undefined && { latencyMs: flags.latency }),
          ...(flags['rate-limit'] !== undefined && { rateLimit: flags['rate-limit'] }),
        },
        report: (error, requestId) => messages.warn(`request ${requestId}: ${problemWords(error)}`),
      })
    })
    const { url, credentials, controlToken, file } = sandbox
    const { project_id, app_id } = credentials
    if (!isLoopback(host) && host !== '::1')
      messages.warn(`everyone who can reach ${whoReaches(host)} can call this sandbox with its keys`)
    if (flags.json) tellJson(this.host.stdout, { url, ...credentials, control_token: controlToken, data: file })
    else {
      const where = `project ${project_id}, X-App-Id ${app_id}, data ${file}`
      tell(this.host.stdout, `promo sandbox listens on ${url} (${where}); --json prints the keys`)
    }
    try {
      await untilStopped(this.host.stop)
    } finally {
      await sandbox.close()
    }
  }
}

function whoReaches(host: string): string {
  return host === '0.0.0.0' || host === '::' ? 'an address of this computer' : host
}

function problemWords(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'something failed'
}

/** Returns the port of PROMO_SANDBOX_PORT; undefined where it is absent or empty. Throws `config` for what is no port. */
function sandboxPort({ PROMO_SANDBOX_PORT: given = '' }: Env): number | undefined {
  if (given === '') return undefined
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given)
  throw wrong('PROMO_SANDBOX_PORT', 'is not a whole number from 0 to 65535')
}

/** Returns the address of PROMO_SANDBOX_HOST; undefined where it is absent or empty. Throws `config` for what is no address. */
function sandboxHost({ PROMO_SANDBOX_HOST: given = '' }: Env): string | undefined {
  if (given === '' || process.getBuiltinModule('node:net').isIP(given) !== 0) return given || undefined
  throw wrong('PROMO_SANDBOX_HOST', 'is not an address such as 127.0.0.1 or 0.0.0.0')
}
