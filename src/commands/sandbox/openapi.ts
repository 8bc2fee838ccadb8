import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { withSandbox } from '../../cli/session/sandbox.ts'

export default class OpenApi extends PromoCommand {
  static override summary = 'Print the OpenAPI 3.1 document of what the embedded service serves'
  static override description =
    'The same document is at /openapi.json of a running sandbox. It is made from the declarations that promo sends by and the sandbox answers by; `x-repeat` says what one more identical call does.'
  static override examples = [
    '<%= config.bin %> sandbox openapi --out openapi.json',
    "<%= config.bin %> sandbox openapi --query 'keys(paths)'",
  ]
  static override effect = 'none' as const
  static override flags = { out: outputFlags.out, query: outputFlags.query }

  async run() {
    const { flags } = await this.input(OpenApi)
    const document = await withSandbox(({ sandboxOpenApi }) => sandboxOpenApi())
    await this.emitOne(document, { columns: [] }, { ...flags, json: true })
  }
}
