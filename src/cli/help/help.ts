// Help, on the host's streams.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownValue } from '../../base/record.ts'
import type { FoundCommand } from '../run/find-command.ts'
import type { Host } from '../run/host.ts'
import { commandPage, shortPage } from './command-page.ts'
import type { GuideSection } from './guides.ts'
import { factsIn, type ManifestCommand, readManifest } from './manifest.ts'
import { list, type Page, pageText, styleOf } from './page.ts'
import { programPage, topicPage } from './topic-page.ts'

/** Where a page is shown. */
type PageHost = Pick<Host, 'stdout' | 'env' | 'stop' | 'page'>

/** How much of a page is shown, and how. */
export interface HelpForm {
  /** One screen of a command, as `-h` asks for. */
  isShort?: boolean
  /** Never in a pager. */
  isUnpaged?: boolean
  /** What follows the page. */
  after?: string | undefined
}

/** Shows the help of a command, a topic, or the entire program, on stdout. */
export async function showHelp(found: FoundCommand, root: string, host: PageHost, form: HelpForm = {}): Promise<void> {
  const style = styleOf(host)
  if (found.kind === 'topic') {
    const page =
      found.id === ''
        ? programPage(root, style)
        : topicPage(found.id, descriptionOf(found.id, root), Object.values(readManifest(root)), style)
    await showPage([...page, form.after], host, form)
    return
  }
  const command = readManifest(root)[found.id] as ManifestCommand
  const page = form.isShort ? shortPage(command, style) : commandPage(command, style, factsIn(root)[found.id]?.reads)
  await showPage(page, host, form)
}

function descriptionOf(topic: string, root: string): string {
  const { oclif } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    oclif: { topics: Readonly<Record<string, { description: string }>> }
  }
  return ownValue(oclif.topics, topic)?.description ?? ''
}

/** Shows a guide on stdout. */
export async function showGuide(guide: readonly GuideSection[], host: PageHost, form: HelpForm = {}): Promise<void> {
  const style = styleOf(host)
  await showPage(
    guide.map(({ title, rows }) => list(title, rows, style)),
    host,
    form,
  )
}

/** Shows a page on stdout: in the user's pager where stdout is a terminal with fewer lines. */
async function showPage(page: Page, host: PageHost, { isUnpaged = false }: HelpForm): Promise<void> {
  const text = pageText(page)
  const { rows = 0, isTTY = false } = host.stdout
  if (host.page === undefined || isUnpaged || !isTTY || rows === 0 || text.split('\n').length <= rows) {
    host.stdout.write(text)
  } else await host.page(text)
}
