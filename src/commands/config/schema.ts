import { Args } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { showingOf } from '../../cli/result/output.ts'
import { fileKinds, kindNamed } from '../../model/kinds.ts'

export default class Schema extends PromoCommand {
  static override summary = 'Print the JSON Schema of the files of a kind, for completion in an editor'
  static override description =
    'promo config pull writes the schemas of the kinds it manages to .promo/schemas, and the first line of each new file names its own. An editor that follows the YAML language server needs its tag, too: "yaml.customTags": ["!ref scalar"].'
  static override examples = [
    'promo config schema rules --out rules.json',
    "promo config schema campaigns --query 'keys(properties)'",
  ]
  static override effect = 'none' as const
  static override args = {
    kind: Args.string({
      description: 'the kind of the files',
      options: [...fileKinds],
      ignoreStdin: true,
      required: true,
    }),
  }
  static override flags = { out: outputFlags.out, query: outputFlags.query }

  async run() {
    const { args, flags } = await this.input(Schema)
    const { fileSchema } = await import('../../config/json-schema.ts')
    await showingOf({ ...flags, json: true }, this.host).one(fileSchema(kindNamed(args.kind)), { columns: [] })
  }
}
