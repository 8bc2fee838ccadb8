import { Flags } from '@oclif/core'
import { PromoCommand } from '../cli/command.ts'
import { outputFlags, serviceFlags } from '../cli/flags/flags.ts'
import { resolveProfile } from '../cli/session/connect.ts'
import { mcpToolColumns } from '../output/columns/program.ts'

/** The clients whose settings are known. */
const clients = ['claude', 'cursor', 'vscode', 'zed'] as const

export default class Mcp extends PromoCommand {
  static override summary = 'Serve the profile to an assistant: a Model Context Protocol server on stdio'
  static override description =
    'Tools that read: find, customers, vouchers, transactions, redemptions, validations, campaigns, the history and the jobs of this computer. The profile is fixed at start; no tool takes another one, an address, a path or a key. Calls wait for each other. Ends when stdin ends.'
  static override examples = ['promo mcp --inspect', 'promo mcp --print-config claude --profile sandbox']
  static override calls = 'any' as const
  static override columns = mcpToolColumns
  static override flags = {
    profile: serviceFlags.profile,
    'print-config': Flags.option({
      description: 'print what a client wants in its settings file, and end',
      exclusive: ['inspect'],
      helpValue: 'CLIENT',
      options: clients,
    })(),
    inspect: Flags.boolean({ description: 'list the tools with the tokens that their descriptions take, and end' }),
    ...outputFlags,
  }

  async run() {
    const { flags } = await this.input(Mcp)
    const client = flags['print-config']
    if (client !== undefined) {
      const { configFor } = await import('../cli/topics/mcp/client-config.ts')
      const { jsonText } = await import('../output/form/json.ts')
      this.host.stdout.write(`${jsonText(configFor(client, flags), 2)}\n`)
      return
    }
    const { definitions, serve } = await import('../cli/topics/mcp/serve.ts')
    if (flags.inspect) {
      const { inspected } = await import('../cli/topics/mcp/inspect.ts')
      const { readTools } = await import('../cli/topics/mcp/tools.ts')
      return await this.emit(inspected(definitions(readTools)), Mcp.columns, flags)
    }
    const profile = await resolveProfile(flags, this.host)
    const fixed = { ...profile, readOnly: 'promo mcp' }
    const host = Object.assign(Object.create(this.host), { profile: fixed })
    await serve({ host, source: this.source, profile: fixed, messages: this.messages(flags) })
  }
}
