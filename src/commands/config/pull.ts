import { formatCount } from '../../base/numbers.ts'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags, confirmFlags } from '../../cli/flags/flags.ts'
import { argument, names, switchFlag } from '../../cli/flags/kinds.ts'
import { onlyFlag, readCalls } from '../../cli/topics/config/declared.ts'
import { openProject } from '../../cli/topics/config/open.ts'
import {
  ambiguousFiles,
  editedFiles,
  idsAfter,
  managedAddresses,
  removeUnfinished,
  rootSettings,
  withReferences,
  writeSchemas,
} from '../../cli/topics/config/pull.ts'
import { removeFile, writeIds, writePulled, writeWhole } from '../../config/records.ts'
import { writtenProject } from '../../config/write.ts'
import { pathIn } from '../../config/yaml-file.ts'
import { EXIT } from '../../errors.ts'
import { encodeValue } from '../../model/value.ts'
import { pulledColumns } from '../../output/columns/plan.ts'

export default class Pull extends PromoCommand {
  static override summary = 'Read the project of the profile into files (exit 12: not everything could be read)'
  static override description =
    'One YAML file per object, without ids and dates. Comments survive. Files that were edited since the last pull are not overwritten without --force. Codes, customers, orders and secrets are never written. To clone a campaign, pull it with --object, copy its file under a new name, change the name in it, and apply.'
  static override examples = [
    'promo config pull shop --profile sandbox',
    'promo config pull shop --only rules,campaigns --profile sandbox',
    'promo config pull club --object campaigns/bean-club --profile sandbox',
  ]
  static override calls = readCalls
  static override columns = pulledColumns
  static override exits = [EXIT.no]
  static override args = { dir: argument('the folder of the files') }
  static override flags = {
    ...callFlags,
    only: onlyFlag,
    object: names('only these objects and what they refer to, like campaigns/bean-club', 'KIND/KEY,…', {
      exclusive: ['only'],
    }),
    force: switchFlag('overwrite files that were edited since the last pull'),
    yes: confirmFlags.yes,
    'dry-run': switchFlag('show which files would change, and write nothing'),
  }

  async run() {
    const { args, flags } = await this.input(Pull)
    const { show: messages } = this
    const client = await this.connect()
    const opened = await openProject(
      args.dir,
      { client, host: this.host, messages },
      {
        only: flags.only,
        isNew: true,
        isWhole: flags.object !== undefined,
      },
    )
    const { folder, read, root, projectId, records } = opened
    // A folder that has a part of a kind is brought up to date as that part; --only reads all of its kinds.
    const isPart = flags.object !== undefined || (flags.only === undefined && folder.partial.length > 0)
    const project = isPart ? withReferences(opened.project, flags.object ?? managedAddresses(opened)) : opened.project
    const kinds = new Set([...project.objects.values()].map(({ kind }) => kind.name))
    const managed = opened.managed.filter(
      (kind) => !read.unreadable.includes(kind) && (flags.object === undefined || kinds.has(kind)),
    )
    const written = await writtenProject(folder, project.objects, {
      managed,
      root: rootSettings({ ...opened, project }, managed, isPart),
      isPart: flags.object !== undefined,
    })
    if (!flags.force) {
      if (flags.object === undefined) ambiguousFiles(opened, args.dir)
      editedFiles(opened, written, args.dir)
    }
    const rows = [
      ...[...written.changed.keys()].map((file) => ({ file, state: folder.files.has(file) ? 'changed' : 'new' })),
      ...written.removed.map((file) => ({ file, state: 'removed' })),
    ]
    if (!flags['dry-run']) {
      if (written.removed.length > 0) {
        for (const file of written.removed) messages.warn(`${file}: the project has no such object any more`)
        const files = formatCount(written.removed.length, 'file')
        await this.agree({ action: `remove ${files} of objects that are gone` })
      }
      removeUnfinished(root)
      await writeSchemas(opened, managed)
      writeWhole([...written.changed].map(([file, text]) => [pathIn(folder, file), text]))
      for (const file of written.removed) removeFile(pathIn(folder, file))
      writeIds(root, projectId, idsAfter({ ...opened, project }, flags.object !== undefined))
      writePulled(
        root,
        projectId,
        new Map([...records.pulled, ...written.checksums].filter(([file]) => !written.removed.includes(file))),
      )
    }
    await this.show.rows(rows, pulledColumns, { nothing: 'the files are what the project is' })
    for (const { file, member, placeholder, value } of written.offered) {
      messages.warn(
        `${file}: ${member} is ${placeholder}, and the project has ${JSON.stringify(encodeValue(value))}; values/NAME.yaml could say so`,
      )
    }
    const lost = [...project.objects.values()].flatMap(({ kind, wire, address }) => {
      const why = kind.lost?.(wire)
      return why === undefined ? [] : [`${address} is not written down completely: ${why}`]
    })
    for (const line of lost) messages.warn(line)
    messages.say(
      `${formatCount(project.objects.size, 'object')} of project ${projectId}${flags['dry-run'] ? '; dry run: nothing was written' : ''}`,
    )
    if (read.unreadable.length > 0) this.exitCode = EXIT.no
    else if (lost.length > 0) this.exitCode = EXIT.refused
  }
}
