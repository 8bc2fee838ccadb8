import { PromoCommand } from '../../cli/command.ts'
import { serviceFlags } from '../../cli/flags/flags.ts'
import { projectOf } from '../../cli/session/project.ts'
import { dirFlag, folderNamed, keyArg, kindArg } from '../../cli/topics/config/declared.ts'
import { addressOfKey } from '../../config/addresses.ts'
import { readRecords, writeIds } from '../../config/records.ts'
import { usageError } from '../../errors.ts'
import { kindNamed } from '../../model/kinds.ts'

export default class Unlink extends PromoCommand {
  static override summary = 'Forget which object of the project a key of the files stands for'
  static override description =
    'Afterwards the key is recognized by its name, or a new object is made for it. The parts of the object are forgotten with it. Neither the project nor the files are changed, only .promo/ids.'
  static override examples = [
    'promo config unlink rules orders-above-20 --dir shop --profile live',
    'promo config unlink campaigns/tiers terrace-season/ten-percent --dir shop --profile live',
  ]
  static override effect = 'local' as const
  static override args = { kind: kindArg, key: keyArg }
  static override flags = { ...serviceFlags, dir: dirFlag }

  async run() {
    const { args, flags } = await this.input(Unlink)
    const root = folderNamed(flags.dir)
    const address = addressOfKey(kindNamed(args.kind), args.key)
    const { profile } = await this.connect()
    const projectId = projectOf(undefined, profile)
    const { ids } = readRecords(root, projectId)
    const id = ids.get(address)
    if (id === undefined)
      throw usageError(`no id of ${address} is recorded for project ${projectId}`, 'promo config link --help')
    const kept = [...ids].filter(([known]) => known !== address && !known.startsWith(`${address}/`))
    writeIds(root, projectId, new Map(kept))
    this.show.say(`${address} is no object of project ${projectId} any more; it was ${id}`)
  }
}
