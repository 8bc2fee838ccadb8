// The findings that a plan would add: of the project as it would be, but for those that it has already.
import { findingsOf } from '../../../check/check.ts'
import { type Placed, withoutIgnored } from '../../../check/ignores.ts'
import type { Shop, ShopObject } from '../../../check/shop.ts'
import type { Step } from '../../../config/steps.ts'
import { countedSteps, shownMembers } from '../config/changes.ts'
import type { OpenProject } from '../config/open.ts'
import { choiceOf, ignoresOf, placeFindings, shopOfFolder, shopOfProject } from './open.ts'
import { markdownTable, reportOf } from './reports.ts'

/** How far discounts may go together where no flag says it. */
const usualFloor = 50

/** Returns what `promo check` would find after a plan and does not find now, with file and line. */
export function addedFindings({ folder, project, read }: OpenProject, nowMs: number): Placed[] {
  const about = { nowMs, floor: usualFloor }
  const choice = choiceOf(folder)
  // Assignments to single codes are not read, so rules that need the project are not asked.
  const now: Shop = { ...shopOfProject(project, read, about), isOnline: false }
  const planned = shopOfFolder(folder, about)
  const after: Shop = { ...planned, objects: new Map([...now.objects, ...overlaid(now, planned)]) }
  const known = new Set(findingsOf(now, choice).map(keyOf))
  const { shown } = withoutIgnored(
    placeFindings(
      findingsOf(after, choice).filter((finding) => !known.has(keyOf(finding))),
      folder,
    ),
    ignoresOf(folder),
    { ...choice, ignored: ['ignore-of-nothing', 'ignore-without-reason'] },
  )
  return shown
}

/** Returns a plan as Markdown for a review, with what promo check would find after it and does not find now. */
export function planReport(steps: readonly Step[], findings: readonly Placed[]): string {
  const title = steps.length === 0 ? 'nothing to do' : countedSteps(steps)
  const rows = steps.map((step) => [[String(step.step)], [step.act], [step.object], [shownMembers(step)]])
  const table = rows.length === 0 ? '' : `\n${markdownTable(['Step', 'Act', 'Object', 'Members'], rows)}`
  const found = findings.length === 0 ? '' : `\nFindings that it adds:\n\n${reportOf('markdown', findings, '')}`
  return `Plan: ${title}\n${table}${found}`
}

function keyOf({ rule, object }: { rule: string; object: ShopObject }): string {
  return `${rule} ${object.address}`
}

/** The objects of files, with what a partial one does not say as it is in the project. */
function overlaid(now: Shop, { objects }: Shop): [string, ShopObject][] {
  return [...objects].map(([address, object]) => {
    const there = now.objects.get(address)
    const members = object.isPartial && there ? new Map([...there.members, ...object.members]) : object.members
    return [address, { ...object, members }]
  })
}
