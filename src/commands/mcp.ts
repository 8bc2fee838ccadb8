import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Flags } from '@oclif/core'
import { shellWord } from '../base/shell-word.ts'
import { PromoCommand } from '../cli/command.ts'
import { outputFlags, serviceFlags } from '../cli/flags/flags.ts'
import { count, switchFlag } from '../cli/flags/kinds.ts'
import { PromoError } from '../errors.ts'
import { mcpToolColumns } from '../output/columns/program.ts'
import { tellLines } from '../output/tell.ts'
import type { Resolved } from '../profiles/resolve.ts'

/** The clients whose settings are known. */
const clients = ['claude', 'cursor', 'vscode', 'zed'] as const

export default class Mcp extends PromoCommand {
  static override summary = 'Serve the profile to an assistant: a Model Context Protocol server on stdio'
  static override description =
    "Without --allow-writes every tool only reads: customers, vouchers, validations, campaigns, checks, the history and the jobs. With it, tools also switch vouchers off, change points, roll back, give codes and resume jobs. Each shows its plan and needs the user's yes. A protected or read-only profile has no such tools. No tool takes another profile, an address, a path or a key."
  static override examples = ['promo mcp --inspect', 'promo mcp --print-config claude --profile sandbox']
  static override effect = 'write' as const
  static override calls = 'any' as const
  static override columns = mcpToolColumns
  static override flags = {
    profile: serviceFlags.profile,
    'print-config': Flags.option({
      description: 'print the settings that a client needs, and end',
      exclusive: ['inspect'],
      helpValue: 'CLIENT',
      options: clients,
    })(),
    'allow-writes': switchFlag('add tools that write; each asks its user first'),
    'max-writes': count('the most writes that one session may make', 1, 1000, { default: 20 }),
    'max-rows': count('the most rows that one session may change', 1, 500_000, { default: 500 }),
    skill: switchFlag('print how a coding agent uses promo safely, as a SKILL.md, and end', {
      exclusive: ['inspect', 'print-config'],
    }),
    inspect: switchFlag('list the tools and the tokens that each description takes, and end'),
    ...outputFlags,
  }

  async run() {
    const { flags } = await this.input(Mcp)
    const client = flags['print-config']
    if (client !== undefined) {
      const { configFor } = await import('../cli/topics/mcp/client-config.ts')
      const { jsonText } = await import('../output/form/json.ts')
      tellLines(this.host.stdout, `${jsonText(configFor(client, flags), 2)}\n`)
      return
    }
    if (flags.skill) {
      tellLines(this.host.stdout, readFileSync(join(this.source.root, 'dist/agents/SKILL.md'), 'utf8'))
      return
    }
    const { definitions, serve } = await import('../cli/topics/mcp/serve.ts')
    if (flags.inspect) {
      const { inspectTools } = await import('../cli/topics/mcp/inspect.ts')
      return await this.show.rows(inspectTools(definitions({ writes: flags['allow-writes'] })), Mcp.columns)
    }
    const profile = await this.profile()
    if (flags['allow-writes']) mustBeWritable(profile)
    const { host, source } = this
    const allowance = { writes: flags['max-writes'], rows: flags['max-rows'] }
    await serve({
      host,
      source,
      profile,
      messages: this.show,
      ...(flags['allow-writes'] && { allowance }),
    })
  }
}

/** Throws `config` (exit 4) for a profile in which no assistant changes anything. */
function mustBeWritable({ name, protected: isProtected, readOnly }: Resolved): void {
  if (!isProtected && readOnly === undefined) return
  const why = isProtected ? `profile "${name}" is protected` : `${readOnly} allows only calls that read`
  throw new PromoError('config', `${why}: an assistant changes nothing there`, {
    hint: `promo mcp --profile ${shellWord(name)}`,
  })
}
