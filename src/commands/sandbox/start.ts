import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { instantFrom } from '../../cli/flags/time.ts'
import { type CallLimit, callLimit, durationMs, wholeNumber } from '../../cli/flags/values.ts'
import { fileLimitBytes } from '../../cli/request/input-text.ts'
import { jsonFrom } from '../../cli/request/json-file.ts'
import { untilStopped } from '../../cli/run/host.ts'
import { sandboxFile } from '../../cli/session/connect.ts'
import { withSandbox } from '../../cli/session/sandbox.ts'
import { tell, tellJson } from '../../output/tell.ts'

export default class Start extends PromoCommand {
  static override summary = 'Serve the embedded service on this computer, for any HTTP client'
  static override description =
    'It listens on 127.0.0.1 only and prints one line when it accepts connections. Ctrl-C or SIGTERM stops it cleanly. The keys are generated at random for each data file and are valid nowhere else.'
  static override examples = [
    'promo sandbox start',
    'promo sandbox start --json --data :memory: --empty --port 8099',
    'promo sandbox start --rate-limit 100/m --latency 150ms --time-scale 60',
  ]
  static override effect = 'local' as const
  static override exits = [usesSandboxFile]
  static override flags = {
    port: Flags.custom<number>({ parse: async (text) => wholeNumber(text, 0, 65_535) })({
      default: 0,
      description: 'the port to listen on; 0 takes a free one',
      helpValue: 'N',
    }),
    data: Flags.string({ description: 'the data file; :memory: keeps nothing', helpValue: 'FILE|:memory:' }),
    seed: Flags.string({
      description: 'a fixture to load when the data file is new, instead of the demo project',
      exclusive: ['empty'],
      helpValue: 'FILE',
    }),
    empty: Flags.boolean({ description: 'do not load the demo project when the data file is new' }),
    'time-scale': Flags.custom<number>({ parse: async (text) => wholeNumber(text, 1, 1_000_000) })({
      default: 1,
      description: 'divide every delay of background work, such as retries of webhooks, by this number',
      helpValue: 'N',
    }),
    'webhook-allow': Flags.string({
      description: 'also deliver webhooks to this host (default: only to this computer)',
      helpValue: 'HOST',
      multiple: true,
      multipleNonGreedy: true,
    }),
    latency: Flags.custom<number>({ parse: async (text) => durationMs(text) })({
      description: 'make every answer take at least this long',
      helpValue: '200ms',
    }),
    'rate-limit': Flags.custom<CallLimit>({ parse: async (text) => callLimit(text) })({
      description: 'answer as the service does when this limit of calls is used up',
      helpValue: 'N/s|N/m|N/h',
    }),
    time: Flags.string({
      description:
        'stop the time of the service at this day or instant (default: it is that of the data file, or goes on)',
      helpValue: 'TIME',
    }),
    'allow-back': Flags.boolean({ dependsOn: ['time'], description: 'let --time go back, which undoes nothing' }),
    'control-host': Flags.string({
      description: 'also open the control door on this address of this computer; 0.0.0.0 means all',
      helpValue: 'ADDRESS',
      multiple: true,
      multipleNonGreedy: true,
    }),
    json: Flags.boolean({ description: 'print the address, the keys and the control token as one JSON object' }),
  }

  async run() {
    const { flags } = await this.input(Start)
    const messages = this.messages(flags)
    const fixture = flags.seed === undefined ? undefined : await jsonFrom(flags.seed, this.host, fileLimitBytes)
    const sandbox = await withSandbox(({ startSandbox }) =>
      startSandbox({
        file: flags.data ?? sandboxFile(this.host),
        port: flags.port,
        demo: !flags.empty,
        ...(fixture !== undefined && { fixture }),
        timeScale: flags['time-scale'],
        ...(flags.time !== undefined && { time: { at: instantFrom(flags.time), allowBack: flags['allow-back'] } }),
        controlHosts: flags['control-host'] ?? [],
        webhookAllow: flags['webhook-allow'] ?? [],
        simulation: {
          ...(flags.latency !== undefined && { latencyMs: flags.latency }),
          ...(flags['rate-limit'] !== undefined && { rateLimit: flags['rate-limit'] }),
        },
        report: (error, requestId) => messages.warn(`request ${requestId}: ${problemWords(error)}`),
      }),
    )
    const { url, credentials, controlToken, file } = sandbox
    const { project_id, app_id } = credentials
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

function problemWords(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'something failed'
}
