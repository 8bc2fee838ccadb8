// Folders of a project as files, from a few objects of a fixture.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { fileKinds } from '../../src/model/kinds.ts'
import { projectFolder } from './projects.ts'

/** The files of a folder; a text is the content of one as it is. */
export type Files = Record<string, string | object>

/** Writes a folder that manages all kinds. */
export function folderWith(files: Files, settings: object = {}): string {
  const root = projectFolder()
  const all: Files = { 'promo.yaml': { format: 1, kinds: fileKinds, ...settings }, ...files }
  for (const [file, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    // An alias in a fixture is no alias in a file.
    const text = typeof content === 'string' ? content : stringify(content, { aliasDuplicateObjects: false })
    writeFileSync(join(root, file), text)
  }
  return root
}
