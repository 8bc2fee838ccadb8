import { formatCount } from '../../base/numbers.ts'
import { PromoCommand } from '../../cli/command.ts'
import { usesJobsFolder } from '../../cli/exits.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { dirFlag, folderNamed, keyArg, kindArg } from '../../cli/topics/config/declared.ts'
import { whileNoneApplies } from '../../cli/topics/config/state.ts'
import { addressOfKey } from '../../config/addresses.ts'
import { readFolder } from '../../config/folder.ts'
import { planRename, writeRename } from '../../config/rename.ts'
import { EXIT } from '../../errors.ts'
import { kindNamed } from '../../model/kinds.ts'
import { environmentName } from '../../profiles/profile.ts'

export default class Move extends PromoCommand {
  static override summary = 'Rename a key of the files, with everything that refers to it'
  static override description =
    'Renames the file, references in other files, and the recorded ids of every project. The object keeps its name; comments survive.'
  static override examples = [
    'promo config mv rules orders-above-20 from-20 --dir shop',
    'promo config mv campaigns/tiers terrace-season/ten-percent terrace-season/tenth --dir shop',
  ]
  static override effect = 'local' as const
  static override exits = [usesJobsFolder, EXIT.held]
  static override args = {
    kind: kindArg,
    key: keyArg,
    to: argument('its new key'),
  }
  static override flags = { dir: dirFlag }

  async run() {
    const { args, flags } = await this.input(Move)
    const root = folderNamed(flags.dir)
    const kind = kindNamed(args.kind)
    const folder = await readFolder(root, { profile: environmentName, env: this.host.env, stop: this.host.stop })
    const change = await planRename(folder, kind, addressOfKey(kind, args.key), addressOfKey(kind, args.to))
    // An apply records what it makes under the keys that it began with.
    await whileNoneApplies(root, this.host, async () => writeRename(folder, change))
    const files = formatCount(change.texts.size, 'file')
    this.show.say(`${change.from} is ${change.to} now; ${files} changed`)
  }
}
