import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { showingOf } from '../../cli/result/output.ts'
import { withSandbox } from '../../cli/session/sandbox.ts'

export default class OpenApi extends PromoCommand {
  static override summary = 'Print the OpenAPI 3.1 document of the embedded service'
  static override description =
    'A running sandbox serves the same document at /openapi.json. It is generated from the declarations that both promo and the sandbox use; `x-repeat` says what one more identical call does.'
  static override examples = ['promo sandbox openapi --out openapi.json', "promo sandbox openapi --query 'keys(paths)'"]
  static override effect = 'none' as const
  static override flags = { out: outputFlags.out, query: outputFlags.query }

  async run() {
    const { flags } = await this.input(OpenApi)
    const document = await withSandbox(({ sandboxOpenApi }) => sandboxOpenApi())
    await showingOf({ ...flags, json: true }, this.host).one(document, { columns: [] })
  }
}
