import { argumentWords } from '../../base/shell-word.ts'
import { PromoCommand } from '../../cli/command.ts'
import { serviceFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { projectOf } from '../../cli/session/project.ts'
import { dirFlag, folderNamed, keyArg, kindArg, recordedKinds } from '../../cli/topics/config/declared.ts'
import { addressOfKey, folderOf } from '../../config/addresses.ts'
import { readRecords, writeIds } from '../../config/records.ts'
import { PromoError, usageError } from '../../errors.ts'
import { kindNamed } from '../../model/kinds.ts'
import { readObject } from '../../model/objects.ts'

export default class Link extends PromoCommand {
  static override summary = 'Record which object of the project a key of the files stands for'
  static override description =
    'Use it if several objects share a name: promo never guesses. The object is read to see that it exists; neither the project nor the files are changed, only .promo/ids.'
  static override examples = [
    'promo config link rules orders-above-20 val_19b8d627a800000001 --dir shop --profile live',
    'promo config link campaigns/tiers terrace-season/ten-percent promo_19b8d627a800000001 --dir shop --profile live',
  ]
  static override calls = recordedKinds.map(({ calls }) => calls.get ?? calls.list)
  static override args = {
    kind: kindArg,
    key: keyArg,
    id: argument('the id of the object'),
  }
  static override flags = { ...serviceFlags, dir: dirFlag }

  async run() {
    const { args, flags } = await this.input(Link)
    const root = folderNamed(flags.dir)
    const kind = kindNamed(args.kind)
    const address = addressOfKey(kind, args.key)
    const client = await this.connect()
    const projectId = projectOf(undefined, client.profile)
    const { ids } = readRecords(root, projectId)
    const other = [...ids].find(([known, id]) => id === args.id && known !== address)?.[0]
    if (other !== undefined) {
      throw usageError(`${args.id} is ${other} already; two keys cannot be one object`, 'promo config mv --help')
    }
    const parentId = kind.within === undefined ? undefined : ids.get(folderOf(folderOf(address)))
    if (kind.within !== undefined && parentId === undefined) {
      throw usageError(
        `the id of ${folderOf(folderOf(address))}, which it is a part of, is not recorded: link that first`,
      )
    }
    const found = await readObject(
      client,
      { kind, id: args.id, ...(parentId !== undefined && { parentId }) },
      projectId,
    )
    const id = found?.wire.id
    if (typeof id !== 'string') {
      throw new PromoError('api', `project ${projectId} has no ${kind.noun} "${args.id}"; nothing was recorded`, {
        hint: `promo config diff ${argumentWords(flags.dir)}`,
      })
    }
    const before = ids.get(address)
    // A name may have led to the object, too.
    writeIds(root, projectId, new Map([...ids, [address, id]]))
    const was = before === undefined || before === id ? '' : `; it was ${before}`
    this.show.say(`${address} is ${id}${was}`)
  }
}
